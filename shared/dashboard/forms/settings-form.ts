import { longestCallSeconds, usualCountry } from '#shared/domain/project.ts';
import { phoneNumberText, toE164 } from '#shared/domain/written-phone-number.ts';
import { type ProjectSettings, projectLimits } from '#shared/projects/project-settings.ts';
import { numberText } from '../layout/number.ts';
import {
  type AgentForm,
  agentFieldOf,
  agentSentences,
  readAgentForm,
  toAgentForm,
  toAgentSettings,
} from './agent-form.ts';
import { type FormProblems, numberOf, textOf, textsOf, timeOfDayOf, timeOfDayText } from './form-values.ts';

/** The settings as the form shows them: text as typed, times in minutes. */
export interface SettingsForm extends AgentForm {
  /** The settings' version that the form was built from; hidden. */
  readonly read_at: string;
  readonly name: string;
  readonly enabled_task_types: readonly string[];
  readonly caller_number: string;
  readonly default_country: string;
  /** Empty for each reader's own time zone. */
  readonly time_zone: string;
  /** Comma-separated; empty for all that are allowed. */
  readonly allowed_countries: string;
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
  readonly shared_line_max_hold_minutes: string;
  readonly max_call_minutes: string;
  readonly recording_retention_days: string;
  readonly task_retention_days: string;
  readonly patient_retention_days: string;
  readonly audit_retention_days: string;
  readonly legal_hold: readonly string[];
}

export type SettingsField = Exclude<keyof SettingsForm, 'read_at'>;

/** The single checkbox of an on-off setting. */
export const ticked = 'yes';

export function toSettingsForm(settings: ProjectSettings & { readonly updated_at?: string }): SettingsForm {
  const { redial_policy, call_policy, calling_hours } = settings;
  return {
    read_at: settings.updated_at ?? '',
    name: settings.name,
    enabled_task_types: settings.enabled_task_types,
    caller_number: phoneNumberText(settings.caller_number),
    default_country: settings.default_country,
    time_zone: settings.time_zone ?? '',
    allowed_countries: (settings.allowed_countries ?? []).join(', '),
    max_concurrent_calls: String(settings.max_concurrent_calls),
    opens: timeOfDayText(calling_hours.opens),
    closes: timeOfDayText(calling_hours.closes),
    days: calling_hours.days.map(String),
    on_holidays: calling_hours.on_holidays ? [ticked] : [],
    max_attempts: String(redial_policy.max_attempts),
    delays_minutes: redial_policy.delays_seconds.map(inMinutes).join(', '),
    redialled_results: redial_policy.redialled_results,
    voicemail: call_policy.voicemail,
    callback_number: call_policy.callback_number === null ? '' : phoneNumberText(call_policy.callback_number),
    max_hold_minutes: inMinutes(call_policy.max_hold_seconds),
    shared_line_max_hold_minutes: inMinutes(call_policy.shared_line_max_hold_seconds),
    max_call_minutes: inMinutes(call_policy.max_call_seconds),
    recording_retention_days: daysText(settings.recording_retention_days),
    task_retention_days: daysText(settings.task_retention_days),
    patient_retention_days: daysText(settings.patient_retention_days),
    audit_retention_days: daysText(settings.audit_retention_days),
    legal_hold: settings.legal_hold ? [ticked] : [],
    ...toAgentForm(settings),
  };
}

export function readSettingsForm(form: FormData): SettingsForm {
  const text = (name: SettingsField): string => textOf(form, name);
  const texts = (name: SettingsField): string[] => textsOf(form, name);
  return {
    read_at: textOf(form, 'read_at'),
    name: text('name'),
    enabled_task_types: texts('enabled_task_types'),
    caller_number: text('caller_number'),
    default_country: text('default_country') || usualCountry,
    time_zone: text('time_zone'),
    allowed_countries: text('allowed_countries'),
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
    shared_line_max_hold_minutes: text('shared_line_max_hold_minutes'),
    max_call_minutes: text('max_call_minutes'),
    recording_retention_days: text('recording_retention_days'),
    task_retention_days: text('task_retention_days'),
    patient_retention_days: text('patient_retention_days'),
    audit_retention_days: text('audit_retention_days'),
    legal_hold: texts('legal_hold'),
    ...readAgentForm(form),
  };
}

/** The form's values, for the settings schema to validate. */
export function toSettings(form: SettingsForm): Record<keyof ProjectSettings, unknown> {
  const { default_country } = form;
  return {
    name: form.name,
    enabled_task_types: form.enabled_task_types,
    caller_number: toE164(form.caller_number, default_country),
    default_country,
    time_zone: form.time_zone === '' ? null : form.time_zone,
    allowed_countries:
      form.allowed_countries === '' ? null : form.allowed_countries.split(',').map((code) => code.trim()),
    max_concurrent_calls: numberOf(form.max_concurrent_calls),
    calling_hours: {
      opens: timeOfDayOf(form.opens),
      closes: timeOfDayOf(form.closes),
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
      callback_number: form.callback_number === '' ? null : toE164(form.callback_number, default_country),
      max_hold_seconds: inSeconds(form.max_hold_minutes),
      shared_line_max_hold_seconds: inSeconds(form.shared_line_max_hold_minutes),
      max_call_seconds: inSeconds(form.max_call_minutes),
    },
    recording_retention_days: daysOf(form.recording_retention_days),
    task_retention_days: daysOf(form.task_retention_days),
    patient_retention_days: daysOf(form.patient_retention_days),
    audit_retention_days: daysOf(form.audit_retention_days),
    legal_hold: form.legal_hold.includes(ticked),
    agent: toAgentSettings(form, default_country),
  };
}

/** The field that shows a problem of the settings. */
export function settingsFieldOf([section, member, ...rest]: readonly PropertyKey[]): SettingsField {
  switch (section) {
    case 'enabled_task_types':
    case 'caller_number':
    case 'default_country':
    case 'time_zone':
    case 'allowed_countries':
    case 'max_concurrent_calls':
    case 'recording_retention_days':
    case 'task_retention_days':
    case 'patient_retention_days':
    case 'audit_retention_days':
    case 'legal_hold':
      return section;
    case 'calling_hours':
      return member === 'days' ? 'days' : member === 'closes' ? 'closes' : 'opens';
    case 'redial_policy':
      if (member === 'delays_seconds') return 'delays_minutes';
      return member === 'redialled_results' ? 'redialled_results' : 'max_attempts';
    case 'call_policy':
      if (member === 'max_hold_seconds') return 'max_hold_minutes';
      if (member === 'shared_line_max_hold_seconds') return 'shared_line_max_hold_minutes';
      if (member === 'max_call_seconds') return 'max_call_minutes';
      return member === 'callback_number' ? 'callback_number' : 'voicemail';
    case 'agent':
      return agentFieldOf(member === undefined ? [] : [member, ...rest]);
    default:
      return 'name';
  }
}

const longestCallMinutes = longestCallSeconds / 60;
const holdBounds = `must be more than 0 and at most ${longestCallMinutes} minutes`;
const longestDelayMinutes = projectLimits.redialDelaySeconds / 60;

/** What each field requires, in our words. */
const sentences: Readonly<Record<SettingsField, string>> = {
  name: `Enter a project name of up to ${projectLimits.nameCharacters} visible characters`,
  enabled_task_types: 'Choose from the listed task types',
  caller_number: 'Enter a caller number, such as (202) 555-0142',
  default_country: 'Choose a country from the list',
  time_zone: 'Choose a time zone from the list',
  allowed_countries: 'Enter two-letter country codes with commas, such as US, CA, or leave it empty for all',
  max_concurrent_calls: `Concurrent calls must be a whole number from 1 to ${projectLimits.concurrentCalls}`,
  opens: 'Enter a start time earlier than the end time, such as 9:00 AM',
  closes: 'Enter an end time, such as 5:00 PM; 24:00 is the end of the day',
  days: 'Choose at least one day of the week',
  on_holidays: 'Choose whether calls are made on public holidays',
  max_attempts: `Calls per task must be a whole number from 1 to ${projectLimits.attempts}`,
  delays_minutes:
    'Enter retry delays in minutes, separated by commas, ' +
    `each from 0 to ${numberText(longestDelayMinutes)}`,
  redialled_results: 'Choose from the listed results',
  voicemail: 'Choose what happens on voicemail',
  callback_number: 'Enter a callback number, such as (202) 555-0142, or leave it empty',
  max_hold_minutes: `The maximum hold time ${holdBounds}`,
  shared_line_max_hold_minutes: `The maximum hold time on shared lines ${holdBounds}`,
  max_call_minutes: `The maximum call length must be from 1 to ${longestCallMinutes} minutes`,
  recording_retention_days:
    `Recordings are kept for 1 to ${numberText(projectLimits.recordingRetentionDays)} days; ` +
    'leave it empty to keep them',
  task_retention_days: keptSentence('Tasks'),
  patient_retention_days: keptSentence('Patients without tasks'),
  audit_retention_days:
    `Audit log entries are kept for ${projectLimits.leastAuditRetentionDays} days or more; ` +
    'leave it empty to keep them',
  legal_hold: 'The legal hold is either on or off',
  ...agentSentences,
};

export const settingsProblems: FormProblems = { fieldOf: settingsFieldOf, sentences };

function keptSentence(what: string): string {
  return `${what} are kept for 1 to ${numberText(projectLimits.retentionDays)} days; leave it empty to keep them`;
}

function daysText(days: number | null): string {
  return days === null ? '' : String(days);
}

/** Empty means forever. */
function daysOf(text: string): unknown {
  return text === '' ? null : numberOf(text);
}

/** At most two decimals, as few as needed. */
function inMinutes(seconds: number): string {
  return String(Math.round((seconds / 60) * 100) / 100);
}

function inSeconds(minutes: string): number {
  return Math.round(numberOf(minutes) * 60);
}
