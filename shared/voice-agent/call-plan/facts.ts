import type { Patient } from '#shared/domain/patient.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { findDates } from '../entities/dates.ts';
import { scanOf } from '../entities/readings.ts';
import { tokenize } from '../entities/tokens.ts';
import { spokenDay } from '../language/calendar.ts';
import {
  spelledIdentifier,
  spokenAddress,
  spokenAmount,
  spokenDateText,
  spokenEmail,
  spokenPhoneNumber,
} from '../language/speech.ts';
import { type CallerIdentity, type Fact, FactTopic } from './call-plan.ts';
import table from './facts.json' with { type: 'json' };

/** A fact before the decision whether it may be told. */
export type KnownFact = Omit<Fact, 'may_be_told'>;
export type Data = Readonly<Record<string, unknown>>;

/** The value and wording of a fact; nothing if unknown. */
type Reader = (value: unknown, today: string) => readonly [value: string, spoken: string] | null;

export function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
const joined = (values: readonly unknown[], between: string): string =>
  values
    .map(textOf)
    .filter((text) => text !== '')
    .join(between);
const said =
  (speak: (text: string) => string): Reader =>
  (value) => [textOf(value), speak(textOf(value))];
const parts =
  (...names: readonly string[]): Reader =>
  (value) => {
    const text = isData(value)
      ? joined(
          names.map((name) => value[name]),
          ', ',
        )
      : '';
    return [text, text];
  };

const readers: Readonly<Record<string, Reader>> = {
  text: said((text) => text),
  identifier: said(spelledIdentifier),
  phone: said(spokenPhoneNumber),
  date: said(spokenDateText),
  amount: said(spokenAmount),
  email: said(spokenEmail),
  provider: parts('name', 'practice'),
  name: (value) => {
    const name = isData(value) ? joined([value.first_name, value.last_name], ' ') : '';
    return [name, name];
  },
  address: (value) => {
    if (!isData(value)) return null;
    const [city, state] = [textOf(value.city), textOf(value.state)];
    const postalCode = textOf(value.postal_code ?? value.zip_code) || undefined;
    const address = spokenAddress({
      street: textOf(value.street_name ?? value.street),
      city,
      state,
      postalCode,
    });
    return [address, address];
  },
  relationship: (value) => {
    const relationship = textOf(value).toLowerCase();
    return relationship.endsWith('unspecified') ? null : [relationship, relationship];
  },
  referral: (value) => {
    const from = parts('name', 'facility')(value, '')?.[0] ?? '';
    return from === '' ? null : [`from ${from}`, `from ${from}`];
  },
  'has-referral': (value) => {
    if (typeof value !== 'boolean') return null;
    const referral = value ? 'yes, there is one' : 'none';
    return [referral, referral];
  },
  insurance: (value) => {
    if (!isData(value)) return null;
    const member = textOf(value.member_id);
    const text = joined(
      [value.company_name, member === '' ? '' : `member ID ${spelledIdentifier(member)}`],
      ', ',
    );
    return [text, text];
  },
  codes: (value) => {
    const codes = Array.isArray(value) ? value.map(textOf) : [];
    return [codes.join(', '), codes.map(spelledIdentifier).join('; and ')];
  },
  visits: (value) => {
    const visits = (Array.isArray(value) ? value : []).filter(isData).map(({ purpose, date }) => {
      return joined([purpose, textOf(date) === '' ? '' : `on ${spokenDateText(textOf(date))}`], ' ');
    });
    return [
      visits.filter((visit) => visit !== '').join('; '),
      visits.filter((visit) => visit !== '').join('; '),
    ];
  },
  'date-in-text': (value, today) => {
    const day = datesIn(textOf(value), today, 'past')[0]?.day ?? '';
    return [day, spokenDateText(day)];
  },
  dated: (value, today) => [textOf(value), withDays(textOf(value), today)],
};

function datesIn(text: string, today: string, direction: 'past' | 'future') {
  const scan = scanOf(tokenize(text), { today, direction });
  return findDates(scan)
    .filter(({ value }) => value.precision === 'day')
    .map(({ value, from, to }) => ({
      day: value.day,
      start: scan.tokens[from]?.start ?? 0,
      end: scan.tokens[to - 1]?.end ?? 0,
    }));
}

/** "next Wednesday at 2" with its date, because the call may come days later. */
export function withDays(text: string, today: string): string {
  return datesIn(text, today, 'future').reduceRight(
    (dated, { day, start, end }) => `${dated.slice(0, start)}${spokenDay(day, today)}${dated.slice(end)}`,
    text,
  );
}

interface Row {
  readonly path: string;
  readonly topic: FactTopic;
  readonly label: string;
  readonly as: string;
  readonly field: string;
}

const rows: Readonly<Record<TaskType | 'patient', readonly Row[]>> = {
  SCHEDULE_APPOINTMENT: rowsOf(table.rows.SCHEDULE_APPOINTMENT),
  VERIFY_INSURANCE: rowsOf(table.rows.VERIFY_INSURANCE),
  REIMBURSEMENT: rowsOf(table.rows.REIMBURSEMENT),
  CUSTOM_TASK: [],
  patient: rowsOf(table.rows.patient),
};

function rowsOf(entries: readonly (readonly string[])[]): Row[] {
  return entries.map(([path = '', topic, label = '', as = 'text', field = path]) => ({
    path,
    topic: FactTopic.parse(topic),
    label,
    as,
    field,
  }));
}

/**
 * Facts from the task, the patient's record and unspecified members, in this order: the first fact of a topic
 * counts.
 *
 * @param today the day of the task, `YYYY-MM-DD`
 */
export function factsOf(type: TaskType, data: Data, patient: Patient, today: string): KnownFact[] {
  const known = { patient, task_data: data };
  const read = (group: readonly Row[]): KnownFact[] =>
    group.flatMap(({ path, as, ...row }) => fact(row, readers[as]?.(valueAt(known, path), today) ?? null));
  return [...read(rows[type]), ...extraFacts(type, data), ...read(rows.patient)];
}

function fact(
  row: Pick<KnownFact, 'field' | 'topic' | 'label'>,
  found: readonly [string, string] | null,
): KnownFact[] {
  if (found === null || found[0] === '') return [];
  const { field, topic, label } = row;
  return [{ field, topic, label, value: found[0], spoken: found[1] }];
}

function valueAt(known: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (Array.isArray(value) ? value[Number(name)] : isData(value) ? value[name] : undefined),
      known,
    );
}

const topicOfKey = new Map(
  Object.entries(table.aliases).flatMap(([topic, keys]) =>
    keys.split(' ').map((key) => [key, FactTopic.parse(topic)] as const),
  ),
);
const readerOfTopic: Readonly<Record<string, string>> = table.asAlias;
/** Members with their own meaning, read elsewhere. */
const ownMembers = new Set(['additional_context', 'patient_status', 'is_rescheduling', 'questions_to_ask']);

/**
 * Unspecified members of `task_data`, including those in its own objects, such as a client's
 * `medical_context`. We disclose them only on an explicit request.
 */
function extraFacts(type: TaskType, data: Data): KnownFact[] {
  const known = new Set(rows[type].map(({ path }) => path));
  return leavesOf('task_data', data)
    .filter(({ path }) => !known.has(path) && !isOwn(path, known))
    .flatMap(({ path, key, value }) => {
      const topic = topicOfKey.get(key) ?? 'other';
      const read = readers[readerOfTopic[topic] ?? 'date'] ?? said((text) => text);
      return fact({ field: path, topic, label: key.replaceAll('_', ' ').toLowerCase() }, read(value, ''));
    });
}

/** Whether a path is inside a value that is read as a whole, such as an address. */
function isOwn(path: string, known: ReadonlySet<string>): boolean {
  const steps = path.split('.');
  return (
    ownMembers.has(steps[1] ?? '') ||
    steps.some((_, end) => end > 1 && known.has(steps.slice(0, end).join('.')))
  );
}

/** All texts, numbers and flags of a value with their paths; a list is one value. */
export function leavesOf(path: string, value: unknown): { path: string; key: string; value: string }[] {
  if (isData(value))
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(`${path}.${key}`, inner));
  const entries = Array.isArray(value) ? value : [value];
  const text = entries.map((entry) => (typeof entry === 'boolean' ? (entry ? 'yes' : 'no') : textOf(entry)));
  return [
    {
      path,
      key: path.slice(path.lastIndexOf('.') + 1),
      value: text.filter((entry) => entry !== '').join(', '),
    },
  ];
}

/** The caller. */
export function identityFacts({
  agent_name,
  organization,
  callback_number,
  npi,
  tax_id,
}: CallerIdentity): KnownFact[] {
  const found = (
    field: string,
    topic: FactTopic,
    label: string,
    as: string,
    value: string | null,
  ): KnownFact[] => fact({ field, topic, label }, readers[as]?.(value, '') ?? null);
  return [
    ...found('project.agent_name', 'caller-name', 'name of the caller', 'text', agent_name),
    ...found('project.organization_name', 'caller-organization', 'organization', 'text', organization),
    ...found('project.callback_number', 'callback-number', 'callback number', 'phone', callback_number),
    ...found('project.npi', 'provider-npi', 'NPI', 'identifier', npi),
    ...found('project.tax_id', 'tax-id', 'tax ID', 'identifier', tax_id),
  ];
}
