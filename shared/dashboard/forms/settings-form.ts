import type { ProjectSettings } from '#shared/projects/project-settings.ts';
import { numberOf, textOf, textsOf } from './form-values.ts';

/** The settings as the form shows them: text as it is typed, times in minutes. */
export interface SettingsForm {
  readonly name: string;
  readonly enabled_task_types: readonly string[];
  readonly caller_number: string;
  readonly max_concurrent_calls: string;
  readonly opens: string;
  readonly closes: string;
  readonly days: readonly string[];
  readonly on_holidays: readonly string[];
  readonly max_attempts: string;
  readonly delays_minutes: string;
  readonly redialled_results: readonly string[];
  readonly voicemail: string;
  readonly callback_number: string;
  readonly max_hold_minutes: string;
  readonly recording_retention_days: string;
}

export type SettingsField = keyof SettingsForm;

/** The one box of a setting that is either on or off. */
export const ticked = 'yes';

export function toSettingsForm(settings: ProjectSettings): SettingsForm {
  const { redial_policy, call_policy, calling_hours, recording_retention_days } = settings;
  return {
    name: settings.name,
    enabled_task_types: settings.enabled_task_types,
    caller_number: settings.caller_number,
    max_concurrent_calls: String(settings.max_concurrent_calls),
    opens: calling_hours.opens,
    closes: calling_hours.closes,
    days: calling_hours.days.map(String),
    on_holidays: calling_hours.on_holidays ? [ticked] : [],
    max_attempts: String(redial_policy.max_attempts),
    delays_minutes: redial_policy.delays_seconds.map(inMinutes).join(', '),
    redialled_results: redial_policy.redialled_results,
    voicemail: call_policy.voicemail,
    callback_number: call_policy.callback_number ?? '',
    max_hold_minutes: inMinutes(call_policy.max_hold_seconds),
    recording_retention_days: recording_retention_days === null ? '' : String(recording_retention_days),
  };
}

export function readSettingsForm(form: FormData): SettingsForm {
  const text = (name: SettingsField): string => textOf(form, name);
  const texts = (name: SettingsField): string[] => textsOf(form, name);
  return {
    name: text('name'),
    enabled_task_types: texts('enabled_task_types'),
    caller_number: text('caller_number'),
    max_concurrent_calls: text('max_concurrent_calls'),
    opens: text('opens'),
    closes: text('closes'),
    days: texts('days'),
    on_holidays: texts('on_holidays'),
    max_attempts: text('max_attempts'),
    delays_minutes: text('delays_minutes'),
    redialled_results: texts('redialled_results'),
    voicemail: text('voicemail'),
    callback_number: text('callback_number'),
    max_hold_minutes: text('max_hold_minutes'),
    recording_retention_days: text('recording_retention_days'),
  };
}

/** What the form says, for the schema of the settings to judge. */
export function toSettings(form: SettingsForm): Record<keyof ProjectSettings, unknown> {
  return {
    name: form.name,
    enabled_task_types: form.enabled_task_types,
    caller_number: form.caller_number,
    max_concurrent_calls: numberOf(form.max_concurrent_calls),
    calling_hours: {
      opens: form.opens,
      closes: form.closes,
      days: form.days.map(Number),
      on_holidays: form.on_holidays.includes(ticked),
    },
    redial_policy: {
      max_attempts: numberOf(form.max_attempts),
      delays_seconds:
        form.delays_minutes === ''
          ? []
          : form.delays_minutes.split(',').map((text) => inSeconds(text.trim())),
      redialled_results: form.redialled_results,
    },
    call_policy: {
      voicemail: form.voicemail,
      callback_number: form.callback_number === '' ? null : form.callback_number,
      max_hold_seconds: inSeconds(form.max_hold_minutes),
    },
    recording_retention_days:
      form.recording_retention_days === '' ? null : numberOf(form.recording_retention_days),
  };
}

/** At which field a problem of the settings is shown. */
export function settingsFieldOf([section, member]: readonly PropertyKey[]): SettingsField {
  switch (section) {
    case 'enabled_task_types':
    case 'caller_number':
    case 'max_concurrent_calls':
    case 'recording_retention_days':
      return section;
    case 'calling_hours':
      return member === 'days' ? 'days' : member === 'closes' ? 'closes' : 'opens';
    case 'redial_policy':
      if (member === 'delays_seconds') return 'delays_minutes';
      return member === 'redialled_results' ? 'redialled_results' : 'max_attempts';
    case 'call_policy':
      if (member === 'max_hold_seconds') return 'max_hold_minutes';
      return member === 'callback_number' ? 'callback_number' : 'voicemail';
    default:
      return 'name';
  }
}

/** Two decimals at most, as few as it takes. */
function inMinutes(seconds: number): string {
  return String(Math.round((seconds / 60) * 100) / 100);
}

function inSeconds(minutes: string): number {
  return Math.round(numberOf(minutes) * 60);
}
