import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { maxJsonDepth } from '#shared/http/clean-json.ts';
import { readBody, readChanges } from '#shared/http/json-body.ts';

const request = (value: unknown) => ({ body: Buffer.from(JSON.stringify(value)) });

const Changes = z.object({
  kept: z.optional(z.string()),
  cleared: z.optional(z.nullable(z.string())),
  nested: z.optional(z.object({ cleared: z.optional(z.nullable(z.int())) })),
});

describe('a body of changes', () => {
  test('distinguishes null, which clears, from absent, which keeps', () => {
    expect(readChanges(request({ cleared: null, nested: { cleared: null } }), Changes)).toEqual({
      cleared: null,
      nested: { cleared: null },
    });
    expect(readChanges(request({}), Changes)).toEqual({});
  });

  test('cannot clear a required member', () => {
    expect(() => readChanges(request({ kept: null }), Changes)).toThrow('kept must be a string');
  });

  test('clears by empty text too what cannot be empty text', () => {
    expect(readChanges(request({ cleared: '', nested: { cleared: '' } }), Changes)).toEqual({
      cleared: '',
      nested: { cleared: null },
    });
    const Email = z.string().check(z.email());
    const Contact = z.object({ email: z.optional(z.nullable(Email)), sender: z.optional(Email) });
    expect(readChanges(request({ email: '' }), Contact)).toEqual({ email: null });
    expect(() => readChanges(request({ sender: '' }), Contact)).toThrow('sender');
  });

  test('never changes prototypes', () => {
    const body = Buffer.from('{"__proto__":{"polluted":true},"constructor":{"polluted":true},"kept":"x"}');
    const changes = readChanges({ body }, z.looseObject({}));
    expect(Object.keys(changes)).toEqual(['kept']);
    expect('polluted' in changes).toBe(false);
  });
});

test('in any other body null counts as absent', () => {
  expect(readBody(request({ kept: null, cleared: null }), Changes)).toEqual({});
});

test('a member with a default may be absent, others may not', () => {
  const Body = z.object({ name: z.string(), carrier: z._default(z.string(), 'sandbox') });
  expect(readBody(request({ name: 'x' }), Body)).toEqual({ name: 'x', carrier: 'sandbox' });
  expect(() => readBody(request({ carrier: 'live' }), Body)).toThrow('Missing required fields');
});

test('a body may be nested up to the limit, and no deeper', () => {
  const nested = (levels: number) => ({
    body: Buffer.from(`${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`),
  });
  expect(readBody(nested(maxJsonDepth), z.looseObject({}))).toHaveProperty('a');
  expect(() => readBody(nested(maxJsonDepth + 1), z.looseObject({}))).toThrow('nested deeper than 64 levels');
});

describe('half of a surrogate pair, which cannot be stored', () => {
  const Body = z.object({
    name: z.string(),
    list: z.optional(z.array(z.object({ text: z.string() }))),
    metadata: z.optional(z.record(z.string(), z.string())),
    free: z.optional(z.looseObject({})),
    email: z.optional(z.email()),
  });
  const rule = 'must be valid Unicode, without half of a surrogate pair';

  test.each([
    [{ name: 'a\ud800' }, 'name', `name ${rule}`],
    [{ name: 'a', list: [{ text: 'a' }, { text: '\udc00b' }] }, 'list[1].text', `list[1].text ${rule}`],
    [{ name: 'a', email: '\ud800' }, 'email', `email ${rule}`],
    [{ name: 'a', metadata: { private: '\udc00' } }, 'metadata', `metadata has a value that ${rule}`],
    [{ name: 'a', free: { private: [{ '\ud800': 1 }] } }, 'free', `free has a value that ${rule}`],
  ])('is refused in %j, naming no key of the client', (body, path, message) => {
    for (const read of [readBody, readChanges]) {
      expect(() => read(request(body), Body)).toThrow(
        expect.objectContaining({ detail: message, fields: [{ path, code: 'invalid', message }] }),
      );
    }
  });

  test('is no whole pair, nor the replacement character', () => {
    const body = { name: '👩🏽‍⚕️ \ufffd' };
    const text = JSON.stringify(body).replace('\ufffd', '\\ufffd');
    expect(readBody({ body: Buffer.from(text) }, Body)).toEqual(body);
  });
});

test.each([
  ['objects without a required member', {}, 'Missing required fields'],
  ['wrong values', 1, 'list[0] must be an object'],
  ['valid values', { name: 'x' }, 'list must have at most 1000 entries'],
])('a list of very many %s is refused', (_, entry, detail) => {
  const Body = z.object({ list: z.array(z.object({ name: z.string() })) });
  const list = Array.from({ length: 1001 }, () => entry);
  expect(() => readBody(request({ list }), Body)).toThrow(detail);
  const most = Array.from({ length: 120_000 / JSON.stringify(entry).length }, () => entry);
  expect(() => readBody(request({ list: most }), Body)).toThrow(detail);
  expect(
    readBody(request({ list: Array.from({ length: 1000 }, () => ({ name: 'x' })) }), Body).list,
  ).toHaveLength(1000);
});
