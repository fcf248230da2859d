import * as z from 'zod/mini';
import { type IssuedApiKey, issueApiKey } from '#shared/api-keys/new-api-key.ts';
import { endAfterRotation, longestOverlapHours, usualOverlapHours } from '#shared/api-keys/rotation.ts';
import { ApiKey, isUsableApiKey, KeyAddresses, KeyScopes } from '#shared/domain/api-key.ts';
import type { AuditActor } from '#shared/domain/audit-entry.ts';
import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { givenName } from '#shared/domain/names.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { GivenTime } from '#shared/domain/values.ts';
import { fitPage, type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import {
  createApiKeyItems,
  findApiKey,
  listProjectApiKeys,
  replaceApiKeyItem,
  revokeApiKeyItem,
} from '#shared/table/api-key.ts';
import type { Table } from '#shared/table/client.ts';
import { TransactionConditionFailed, writeContendedTransaction } from '#shared/table/transaction.ts';
import { auditItem } from './audit.ts';
import { authorizeProject, type ProjectAccess } from './authorize-project.ts';

/** A key as shown: enough to recognize it, not to use it. */
export const ApiKeyResource = z.omit(ApiKey, { key_hash: true, project_id: true });
export type ApiKeyResource = z.infer<typeof ApiKeyResource>;

export const ApiKeyList = z.object({
  api_keys: z.array(ApiKeyResource),
  next_cursor: z.nullable(z.string()),
});
export type ApiKeyList = z.infer<typeof ApiKeyList>;

/** The response that creates a key, the only one that ever contains it. */
export const CreatedApiKey = z.extend(ApiKeyResource, { key: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

/** The new key and the one it replaces, which keeps working until it expires. */
export const RotatedApiKey = z.extend(CreatedApiKey, { replaced: ApiKeyResource });
export type RotatedApiKey = z.infer<typeof RotatedApiKey>;

/** The body of `POST …/api-keys`. By default the key never expires, has every scope and works from every address. */
export const NewApiKey = z.object({
  name: givenName(100),
  expires_at: z.optional(GivenTime),
  scopes: z.optional(KeyScopes),
  allowed_addresses: z.optional(KeyAddresses),
});
export type NewApiKey = z.infer<typeof NewApiKey>;

/** The body of `POST …/rotate`. By default the new key expires when the old one would have. */
export const ApiKeyRotation = z.object({
  overlap_hours: z.optional(z.int().check(z.gte(0), z.lte(longestOverlapHours))),
  expires_at: z.optional(GivenTime),
});
export type ApiKeyRotation = z.infer<typeof ApiKeyRotation>;

/** A page of the project's keys, newest first, including inactive ones. Eventually consistent. */
export async function readApiKeys(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  position: ListPosition,
): Promise<ApiKeyList> {
  const { project } = await authorizeProject(table, caller, projectId, 'keys.read');
  const list = ['api-keys', project.id];
  const { items, next } = await listProjectApiKeys(table, project.id, toPageRequest(list, position));
  const { resources, nextCursor } = fitPage(list, { items: items.map(toResource), next }, position);
  return { api_keys: resources, next_cursor: nextCursor };
}

/** Names of the keys that audit entries mention, by ID. */
export async function readKeyNames(
  table: Table,
  projectId: string,
  entries: readonly { readonly actor: AuditActor }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(entries.flatMap(({ actor }) => (actor.kind === 'api-key' ? [actor.id] : [])));
  const keys = await Promise.all([...ids].map((id) => findApiKey(table, projectId, id)));
  return new Map(keys.flatMap((key) => (key === null ? [] : [[key.id, key.name]])));
}

/** Creates a key of the project. Throws `invalid_request` for an expiry in the past. */
export async function createApiKey(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  newApiKey: NewApiKey,
  now: Date = new Date(),
): Promise<CreatedApiKey> {
  const access = await authorizeProject(table, caller, projectId, 'keys.change');
  const { expires_at = null, scopes = null, allowed_addresses = null } = newApiKey;
  const issued = issue(access, { name: newApiKey.name, expires_at, scopes, allowed_addresses }, now);
  await writeContendedTransaction(table, [
    ...createApiKeyItems(table, issued.apiKey),
    auditItem(
      table,
      access,
      { action: 'api-key.created', target: targetOf(issued.apiKey), after: limitsOf(issued.apiKey) },
      now,
    ),
  ]);
  return toCreated(issued);
}

/** Path parameters of a key. */
export interface ApiKeyAddress {
  readonly projectId: string;
  readonly apiKeyId: string;
}

/** Revokes a key, which works for at most another 10 s. Idempotent. Throws `not_found`. */
export async function revokeApiKey(
  table: Table,
  caller: AdminCaller,
  { projectId, apiKeyId }: ApiKeyAddress,
  now: Date = new Date(),
): Promise<ApiKeyResource> {
  const access = await authorizeProject(table, caller, projectId, 'keys.change');
  const apiKey = await keyOf(table, access, apiKeyId);
  if (apiKey.revoked_at !== null) return toResource(apiKey);
  const revokedAt = now.toISOString();
  try {
    await writeContendedTransaction(table, [
      revokeApiKeyItem(table, apiKey, revokedAt),
      auditItem(
        table,
        access,
        {
          action: 'api-key.revoked',
          target: targetOf(apiKey),
          before: { revoked_at: null },
          after: { revoked_at: revokedAt },
        },
        now,
      ),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    // A concurrent request has revoked it.
    return toResource(await keyOf(table, access, apiKeyId));
  }
  return toResource({ ...apiKey, revoked_at: revokedAt });
}

/**
 * Creates a key with the same name, scopes and addresses, and the same expiry unless another is given: a rotation must
 * not remove a key's limits. The old one works through the overlap, or until it expires. Throws `not_found`, and
 * `conflict` for a key that is inactive, already rotated or being changed.
 */
export async function rotateApiKey(
  table: Table,
  caller: AdminCaller,
  { projectId, apiKeyId }: ApiKeyAddress,
  { overlap_hours = usualOverlapHours, expires_at }: ApiKeyRotation,
  now: Date = new Date(),
): Promise<RotatedApiKey> {
  const access = await authorizeProject(table, caller, projectId, 'keys.change');
  const replaced = await keyOf(table, access, apiKeyId);
  if (!isUsableApiKey(replaced, now.getTime())) {
    throw new ServiceError('conflict', 'The API key is inactive: create a new one');
  }
  if (replaced.replaced_by !== null) {
    throw new ServiceError('conflict', 'The API key has been replaced: rotate its replacement');
  }
  const issued = issue(access, { ...replaced, expires_at: expires_at ?? replaced.expires_at }, now);
  const ending: ApiKey = {
    ...replaced,
    expires_at: endAfterRotation(replaced, overlap_hours, now),
    replaced_by: issued.apiKey.id,
  };
  try {
    await writeContendedTransaction(table, [
      ...createApiKeyItems(table, issued.apiKey),
      replaceApiKeyItem(table, replaced, ending),
      auditItem(
        table,
        access,
        {
          action: 'api-key.rotated',
          target: targetOf(replaced),
          before: limitsOf(replaced),
          after: { ...limitsOf(ending), replaced_by: ending.replaced_by },
        },
        now,
      ),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    throw new ServiceError('conflict', 'The API key is being changed: try again');
  }
  return { ...toCreated(issued), replaced: toResource(ending) };
}

type KeyLimits = Pick<ApiKey, 'name' | 'expires_at' | 'scopes' | 'allowed_addresses'>;

function issue(
  { caller, project }: ProjectAccess,
  { name, expires_at, scopes, allowed_addresses }: KeyLimits,
  now: Date,
): IssuedApiKey {
  const end = expires_at === null ? null : new Date(expires_at);
  if (end !== null && end <= now) {
    throw invalidField('expires_at', 'expires_at must be in the future');
  }
  return issueApiKey(
    project,
    {
      name,
      expiresAt: end?.toISOString() ?? null,
      createdBy: caller.person.email,
      scopes,
      allowedAddresses: allowed_addresses,
    },
    now,
  );
}

/** Throws the same `not_found` for another project's key as for an unknown one. */
async function keyOf(table: Table, { project }: ProjectAccess, apiKeyId: string): Promise<ApiKey> {
  const apiKey = await findApiKey(table, project.id, apiKeyId);
  if (apiKey === null) throw new ServiceError('not_found', 'API key not found');
  return apiKey;
}

function toCreated({ key, apiKey }: IssuedApiKey): CreatedApiKey {
  return { ...toResource(apiKey), key };
}

function toResource({ key_hash: _, project_id: __, ...resource }: ApiKey): ApiKeyResource {
  return resource;
}

function targetOf({ id }: ApiKey): { type: 'api-key'; id: string } {
  return { type: 'api-key', id };
}

/** A key as audit entries describe it. */
function limitsOf({ name, expires_at, scopes, allowed_addresses }: ApiKey): KeyLimits {
  return { name, expires_at, scopes, allowed_addresses };
}
