import type { RawRequest } from '#shared/triggers/http.ts';

/**
 * The token of a request's `Authorization` header, or null. The scheme's name is case-insensitive and may be followed
 * by any number of spaces (RFC 9110 §11.4).
 */
export function bearerToken({ headers }: Pick<RawRequest, 'headers'>): string | null {
  return /^bearer +(\S+)$/i.exec((headers.authorization ?? '').trim())?.[1] ?? null;
}
