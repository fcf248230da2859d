import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Defaults, PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { crossCheckAll } from '#shared/sandbox-phone/personas/cross-check.ts';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import { errands, runErrand } from '../person/scripted-caller.ts';
import { cast } from '../person/some-person.ts';

const readme = readFileSync('shared/sandbox-phone/personas/README.md', 'utf8');
const examples = [...readme.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) =>
  PersonaFile.parse(JSON.parse(text)),
);

/** Every member that a schema has, at any depth. */
function membersOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...Object.values(schema).flatMap(membersOf)];
}

describe('the persona README', () => {
  test.each([
    ['a person', PersonaFile],
    ['manners', Defaults],
  ])('names every member of %s', (_, schema) => {
    const members = new Set(membersOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
    expect(members.size).toBeGreaterThan(30);
    expect(
      [...members].filter((name) => !readme.includes(`\`${name}\``) && !readme.includes(`"${name}"`)),
    ).toEqual([]);
  });

  test('has consistent examples', () => {
    expect(examples).toHaveLength(2);
    expect(crossCheckAll(examples, bundledDirectory())).toEqual([]);
  });

  test.each(examples)('has examples that can be called: $id', (file) => {
    for (const seed of ['a', 'b', 'c', 'd']) {
      const { state, hungUp, transcript } = runErrand(cast(file, { seed }), errands.appointment);
      expect(state.booking, transcript.join('\n')).not.toBeNull();
      expect(state.told).toContain('confirmation');
      expect(hungUp).toBe(true);
    }
  });
});
