import { createHash } from 'node:crypto';
import { isJsonObject, isTooDeep } from '#shared/http/clean-json.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

/**
 * SHA-256 of what a request asks for: its method, its route, the identifiers in its path and its body. Bodies that are
 * equal as JSON are equal, however they are written and whatever the order of their members.
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

/** A body that is no JSON, or nested too deep, stands for itself; there is no such one where the body matters. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? text : value;
  } catch {
    return text;
  }
}

/** Hashes are compared with those of a day ago, so what is hashed must stay as it is, each last comma included. */
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
