import { describe, expect, test } from 'vitest';
import { requestHash } from '#shared/idempotency/request-hash.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';

function hashOf(body: string, changes: Partial<Parameters<typeof requestHash>[0]> = {}): string {
  return requestHash({
    method: 'POST',
    resource: '/v1/task/{task_id}/cancel',
    pathParameters: { task_id: id },
    body: Buffer.from(body),
    ...changes,
  });
}

describe('the hash of a request', () => {
  test.each([
    ['spaces', '{"a":1,"b":[1,2]}', ' { "a" : 1,\n "b" : [ 1, 2 ] } '],
    ['the order of members', '{"a":{"c":1,"d":2},"b":"x"}', '{"b":"x","a":{"d":2,"c":1}}'],
    ['how a number is written', '{"a":1.0}', '{"a":1}'],
    ['how a letter is written', '{"a":"\\u00e9"}', '{"a":"é"}'],
  ])('does not depend on %s', (_, one, other) => {
    expect(hashOf(one)).toBe(hashOf(other));
  });

  test('ignores the case of an ID in the path', () => {
    expect(hashOf('', { pathParameters: { task_id: id.toUpperCase() } })).toBe(hashOf(''));
  });

  test('differs for every different request', () => {
    const bodies = [
      '',
      '{}',
      '[]',
      'null',
      '{"a":1}',
      '{"a":"1"}',
      '{"a":null}',
      '{"a":[1]}',
      '{"a":{}}',
      '{"a":[]}',
      '{"a":[1,2]}',
      '{"a":[2,1]}',
      '{"a":[[1],2]}',
      '{"a":1,"b":2}',
      '{"a":{"b":2}}',
      '{"__proto__":1}',
      '{"broken',
    ];
    const hashes = [
      ...bodies.map((body) => hashOf(body)),
      hashOf('', { method: 'PUT' }),
      hashOf('', { resource: '/v1/task' }),
      hashOf('', { pathParameters: { task_id: '01890a5d-ac96-774b-bcce-b302099a8058' } }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('exists for a body of any depth', () => {
    const nested = `{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
    expect(hashOf(nested)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(nested)).not.toBe(hashOf('{"a":[]}'));
  });
});
