import { questionsAtMost } from '#shared/domain/task-data.ts';
import type { TaskType } from '#shared/domain/task-type.ts';

/** How a member of `task_data` is typed: as its own text, except for `yes-no` and `codes`. */
export type TaskFieldKind =
  | 'line'
  | 'text'
  | 'date'
  | 'phone-number'
  | 'relationship'
  | 'yes-no'
  /** One of `choices`. */
  | 'choice'
  | 'npi'
  | 'amount'
  /** CPT or HCPCS codes separated by commas or line breaks. */
  | 'codes';

export interface TaskField {
  /** The dotted path of the value: from `task_data`, or from the entry of a list. */
  readonly path: string;
  readonly label: string;
  readonly kind: TaskFieldKind;
  readonly hint?: string;
  /** The allowed values, for the kind `choice`. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** What to do about refused text, if the field's kind does not say it. */
  readonly advice?: string;
}

/** Fields of one section. */
export interface FieldGroup {
  readonly kind: 'fields';
  readonly title: string;
  readonly hint?: string;
  readonly fields: readonly TaskField[];
}

/** A list of entries with the same fields. */
export interface FieldRows {
  readonly kind: 'rows';
  readonly title: string;
  readonly hint?: string;
  /** Name of one entry. */
  readonly entry: string;
  /** Of the list. */
  readonly path: string;
  readonly fields: readonly TaskField[];
  /** Member that holds the entry's zero-based position, and so is not typed. */
  readonly positionMember?: string;
}

export type FieldSection = FieldGroup | FieldRows;

const additionalContext: TaskField = {
  path: 'additional_context',
  label: 'Anything else the agent should know',
  kind: 'text',
};

/** Every member of `task_data` that the interface specification names, by task type. */
export const taskSections: Readonly<Record<TaskType, readonly FieldSection[]>> = {
  SCHEDULE_APPOINTMENT: [
    group('The appointment', [
      {
        path: 'timeframe_availability',
        label: 'Patient availability',
        kind: 'text',
        hint: 'For example: weekday mornings within the next two weeks.',
      },
      {
        path: 'speciality_preferences',
        label: 'Specialty',
        kind: 'line',
        hint: 'For example: primary care.',
      },
      {
        path: 'patient_status',
        label: 'New or existing patient',
        kind: 'choice',
        choices: [
          { value: 'new', label: 'New patient' },
          { value: 'existing', label: 'Existing patient' },
        ],
      },
      additionalContext,
    ]),
    {
      kind: 'rows',
      title: 'Previous visits',
      entry: 'Visit',
      path: 'previous_visits',
      fields: [
        { path: 'purpose', label: 'Purpose', kind: 'line' },
        { path: 'date', label: 'Date', kind: 'date' },
        { path: 'outcome', label: 'Outcome', kind: 'line' },
      ],
    },
    group('Rescheduling', [
      { path: 'is_rescheduling', label: 'Reschedule an appointment', kind: 'yes-no' },
      {
        path: 'existing_appointment',
        label: 'Existing appointment',
        kind: 'text',
        hint: 'Date, time and provider.',
      },
      { path: 'reschedule_reason', label: 'Reason for rescheduling', kind: 'text' },
    ]),
    group('Referral', [
      { path: 'has_referral', label: 'Patient has a referral', kind: 'yes-no' },
      ...providerFields('referral'),
    ]),
  ],
  VERIFY_INSURANCE: [
    group('The service', [
      {
        path: 'service.description',
        label: 'Service to be covered',
        kind: 'line',
        hint: 'For example: outpatient physical therapy.',
      },
      {
        path: 'service.cpt_codes',
        label: 'CPT codes',
        kind: 'codes',
        hint: 'Separate with commas: 97110, 97140.',
      },
      additionalContext,
    ]),
    group('Insurance', insuranceFields('insurance')),
    group('Provider', providerFields('provider')),
  ],
  REIMBURSEMENT: [
    group('The claim', [
      { path: 'reimbursement_status', label: 'Known claim status', kind: 'line' },
      { path: 'payment_details', label: 'Payment', kind: 'text' },
      { path: 'treatment_background', label: 'Reason for treatment', kind: 'text' },
      { path: 'treatment_data', label: 'The treatment', kind: 'text' },
      additionalContext,
    ]),
    group('Case', [
      { path: 'case_info.number', label: 'Case number', kind: 'line' },
      { path: 'case_info.created_at', label: 'Opened on', kind: 'date' },
    ]),
    group('Bill', [
      { path: 'bill.number', label: 'Bill number', kind: 'line' },
      { path: 'bill.amount', label: 'Amount', kind: 'amount', hint: 'For example, $240.00.' },
      { path: 'bill.phone_number', label: 'Phone number', kind: 'phone-number' },
      { path: 'bill.address.street', label: 'Street and unit', kind: 'line' },
      { path: 'bill.address.city', label: 'City', kind: 'line' },
      { path: 'bill.address.state', label: 'State or province', kind: 'line' },
      { path: 'bill.address.zip_code', label: 'ZIP code', kind: 'line' },
      { path: 'bill.address.country', label: 'Country', kind: 'line' },
    ]),
    group('Primary insurance', insuranceFields('primary_insurance')),
    group('Secondary insurance', insuranceFields('secondary_insurance')),
    group('Provider', providerFields('provider')),
  ],
  CUSTOM_TASK: [
    {
      kind: 'rows',
      title: 'Questions to ask',
      hint: `The agent asks them in this order. Up to ${questionsAtMost}.`,
      entry: 'Question',
      path: 'questions_to_ask',
      fields: [
        { path: 'question', label: 'What to ask', kind: 'line', advice: 'enter what to ask' },
        { path: 'answer', label: 'Expected answer (optional)', kind: 'line' },
      ],
      positionMember: 'index',
    },
    group('Context', [additionalContext]),
  ],
};

function group(title: string, fields: readonly TaskField[]): FieldGroup {
  return { kind: 'fields', title, fields };
}

/** Of a `Provider`. */
function providerFields(path: string): readonly TaskField[] {
  return [
    { path: `${path}.name`, label: 'Name', kind: 'line' },
    { path: `${path}.specialty`, label: 'Specialty', kind: 'line' },
    { path: `${path}.facility`, label: 'Practice or facility', kind: 'line' },
    { path: `${path}.npi`, label: 'NPI', kind: 'npi', hint: '10 digits.' },
    { path: `${path}.phone_number`, label: 'Phone number', kind: 'phone-number' },
    { path: `${path}.address.street_name`, label: 'Street', kind: 'line' },
    { path: `${path}.address.city`, label: 'City', kind: 'line' },
    { path: `${path}.address.state`, label: 'State or province', kind: 'line' },
    { path: `${path}.address.postal_code`, label: 'Postal code', kind: 'line' },
    {
      path: `${path}.address.country_code`,
      label: 'Country code',
      kind: 'line',
      hint: 'Two letters: US.',
      advice: 'enter the country as two letters, such as US',
    },
  ];
}

/** Of a `MemberInsurance`. */
function insuranceFields(path: string): readonly TaskField[] {
  return [
    { path: `${path}.company_name`, label: 'Company', kind: 'line' },
    { path: `${path}.plan_name`, label: 'Plan', kind: 'line' },
    { path: `${path}.member_id`, label: 'Member ID', kind: 'line' },
    { path: `${path}.group_number`, label: 'Group number', kind: 'line' },
    { path: `${path}.phone_number`, label: 'Phone number', kind: 'phone-number' },
    {
      path: `${path}.relationship_to_subscriber`,
      label: 'Relationship to subscriber',
      kind: 'relationship',
    },
    { path: `${path}.primary_subscriber.first_name`, label: 'Subscriber’s first name', kind: 'line' },
    { path: `${path}.primary_subscriber.last_name`, label: 'Subscriber’s last name', kind: 'line' },
  ];
}
