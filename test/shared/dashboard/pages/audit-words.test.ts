import { describe, expect, test } from 'vitest';
import { memberText, memberValueText } from '#shared/dashboard/pages/audit-words.ts';
import { ProjectSettings } from '#shared/projects/project-settings.ts';
import { sampleProject } from '../../../support/sample-tasks.ts';

/** The path of every value, as the audit log labels it. */
function pathsOf(values: object, prefix = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? pathsOf(value, `${prefix}${name}.`)
      : [`${prefix}${name}`],
  );
}

describe('a member in the audit log', () => {
  test('is named as in the forms, with a readable value', () => {
    expect(memberText('redial_policy.delays_seconds')).toBe('Retry delays');
    expect(memberValueText('redial_policy.delays_seconds', [300, 5400])).toBe('5 min, 1 h 30 min');
    expect(memberValueText('redial_policy.redialled_results', ['NO_ANSWER'])).toBe('No answer');
    expect(memberValueText('calling_hours.days', [1, 5])).toBe('Monday, Friday');
    expect(memberValueText('agent.on_behalf_of', 'provider')).toBe("The provider's office");
    expect(memberValueText('agent.language_model', 'default')).toBe('Default');
    expect(memberValueText('call_policy.voicemail', 'hang-up')).toBe('No message; the agent hangs up');
    expect(memberValueText('payload', 'full')).toBe('The whole task');
    expect(memberValueText('legal_hold', true)).toBe('yes');
    expect(memberValueText('task_retention_days', null)).toBe('forever');
    expect(memberValueText('scopes', null)).toBe('none');
    expect(memberText('task_ids')).toBe('Task IDs');
  });

  test('of the settings never shows its API name', () => {
    const settings = ProjectSettings.parse(sampleProject());
    const names = pathsOf(settings).map(memberText);
    expect(names.length).toBeGreaterThan(30);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Z][^_.]*$/);
    expect(names.filter((name) => / policy | seconds/.test(name))).toEqual([]);
  });
});
