import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The keys that seal a project's data; kept in memory only. */
export interface ProjectKey {
  readonly projectId: string;
  /** AES-256. */
  readonly sealing: KeyObject;
  /** HMAC-SHA-256, for what is looked up by its value. */
  readonly searching: KeyObject;
  /** The project's key in KMS, which also encrypts its objects in S3. */
  readonly kmsKeyArn: string;
}

/** A project's key; null without one. Throws KMS's error when the key is disabled or pending deletion. */
export type FindProjectKey = (projectId: string) => Promise<ProjectKey | null>;

/** A project's key is gone, and with it everything it sealed. */
export class KeyGone extends Error {
  constructor() {
    super('the key of a sealed item is gone');
    this.name = 'KeyGone';
  }
}

/** KMS's errors for a key that is disabled, pending deletion or deleted. */
const goneNames: ReadonlySet<string> = new Set([
  'DisabledException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

export function isKeyGone(error: unknown): boolean {
  return error instanceof KeyGone || (error instanceof Error && goneNames.has(error.name));
}

/** How long a deleted key may stay in use. */
const rememberedMs = 5 * 60 * 1000;
/** A migration may give a key to a project without one at any moment. */
export const absenceRememberedMs = 2 * 1000;
/** The most projects cached; the one loaded longest ago leaves first. */
const capacity = 1000;

/** A request of an invocation that ended early may hang for as long as its environment is frozen. */
const sharedWhileAskedMs = 5 * 1000;

interface Remembered {
  readonly key: Promise<ProjectKey | null>;
  untilMs: number;
}

/** Caches each key for five minutes and shares concurrent requests. Failures are not cached. */
export function rememberedProjectKeys(find: FindProjectKey): FindProjectKey {
  const remembered = new Map<string, Remembered>();
  return (projectId) => {
    const nowMs = Date.now();
    const known = remembered.get(projectId);
    if (known !== undefined && nowMs < known.untilMs) return known.key;
    const asked: Remembered = { key: find(projectId), untilMs: nowMs + sharedWhileAskedMs };
    remembered.delete(projectId);
    remembered.set(projectId, asked);
    asked.key.then(
      (key) => {
        asked.untilMs = nowMs + (key === null ? absenceRememberedMs : rememberedMs);
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

/** Keys derived from a data key, one per purpose. */
export function projectKeyOf(projectId: string, dataKey: Uint8Array, kmsKeyArn: string): ProjectKey {
  const derive = (purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, projectId, purpose, 32)));
  return { projectId, sealing: derive('sealing'), searching: derive('searching'), kmsKeyArn };
}

/** A hash that reveals nothing of the text without the key; plain in a project without one. */
export function keyedHash(key: ProjectKey | null, purpose: string, text: string): string {
  const hash =
    key === null ? createHash('sha256') : createHmac('sha256', key.searching).update(`${purpose}\0`);
  return hash.update(text).digest('base64url');
}

/** A nonce derived from the text, which reveals nothing of it without the key. */
export function nonceFor({ searching }: ProjectKey, label: string, text: Uint8Array, bytes: number): Buffer {
  return createHmac('sha256', searching).update(label).update('\0').update(text).digest().subarray(0, bytes);
}
