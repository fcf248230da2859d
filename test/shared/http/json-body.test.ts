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
  test('keeps null, which clears, apart from what is absent, which stays', () => {
    expect(readChanges(request({ cleared: null, nested: { cleared: null } }), Changes)).toEqual({
      cleared: null,
      nested: { cleared: null },
    });
    expect(readChanges(request({}), Changes)).toEqual({});
  });

  test('cannot clear what must be there', () => {
    expect(() => readChanges(request({ kept: null }), Changes)).toThrow('kept must be a string');
  });

  test('never changes what objects are made of', () => {
    const body = Buffer.from('{"__proto__":{"polluted":true},"constructor":{"polluted":true},"kept":"x"}');
    const changes = readChanges({ body }, z.looseObject({}));
    expect(Object.keys(changes)).toEqual(['kept']);
    expect('polluted' in changes).toBe(false);
  });
});

test('in any other body null means that nothing was given', () => {
  expect(readBody(request({ kept: null, cleared: null }), Changes)).toEqual({});
});

test('a member with a default may be left out, one without may not', () => {
  const Body = z.object({ name: z.string(), carrier: z._default(z.string(), 'sandbox') });
  expect(readBody(request({ name: 'x' }), Body)).toEqual({ name: 'x', carrier: 'sandbox' });
  expect(() => readBody(request({ carrier: 'live' }), Body)).toThrow('Missing required fields');
});

test('a body may be nested as deep as the door allows, and no deeper', () => {
  const nested = (levels: number) => ({
    body: Buffer.from(`${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`),
  });
  expect(readBody(nested(maxJsonDepth), z.looseObject({}))).toHaveProperty('a');
  expect(() => readBody(nested(maxJsonDepth + 1), z.looseObject({}))).toThrow('nested deeper than 64 levels');
});
