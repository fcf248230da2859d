import { dayNames } from '../layout/clock-words.ts';
import { durationText } from '../layout/duration.ts';
import type { Choice } from '../layout/fields.tsx';
import { carrierNames, roleNames } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';
import { callers, models } from './agent-section.tsx';
import { scopeNames } from './api-keys-page.tsx';
import { resultNames, voicemailChoices } from './general-page.tsx';
import { payloadNames } from './webhooks-page.tsx';

/** Form labels by member path; the last segment suffices where it is unambiguous. */
const labels: Readonly<Record<string, string>> = {
  'agent.agent_name': 'Agent name',
  'agent.callback_number': 'Callback number of the agent',
  'agent.disclosure.allow': 'May also be disclosed',
  'agent.disclosure.deny': 'Must never be disclosed',
  'agent.language_model': 'Dialogue model',
  'agent.npi': 'NPI',
  'agent.on_behalf_of': 'Calls on behalf of',
  'agent.organization_name': 'Organization',
  allowed_countries: 'Allowed countries',
  audit_retention_days: 'Days to keep the audit log',
  bad_rows: 'Rows with problems',
  by_email_link: 'By the link in an email',
  'call_policy.callback_number': 'Callback number on voicemail',
  'call_policy.max_call_seconds': 'Maximum call length',
  'call_policy.max_hold_seconds': 'Maximum hold time',
  'call_policy.shared_line_max_hold_seconds': 'Maximum hold time on shared lines',
  'call_policy.voicemail': 'On voicemail',
  'calling_hours.closes': 'Calling hours end',
  'calling_hours.days': 'Calling days',
  'calling_hours.on_holidays': 'Calls on public holidays',
  'calling_hours.opens': 'Calling hours start',
  due: 'Due date',
  enabled_task_types: 'Allowed task types',
  expires_at: 'Expires',
  frequency: 'Email alerts',
  max_concurrent_calls: 'Concurrent calls',
  patient_retention_days: 'Days to keep patients without tasks',
  payload: 'What is sent',
  recording_retention_days: 'Days to keep recordings',
  'redial_policy.delays_seconds': 'Retry delays',
  'redial_policy.max_attempts': 'Calls per task',
  'redial_policy.redialled_results': 'Call again after',
  scopes: 'Permissions',
  task_retention_days: 'Days to keep tasks',
  url: 'Endpoint URL',
};

const namesOf = (choices: readonly Choice[]): Readonly<Record<string, string>> =>
  Object.fromEntries(choices.map(({ value, label }) => [value, label]));

const namesOfValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  carrier: carrierNames,
  days: Object.fromEntries(dayNames.map((name, index) => [index + 1, name])),
  enabled_task_types: taskTypeNames,
  language_model: namesOf(models),
  on_behalf_of: namesOf(callers),
  payload: { minimal: payloadNames.minimal.label, full: payloadNames.full.label },
  redialled_results: resultNames,
  role: roleNames,
  scopes: scopeNames,
  task_type: taskTypeNames,
  voicemail: namesOf(voicemailChoices),
};

/** `redial_policy.delays_seconds` is “Retry delays”; without a label `task_ids` is “Task IDs”. @param path dotted */
export function memberText(path: string): string {
  const label = labels[path] ?? labels[lastName(path)];
  if (label !== undefined) return label;
  const words = path.replaceAll(/[._]/g, ' ').replaceAll(/\b(id|url|ip|npi)(s?)\b/g, upperCase);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A member's value in prose: `[300, 1800]` of `delays_seconds` is “5 min, 30 min”. */
export function memberValueText(path: string, value: unknown): string {
  const name = lastName(path);
  if (value === null || value === '') return name.endsWith('_days') ? 'forever' : 'none';
  if (Array.isArray(value)) return value.map((one) => memberValueText(path, one)).join(', ') || 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && name.endsWith('_seconds')) return durationText(value * 1000);
  return namesOfValues[name]?.[String(value)] ?? String(value);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function upperCase(_: string, letters: string, plural: string): string {
  return `${letters.toUpperCase()}${plural}`;
}
