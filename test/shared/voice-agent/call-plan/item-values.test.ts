import { expect, test } from 'vitest';
import { entityTypes, expectedTypes } from '#shared/voice-agent/call-plan/item-values.ts';

test('an item that is answered by values makes us listen for them', () => {
  const kinds = Object.keys(entityTypes) as (keyof typeof entityTypes)[];
  for (const kind of kinds)
    expect(
      expectedTypes(kind).filter((type) => entityTypes[kind]?.includes(type)),
      kind,
    ).not.toEqual([]);
});

test('a name that was asked for may be a person or a place', () => {
  expect(expectedTypes('name')).toEqual(expect.arrayContaining(['name', 'provider']));
});
