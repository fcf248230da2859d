import * as z from 'zod/mini';
import type { AuditAction } from '#shared/audit/access-entry.ts';
import type { CarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import { type ApiKey, isUsableApiKey } from '#shared/domain/api-key.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { boundedHours, mostAttempts } from '#shared/domain/live-bounds.ts';
import { LiveGrant, SharedLineClock, usualGrant } from '#shared/domain/live-grant.ts';
import { Project } from '#shared/domain/project.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import { versionAfter } from '#shared/domain/version-after.ts';
import { CountryCodes, TimeZone, wholeNumber } from '#shared/projects/setting-values.ts';
import { readAllApiKeys, revokeApiKeyItem } from '#shared/table/api-key.ts';
import type { Table } from '#shared/table/client.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';

/** The most that an operator may grant. */
export const grantLimits = { concurrentCalls: 1000, callsPerDay: 100_000, minutesPerDay: 100_000 } as const;

/** Requested grant: members left out stay as they are, or get the defaults in a first grant. */
export const GrantInput = z.object({
  caller_number: PhoneNumber,
  countries: z.optional(CountryCodes),
  max_concurrent_calls: z.optional(wholeNumber(1, grantLimits.concurrentCalls)),
  calls_per_day: z.optional(wholeNumber(1, grantLimits.callsPerDay)),
  minutes_per_day: z.optional(wholeNumber(1, grantLimits.minutesPerDay)),
  time_zone: z.optional(TimeZone),
  shared_lines: z.optional(SharedLineClock),
});
export type GrantInput = z.infer<typeof GrantInput>;

/** The response to granting or withdrawing. */
export const LiveGrantResource = z.object({ project_id: Uuid, live_grant: Project.shape.live_grant });

export interface GrantServices {
  readonly table: Table;
  /** The live carrier; null when the service has no credentials for it. */
  readonly carrier: Pick<CarrierClient, 'ownsNumber'> | null;
  /** Makes the audit entry. */
  readonly audit: (projectId: string, action: AuditAction, now: Date) => TransactionItem;
}

/** Allows for clock skew: a task created before the grant by any machine's clock belongs to the sandbox. */
const clockToleranceMs = 5_000;

/**
 * Lets a project make real calls with a caller number that the carrier confirms, or changes its limits. A sandbox
 * project goes live: its tasks stay behind uncalled, its test API keys are revoked, and its settings are reduced to
 * the bounds of live projects. Throws `not_found`, `invalid_request` for a number that the account does not have, and
 * `conflict` when the carrier cannot be asked.
 */
export async function grantLive(
  services: GrantServices,
  projectId: string,
  input: GrantInput,
  now: () => Date = () => new Date(),
): Promise<Project> {
  // An unknown project is reported first, whatever the carrier says.
  await readProject(services.table, projectId);
  await confirmNumber(services.carrier, input.caller_number);
  return retryOnConflict(async () => {
    const project = await readProject(services.table, projectId);
    const at = versionAfter(project, now());
    const next = liveProject(project, input, at);
    const keys = project.carrier === 'sandbox' ? await usableKeys(services.table, project, at) : [];
    await writeTransaction(services.table, [
      replaceProjectItem(services.table, project, next),
      ...keys.map((key) => revokeApiKeyItem(services.table, key, at.toISOString())),
      services.audit(
        project.id,
        {
          action: 'live.granted',
          target: { type: 'project', id: project.id },
          before: { carrier: project.carrier, live_grant: project.live_grant },
          after: {
            carrier: next.carrier,
            live_grant: next.live_grant,
            revoked_keys: keys.map(({ id }) => id),
          },
        },
        at,
      ),
    ]);
    return next;
  });
}

/** Withdraws a project's grant: no more calls are dialed. Throws `not_found`, and `conflict` without a grant. */
export function withdrawLive(
  { table, audit }: Omit<GrantServices, 'carrier'>,
  projectId: string,
): Promise<Project> {
  return retryOnConflict(async () => {
    const project = await readProject(table, projectId);
    const { live_grant } = project;
    if (live_grant === null) throw new ServiceError('conflict', 'The project has no grant to withdraw');
    if (live_grant.withdrawn_at !== null) return project;
    const at = versionAfter(project, new Date());
    const next: Project = {
      ...project,
      live_grant: { ...live_grant, withdrawn_at: at.toISOString() },
      updated_at: at.toISOString(),
    };
    await writeTransaction(table, [
      replaceProjectItem(table, project, next),
      audit(project.id, { action: 'live.withdrawn', target: { type: 'project', id: project.id } }, at),
    ]);
    return next;
  });
}

async function confirmNumber(carrier: GrantServices['carrier'], phoneNumber: string): Promise<void> {
  if (carrier === null) {
    throw new ServiceError('conflict', 'The service has no credentials for the live carrier');
  }
  let isOurs: boolean;
  try {
    isOurs = await carrier.ownsNumber(phoneNumber);
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    throw new ServiceError(
      'conflict',
      `The carrier did not confirm whether the account has the number (${error.kind})`,
    );
  }
  if (!isOurs) {
    throw new ServiceError(
      'invalid_request',
      'caller_number must be a number of the carrier account, bought for calls or verified as a caller ID',
    );
  }
}

async function readProject(table: Table, projectId: string): Promise<Project> {
  const project = await getProject(table, projectId, { consistently: true });
  if (project === null) throw new ServiceError('not_found', 'Project not found');
  return project;
}

function liveProject(project: Project, input: GrantInput, at: Date): Project {
  const { live_grant: before } = project;
  const grant = LiveGrant.parse({
    ...usualGrant,
    since: sinceOf(project, at),
    ...before,
    ...given(input),
    granted_at: at.toISOString(),
    withdrawn_at: null,
  });
  const live: Project = {
    ...project,
    carrier: 'live',
    caller_number: grant.caller_number,
    live_grant: grant,
    updated_at: at.toISOString(),
  };
  return {
    ...live,
    calling_hours: boundedHours(live),
    max_concurrent_calls: Math.min(live.max_concurrent_calls, grant.max_concurrent_calls),
    redial_policy: {
      ...live.redial_policy,
      max_attempts: Math.min(live.redial_policy.max_attempts, mostAttempts),
    },
    allowed_countries: withinGrant(live.allowed_countries, grant),
  };
}

/** Drops absent members, which would otherwise overwrite stored ones with undefined. */
function given(input: GrantInput): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** A project that was live before grants existed leaves no tasks behind. */
function sinceOf({ carrier, created_at }: Project, at: Date): string {
  return carrier === 'live' ? created_at : timestampAfter(at, clockToleranceMs);
}

function withinGrant(countries: string[] | null, grant: LiveGrant): string[] | null {
  const both = grant.countries.filter((country) => countries?.includes(country));
  return countries === null || both.length === 0 ? null : both;
}

/** The room that the project and the audit entry leave in one transaction. */
const mostKeys = 90;

async function usableKeys(table: Table, { id }: Project, at: Date): Promise<ApiKey[]> {
  const usable = (await readAllApiKeys(table, id)).filter((key) => isUsableApiKey(key, at.getTime()));
  if (usable.length > mostKeys) {
    throw new ServiceError('conflict', 'The project has too many API keys to revoke: revoke some first');
  }
  return usable;
}
