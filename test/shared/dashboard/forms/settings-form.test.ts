import { describe, expect, test } from 'vitest';
import { fieldErrors } from '#shared/dashboard/forms/form-values.ts';
import {
  readSettingsForm,
  type SettingsForm,
  settingsFieldOf,
  settingsProblems,
  toSettings,
  toSettingsForm,
} from '#shared/dashboard/forms/settings-form.ts';
import { newProjectSettings, ProjectSettings } from '#shared/projects/project-settings.ts';

const usual = newProjectSettings({ name: 'Riverside', caller_number: '+12025550142' });

/** As a browser sends it: without unchecked boxes. */
function sent(form: SettingsForm): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    for (const one of Array.isArray(value) ? value : [value]) data.append(name, String(one));
  }
  return data;
}

describe('the form of the settings', () => {
  test.each([
    ['the usual ones', usual],
    [
      'odd ones',
      {
        ...usual,
        redial_policy: { max_attempts: 1, delays_seconds: [], redialled_results: [] },
        call_policy: {
          voicemail: 'hang-up',
          callback_number: '+12025550143',
          max_hold_seconds: 90,
          shared_line_max_hold_seconds: 1800,
          max_call_seconds: 5400,
        } as const,
        calling_hours: { opens: '09:30', closes: '24:00', days: [1, 3], on_holidays: true },
        recording_retention_days: 30,
        task_retention_days: 365,
        patient_retention_days: 730,
        legal_hold: true,
        agent: {
          agent_name: 'Sam',
          organization_name: 'Example Care, Inc.',
          on_behalf_of: 'provider' as const,
          callback_number: '+12025550144',
          npi: '1234567893',
          tax_id: '12-3456789',
          disclosure: { allow: ['email', 'patient.address'], deny: ['member-id'] },
          language_model: 'built-in' as const,
          voice: 'Matthew-Neural',
          language: 'en-GB',
          speech_hints: ['Dr. Okafor', 'Lipitor'],
        },
      },
    ],
  ])('reproduces the same settings if unchanged: %s', (_, settings) => {
    const form = readSettingsForm(sent(toSettingsForm(settings)));
    expect(ProjectSettings.parse(toSettings(form))).toEqual(settings);
  });

  test('shows times of day in US format', () => {
    const shown = (opens: string, closes: string) => {
      const form = toSettingsForm({ ...usual, calling_hours: { ...usual.calling_hours, opens, closes } });
      return [form.opens, form.closes];
    };
    expect(shown('09:00', '17:30')).toEqual(['9:00 AM', '5:30 PM']);
    expect(shown('00:15', '12:00')).toEqual(['12:15 AM', '12:00 PM']);
    expect(shown('00:00', '24:00')).toEqual(['12:00 AM', '24:00']);
  });

  test.each([
    ['9', '5 pm', '09:00', '17:00'],
    ['9:00', '17:30', '09:00', '17:30'],
    ['9:00 AM', '12:15 p.m.', '09:00', '12:15'],
    ['12 am', '24:00', '00:00', '24:00'],
  ])('accepts times in usual formats: %s to %s', (opens, closes, first, last) => {
    expect(ProjectSettings.parse(toSettings({ ...toSettingsForm(usual), opens, closes }))).toMatchObject({
      calling_hours: { opens: first, closes: last },
    });
  });

  test('completes numbers with the country in the same form', () => {
    const written = { caller_number: '020 7946 0018', default_country: 'GB' };
    expect(ProjectSettings.parse(toSettings({ ...toSettingsForm(usual), ...written }))).toMatchObject({
      caller_number: '+442079460018',
      default_country: 'GB',
    });
  });

  test('accepts phone numbers in usual formats', () => {
    const written = { caller_number: '+1 (202) 555-0142', callback_number: '202-555-0143' };
    expect(ProjectSettings.parse(toSettings({ ...toSettingsForm(usual), ...written }))).toMatchObject({
      caller_number: '+12025550142',
      call_policy: { callback_number: '+12025550143' },
    });
  });

  test.each([
    ['name', { name: '' }],
    ['caller_number', { caller_number: '202-555' }],
    ['max_concurrent_calls', { max_concurrent_calls: 'many' }],
    ['opens', { opens: '9 o’clock' }],
    ['opens', { opens: '13 pm' }],
    ['default_country', { default_country: 'Canada' }],
    ['time_zone', { time_zone: 'Mars/Olympus' }],
    ['opens', { opens: '21:00', closes: '08:00' }],
    ['closes', { closes: '25:00' }],
    ['days', { days: [] }],
    ['max_attempts', { max_attempts: '' }],
    ['delays_minutes', { delays_minutes: '5; 30' }],
    ['delays_minutes', { delays_minutes: '5,,30' }],
    ['callback_number', { callback_number: '0' }],
    ['max_hold_minutes', { max_hold_minutes: '-1' }],
    ['shared_line_max_hold_minutes', { shared_line_max_hold_minutes: '' }],
    ['max_call_minutes', { max_call_minutes: '111' }],
    ['voicemail', { voicemail: 'sing' }],
    ['recording_retention_days', { recording_retention_days: '0' }],
    ['agent_name', { agent_name: 'n'.repeat(101) }],
    ['organization_name', { organization_name: 'a\u0007b' }],
    ['on_behalf_of', { on_behalf_of: 'nobody' }],
    ['agent_callback_number', { agent_callback_number: '0' }],
    ['npi', { npi: '1234567890' }],
    ['tax_id', { tax_id: '123' }],
    ['disclosure_allow', { disclosure_allow: 'email, shoe-size' }],
    ['disclosure_deny', { disclosure_deny: 'shoe-size' }],
    ['language_model', { language_model: 'echo' }],
    ['voice', { voice: 'a b' }],
    ['language', { language: '' }],
    ['speech_hints', { speech_hints: 'x'.repeat(61) }],
  ])('shows at %s what is wrong with %j', (field, change) => {
    const settings = toSettings({ ...toSettingsForm(usual), ...change });
    const { error } = ProjectSettings.safeParse(settings);
    expect(error).toBeDefined();
    expect(error === undefined ? {} : Object.keys(fieldErrors(error, settingsFieldOf, {}))).toEqual([field]);
  });

  test('says at every field something that distinguishes it, with the least hold time', () => {
    const sentences = Object.values(settingsProblems.sentences);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(settingsProblems.sentences.max_hold_minutes).toBe(
      'The maximum hold time must be more than 0 and at most 110 minutes',
    );
  });
});
