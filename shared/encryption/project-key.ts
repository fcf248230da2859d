import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** What a project's data is sealed with, in memory only. */
export interface ProjectKey {
  readonly projectId: string;
  /** AES-256. */
  readonly sealing: KeyObject;
  /** HMAC-SHA-256, for what must be found again by its value. */
  readonly searching: KeyObject;
  /** The project's key in KMS, which also encrypts its objects in S3. */
  readonly kmsKeyArn: string;
}

/** A project's key; null when it has none. Throws what KMS answers when the key is disabled or about to be deleted. */
export type FindProjectKey = (projectId: string) => Promise<ProjectKey | null>;

/** The key of a project is gone, and with it all that it has sealed. */
export class KeyGone extends Error {
  constructor() {
    super('the key of a sealed item is gone');
    this.name = 'KeyGone';
  }
}

/** What KMS answers about a key that is disabled, about to be deleted, or deleted. */
const goneNames: ReadonlySet<string> = new Set([
  'DisabledException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

export function isKeyGone(error: unknown): boolean {
  return error instanceof KeyGone || (error instanceof Error && goneNames.has(error.name));
}

/** As long as deleting a key takes to reach everyone who has used it. */
const rememberedMs = 5 * 60 * 1000;
/** A project gets its key once, in the migration to this version: what has none is soon asked for again. */
export const absenceRememberedMs = 2 * 1000;
/** Projects at a time; the one asked for longest ago leaves first. */
const capacity = 1000;

interface Remembered {
  readonly key: Promise<ProjectKey | null>;
  untilMs: number;
}

/** Asks for each key at most once in five minutes, however many need it at a time. What failed is tried anew. */
export function rememberedProjectKeys(find: FindProjectKey): FindProjectKey {
  const remembered = new Map<string, Remembered>();
  return (projectId) => {
    const nowMs = Date.now();
    const known = remembered.get(projectId);
    if (known !== undefined && nowMs < known.untilMs) return known.key;
    const asked: Remembered = { key: find(projectId), untilMs: nowMs + rememberedMs };
    remembered.delete(projectId);
    remembered.set(projectId, asked);
    asked.key.then(
      (key) => {
        if (key === null) asked.untilMs = nowMs + absenceRememberedMs;
      },
      () => {
        if (remembered.get(projectId) === asked) remembered.delete(projectId);
      },
    );
    const [oldest] = remembered.keys();
    if (remembered.size > capacity && oldest !== undefined) remembered.delete(oldest);
    return asked.key;
  };
}

/** The keys that follow from a data key: one purpose each. */
export function projectKeyOf(projectId: string, dataKey: Uint8Array, kmsKeyArn: string): ProjectKey {
  const derive = (purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, projectId, purpose, 32)));
  return { projectId, sealing: derive('sealing'), searching: derive('searching'), kmsKeyArn };
}

/** A nonce that is the same for the same text, and says nothing of it without the key. */
export function nonceFor({ searching }: ProjectKey, label: string, text: Uint8Array, bytes: number): Buffer {
  return createHmac('sha256', searching).update(label).update('\0').update(text).digest().subarray(0, bytes);
}
