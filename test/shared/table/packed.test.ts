import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { nullsOf, withoutNulls } from '#shared/table/null-members.ts';
import { pack, unpack } from '#shared/table/packed.ts';

const value = { record: { answers: [{ quote: 'It’s active.', turn: 3 }] }, memory: null };

test('a packed value is restored unchanged, and is smaller if repetitive', () => {
  expect(unpack(pack(value))).toEqual(value);
  const turns = Array.from({ length: 20 }, () => value);
  expect(pack(turns).byteLength).toBeLessThan(JSON.stringify(turns).length / 5);
});

test('an unpacked value of an earlier version is read unchanged', () => {
  expect(unpack(value)).toEqual(value);
  expect(unpack(undefined)).toBeUndefined();
});

test('null members are omitted, and restored if nullable', () => {
  const Item = z.object({
    id: z.string(),
    ended_at: z.nullable(z.string()),
    reason: z._default(z.nullable(z.string()), 'none'),
  });
  const item = { id: 'a', ended_at: null, reason: null };
  expect(withoutNulls(item)).toEqual({ id: 'a' });
  expect(Item.parse({ ...nullsOf(Item), ...withoutNulls(item) })).toEqual(item);
});
