import { EncryptJWT, errors, jwtDecrypt } from 'jose';

/** Seals a cookie's content: its holder can neither read nor change it. */
export interface TokenSealer {
  /** @param purpose a token opens only for the same purpose */
  seal(purpose: string, content: object, lifetimeSeconds: number): Promise<string>;
  /** The sealed content; null for a token that is expired, altered, for another purpose or malformed. */
  open(purpose: string, token: string): Promise<unknown>;
}

const algorithm = 'dir';
const encryption = 'A256GCM';

/** @param key 256 bits */
export function tokenSealer(key: () => Promise<Uint8Array>, now: () => number = Date.now): TokenSealer {
  return {
    async seal(purpose, content, lifetimeSeconds) {
      const issuedAtSeconds = Math.floor(now() / 1000);
      return new EncryptJWT({ content })
        .setProtectedHeader({ alg: algorithm, enc: encryption })
        .setAudience(purpose)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(issuedAtSeconds + lifetimeSeconds)
        .encrypt(await key());
    },
    async open(purpose, token) {
      try {
        const { payload } = await jwtDecrypt(token, await key(), {
          audience: purpose,
          keyManagementAlgorithms: [algorithm],
          contentEncryptionAlgorithms: [encryption],
          requiredClaims: ['exp'],
          currentDate: new Date(now()),
        });
        return payload.content ?? null;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
