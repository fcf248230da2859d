import { expect, test } from 'vitest';
import { changeSettings, newProjectSettings } from '#shared/projects/project-settings.ts';

test('a project whose name was accepted before names were checked can change its other settings', () => {
  const stored = { ...newProjectSettings({ name: 'Riverside' }), name: ' ' };
  expect(changeSettings(stored, { legal_hold: true })).toEqual({ ...stored, legal_hold: true });
});

test('a new project needs a name that people can read', () => {
  expect(() => newProjectSettings({ name: ' ' })).toThrow('The name must not be blank');
});
