import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { type TaskField, type TaskFieldKind, taskSections } from './new-task-fields.ts';
import { fieldName } from './new-task-form.ts';
import { insuranceKinds, patientField } from './patient-form.ts';

/** A column of a file: a field of the patient's or the task's form. */
export interface ColumnMeaning {
  readonly of: 'patient' | 'task';
  /** Name of the form's field. */
  readonly field: string;
  /** The heading in templates. */
  readonly heading: string;
  readonly kind: TaskFieldKind;
  readonly choices?: TaskField['choices'];
}

const insurances = 2;
const entries = 10;

const insuranceMembers = [
  'company_name',
  'plan_name',
  'member_id',
  'group_number',
  'phone_number',
  'relationship_to_subscriber',
  'primary_subscriber.first_name',
  'primary_subscriber.last_name',
];
const patientMembers = [
  'external_id',
  'first_name',
  'last_name',
  'date_of_birth',
  'phone_number',
  'email',
  'address.street_name',
  'address.city',
  'address.state',
  'address.postal_code',
  'address.country_code',
  'primary_care_provider.name',
  'primary_care_provider.practice',
];

const patientColumns: readonly ColumnMeaning[] = [
  ...patientMembers.map((path) => patientColumn(path, path.split('.'))),
  ...insuranceKinds.flatMap((kind) =>
    Array.from({ length: insurances }, (_, index) =>
      insuranceMembers.map((member) =>
        patientColumn(`${kind}_insurance.${index + 1}.${member}`, [
          'insurance',
          kind,
          index,
          ...member.split('.'),
        ]),
      ),
    ).flat(),
  ),
];

function patientColumn(path: string, members: readonly PropertyKey[]): ColumnMeaning {
  const kind = path.endsWith('relationship_to_subscriber') ? 'relationship' : 'line';
  return { of: 'patient', field: patientField(members), heading: written(`patient.${path}`), kind };
}

const taskOwnColumns: readonly ColumnMeaning[] = [
  { of: 'task', field: 'task_type', heading: 'Task type', kind: 'line' },
  { of: 'task', field: 'task', heading: 'Goal', kind: 'text' },
  { of: 'task', field: 'phone_number', heading: 'Number to call', kind: 'phone-number' },
  { of: 'task', field: 'external_id', heading: 'Task external ID', kind: 'line' },
  { of: 'task', field: 'call_after', heading: 'Call after', kind: 'line' },
  { of: 'task', field: 'call_before', heading: 'Call before', kind: 'line' },
];

/** Other accepted headings. */
const otherHeadings: Readonly<Record<string, string>> = {
  firstname: 'patientfirstname',
  lastname: 'patientlastname',
  dateofbirth: 'patientdateofbirth',
  dob: 'patientdateofbirth',
  birthdate: 'patientdateofbirth',
  email: 'patientemail',
  mrn: 'patientexternalid',
  type: 'tasktype',
  task: 'goal',
  taskphonenumber: 'numbertocall',
};

/** Headings of patients' numbers, which in files with tasks may be the numbers to call. */
const patientPhoneHeadings = new Set(['phone', 'phonenumber', 'mobile', 'mobilephone', 'cell', 'cellphone']);

/** Columns that we add to files with refused rows. */
export const addedHeadings = { row: 'Row', problem: 'Problem' } as const;

const byHeading = new Map(
  [...patientColumns, ...taskOwnColumns, ...taskTypes.flatMap((type) => dataColumns(type))].map((column) => [
    plain(column.heading),
    column,
  ]),
);

/** The meaning of each heading; null for unknown ones. */
export function columnsNamed(headings: readonly string[]): (ColumnMeaning | null)[] {
  const columns = headings.map(columnNamed);
  if (columns.some((column) => column?.of === 'task')) return columns;
  return headings.map((heading, at) =>
    patientPhoneHeadings.has(plain(heading)) ? columnNamed('Patient phone number') : (columns[at] ?? null),
  );
}

function columnNamed(heading: string): ColumnMeaning | null {
  const name = plain(heading);
  return byHeading.get(otherHeadings[name] ?? name.replace(/^taskdata/, '')) ?? null;
}

/** The heading that a template has for a field; null for a field without one. */
export function templateHeading(of: ColumnMeaning['of'], field: string | null): string | null {
  return (
    [...byHeading.values()].find((column) => column.of === of && column.field === field)?.heading ?? null
  );
}

/** Whether it is one of the columns that we add to returned files. */
export function isAddedHeading(heading: string): boolean {
  return Object.values(addedHeadings).some((added) => plain(added) === plain(heading));
}

/** Ignores case, spaces and punctuation: `Date of Birth` is `date_of_birth`. */
function plain(heading: string): string {
  return heading.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A readable heading: `insurance.member_id` is `Insurance member ID`. */
function written(path: string): string {
  const text = path.replace(/[._]/g, ' ').replace(/\b(id|npi|cpt)\b/g, (word) => word.toUpperCase());
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function dataColumns(type: TaskType, count = entries): ColumnMeaning[] {
  return taskSections[type].flatMap((section) => {
    if (section.kind === 'fields') return section.fields.map((field) => dataColumn(field, field.path));
    return Array.from({ length: count }, (_, position) =>
      section.fields.map((field) => ({
        ...dataColumn(field, entryHeading(section.entry.toLowerCase(), position + 1, field.path)),
        field: fieldName(field.path, section, position),
      })),
    ).flat();
  });
}

function entryHeading(entry: string, number: number, path: string): string {
  return path === entry ? `${entry} ${number}` : `${entry} ${number} ${path}`;
}

/** The form fields of a task type. */
export function taskFields(type: TaskType): ReadonlySet<string> {
  return new Set([...taskOwnColumns, ...dataColumns(type)].map(({ field }) => field));
}

function dataColumn({ path, kind, choices }: TaskField, heading: string): ColumnMeaning {
  return {
    of: 'task',
    field: fieldName(path),
    heading: written(heading),
    kind,
    ...(choices === undefined ? {} : { choices }),
  };
}

const entriesInTemplate = 3;
const templatePatient = new Set(patientColumns.slice(0, 6));

/** The headings of a template, for patients alone or with tasks of a type. */
export function templateColumns(type: TaskType | null): readonly ColumnMeaning[] {
  if (type === null) return patientColumns.filter(({ field }) => !/-1-/.test(field));
  return [...templatePatient, ...taskOwnColumns, ...dataColumns(type, entriesInTemplate)];
}

/** A cell's value in the field's form: `Yes` is `yes`, and choices may be written as displayed. */
export function cellValue({ kind, choices = [] }: ColumnMeaning, text: string): string {
  const lower = text.toLowerCase();
  switch (kind) {
    case 'yes-no':
      return /^(?:y|yes|true|1)$/.test(lower) ? 'yes' : /^(?:n|no|false|0)$/.test(lower) ? 'no' : text;
    case 'choice':
      return (
        choices.find(({ value, label }) => [value.toLowerCase(), label.toLowerCase()].includes(lower))
          ?.value ?? text
      );
    case 'relationship':
      return text.toUpperCase();
    default:
      return text;
  }
}
