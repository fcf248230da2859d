import { createHash } from 'node:crypto';
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

/** A body that is no JSON stands for itself; there is no such one where the body matters. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Hashes a JSON value with the members of its objects in order. Walks with a list: the sender chooses the depth. */
function canonicalHash(root: unknown): string {
  const hash = createHash('sha256');
  const pending: (string | { readonly value: unknown })[] = [{ value: root }];
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    if (typeof step === 'string') hash.update(step);
    else if (Array.isArray(step.value)) {
      pending.push(']');
      for (const element of step.value.toReversed()) pending.push(',', { value: element });
      hash.update('[');
    } else if (typeof step.value === 'object' && step.value !== null) {
      const members = Object.entries(step.value).sort(([a], [b]) => (a < b ? 1 : -1));
      pending.push('}');
      for (const [name, value] of members) pending.push(',', { value }, `${JSON.stringify(name)}:`);
      hash.update('{');
    } else hash.update(JSON.stringify(step.value));
  }
  return hash.digest('hex');
}
