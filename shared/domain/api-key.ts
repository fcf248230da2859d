import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/** What is stored of an API key: never the key itself, only its SHA-256 (in the table key) and a few safe facts. */
export const ApiKey = z.object({
  key_hash: z.string(),
  project_id: Uuid,
  /** First characters of the key, enough to recognise it in a list. */
  prefix: z.string(),
  name: z.string(),
  created_at: Timestamp,
  expires_at: z.nullable(Timestamp),
  revoked_at: z.nullable(Timestamp),
});
export type ApiKey = z.infer<typeof ApiKey>;
