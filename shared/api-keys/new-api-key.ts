import type { ApiKey } from '#shared/domain/api-key.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Project } from '#shared/domain/project.ts';
import { apiKeyPrefix, generateApiKey, hashApiKey } from './key-format.ts';

/** A new key, and its stored form. */
export interface IssuedApiKey {
  /** The whole key, shown once and stored nowhere. */
  readonly key: string;
  readonly apiKey: ApiKey;
}

/** The options of a key. */
export interface ApiKeyOptions {
  readonly name: string;
  /** ISO 8601; null when it never expires. */
  readonly expiresAt: string | null;
  /** Email address of its creator; null for a command. */
  readonly createdBy: string | null;
  /** Null or absent for all. */
  readonly scopes?: ApiKey['scopes'];
  readonly allowedAddresses?: ApiKey['allowed_addresses'];
}

/** Makes a key of the project, without storing it. */
export function issueApiKey(
  project: Pick<Project, 'id' | 'carrier'>,
  { name, expiresAt, createdBy, scopes = null, allowedAddresses = null }: ApiKeyOptions,
  now: Date,
): IssuedApiKey {
  const key = generateApiKey(project.carrier);
  return {
    key,
    apiKey: {
      id: uuidv7(now.getTime()),
      key_hash: hashApiKey(key),
      project_id: project.id,
      prefix: apiKeyPrefix(key),
      name,
      created_at: now.toISOString(),
      created_by: createdBy,
      expires_at: expiresAt,
      revoked_at: null,
      replaced_by: null,
      scopes,
      allowed_addresses: allowedAddresses,
      last_used_at: null,
    },
  };
}
