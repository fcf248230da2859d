import { createHash } from 'node:crypto';
import { isJsonObject, isTooDeep } from '#shared/http/clean-json.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

/**
 * SHA-256 of a request: method, route, IDs in its path, and body. Bodies that are equal as JSON hash alike, regardless
 * of format and member order.
 */
export function requestHash({
  method,
  resource,
  pathParameters,
  body,
}: Pick<RawRequest, 'method' | 'resource' | 'pathParameters' | 'body'>): string {
  const identifiers = Object.entries(pathParameters).map(([name, id]) => [name, id.toLowerCase()]);
  return canonicalHash([method, resource, Object.fromEntries(identifiers), parsed(body.toString('utf8'))]);
}

/** The hash of a request within another one, from its JSON body, whose nesting has been checked. */
export function hashOfCreation(resource: string, body: unknown): string {
  return canonicalHash(['POST', resource, {}, body]);
}

/** A body that is not JSON, or nested too deep, hashes as text; none of those matters. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? text : value;
  } catch {
    return text;
  }
}

/** Hashes are compared with those of a day ago, so the hashed text must never change, down to each trailing comma. */
function canonicalHash(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** A JSON value as text with sorted object members; leaves out undefined ones. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((element) => `${canonical(element)},`).join('')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)},`).join('')}}`;
}
