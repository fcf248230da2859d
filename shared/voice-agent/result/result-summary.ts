import type { DialogueRecord, EndReason, RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { writtenDay, writtenTime } from '../language/calendar.ts';
import type { CallPlan } from '../plan/call-plan.ts';

interface Outcome {
  readonly plan: CallPlan;
  readonly record: DialogueRecord;
  readonly answers: ReadonlyMap<string, RecordedAnswer>;
  readonly goalReached: boolean;
  /** Whether the person said anything at all. */
  readonly heard: boolean;
}

/** One readable paragraph about a conversation; becomes `call_outcome`. */
export function summarize(outcome: Outcome): string {
  const { record, heard } = outcome;
  if (!heard) return 'The call was answered, but nobody spoke.';
  const without = withoutBusiness(record.ending?.reason ?? null);
  if (without !== null && outcome.answers.size === 0) {
    return sentences([`${without}${spokeWith(record, ' Spoke with')}`, ...record.follow_ups]);
  }
  switch (outcome.plan.task_type) {
    case 'SCHEDULE_APPOINTMENT':
      return schedulingSummary(outcome);
    case 'VERIFY_INSURANCE':
      return benefitsSummary(outcome);
    case 'REIMBURSEMENT':
      return claimSummary(outcome);
    case 'CUSTOM_TASK':
      return questionsSummary(outcome);
  }
}

/** Endings before the matter itself came up. */
function withoutBusiness(reason: EndReason | null): string | null {
  switch (reason) {
    case 'refused':
      return 'The person called did not want to speak with us.';
    case 'opted-out':
      return 'The person called asked not to be called again.';
    case 'wrong-number':
      return 'Wrong number: somebody else was reached.';
    case 'call-again':
      return 'The person called asked to be called at another time.';
    case 'voicemail':
      return 'A voicemail answered.';
    case 'declined':
    case 'finished':
    case 'gave-up':
    case null:
      return null;
  }
}

/** Why the matter was not settled. */
function brokenOff(reason: EndReason | null): string {
  switch (reason) {
    case null:
      return 'The call ended before everything was settled.';
    case 'gave-up':
      return 'The conversation did not come to a result.';
    case 'declined':
      return 'The other side could not do it.';
    case 'finished':
      return '';
    case 'refused':
    case 'opted-out':
    case 'wrong-number':
    case 'call-again':
    case 'voicemail':
      return withoutBusiness(reason) ?? '';
  }
}

function schedulingSummary({ plan, record, answers, goalReached }: Outcome): string {
  const time = answers.get('appointment_time');
  const doctor = answers.get('provider_name')?.answer;
  const number = answers.get('confirmation_number')?.answer;
  const instructions = answers.get('instructions')?.answer;
  const when = time === undefined ? '' : writtenSlot(time.value);
  const withDoctor = doctor === undefined ? '' : ` with ${doctor}`;
  if (goalReached) {
    const details = [
      `Appointment ${plan.is_rescheduling ? 'rescheduled to' : 'booked for'} ${when}${withDoctor}`,
      ...(number === undefined ? [] : [`confirmation number ${number}`]),
      ...(record.person_name === null ? [] : [`spoke with ${record.person_name}`]),
    ];
    return sentences([
      `${details.join('; ')}.`,
      ...(instructions === undefined ? [] : [`Note for the patient: ${instructions}`]),
      ...record.follow_ups,
    ]);
  }
  return sentences([
    plan.is_rescheduling ? 'The appointment was not rescheduled.' : 'No appointment was booked.',
    ...(time === undefined ? [] : [`${capitalized(when)}${withDoctor} was spoken of, but not confirmed.`]),
    brokenOff(record.ending?.reason ?? null),
    spokeWith(record, 'Spoke with'),
    ...record.follow_ups,
  ]);
}

function benefitsSummary({ plan, record, answers }: Outcome): string {
  const active = answers.get('coverage_active')?.value;
  const planName = answers.get('plan_name')?.answer;
  const under = planName === undefined ? '' : ` (${withoutStop(planName)})`;
  const coverage =
    active === undefined
      ? 'Whether the coverage is active was not found out'
      : `Coverage is ${active === true ? 'active' : 'not active'}${under}`;
  const met = answers.get('deductible_met')?.answer;
  const figures = [
    labelled(answers, 'effective_date', 'effective since'),
    yesNo(answers, 'in_network', 'provider in network', 'provider out of network'),
    yesNo(answers, 'service_covered', 'service covered', 'service not covered'),
    labelled(answers, 'copay', 'copay'),
    labelled(
      answers,
      'deductible',
      'deductible',
      met === undefined ? '' : ` (${withoutStop(met).replace(/ met$/, '')} met)`,
    ),
    labelled(answers, 'coinsurance', 'coinsurance'),
    labelled(answers, 'out_of_pocket_maximum', 'out-of-pocket maximum'),
    yesNo(answers, 'pre_authorization', 'pre-authorization required', 'no pre-authorization required'),
    yesNo(answers, 'referral_required', 'referral required', 'no referral required'),
    labelled(answers, 'visit_limit', 'visit limit'),
    labelled(answers, 'reference_number', 'reference number'),
    record.person_name === null ? '' : `spoke with ${record.person_name}`,
  ].filter((part) => part !== '');
  const process = answers.get('authorization_process')?.answer;
  return sentences([
    `${[coverage, ...figures].join('; ')}.`,
    ...(process === undefined ? [] : [`How to request the pre-authorization: ${process}`]),
    unanswered(plan, answers),
    brokenOff(record.ending?.reason ?? null),
    ...record.follow_ups,
  ]);
}

function claimSummary({ plan, record, answers }: Outcome): string {
  const status = answers.get('claim_status');
  const missing = answers.get('missing_documents');
  const details = [
    status === undefined
      ? 'The status of the claim was not found out'
      : `Claim status: ${withoutStop(status.answer)}`,
    labelled(answers, 'paid_amount', 'amount paid'),
    labelled(answers, 'allowed_amount', 'allowed amount'),
    labelled(answers, 'payment_date', 'payment date'),
    labelled(answers, 'payment_number', 'payment number'),
    labelled(answers, 'patient_responsibility', 'patient responsibility'),
    labelled(answers, 'reference_number', 'reference number'),
    record.person_name === null ? '' : `spoke with ${record.person_name}`,
  ].filter((part) => part !== '');
  return sentences([
    `${details.join('; ')}.`,
    ...stated(answers, 'denial_reason', 'Reason for the denial'),
    ...(missing === undefined
      ? []
      : [missing.value === true ? `Missing: ${capitalized(missing.answer)}` : 'Nothing is missing.']),
    ...stated(answers, 'send_documents_to', 'To be sent to'),
    ...stated(answers, 'expected_decision', 'Decision expected'),
    ...stated(answers, 'expected_payment', 'Payment expected'),
    ...stated(answers, 'appeal_deadline', 'Deadline for an appeal'),
    unanswered(plan, answers),
    brokenOff(record.ending?.reason ?? null),
    ...record.follow_ups,
  ]);
}

function questionsSummary({ plan, record, answers }: Outcome): string {
  const questions = plan.items.filter(({ asked }) => asked);
  const answered = questions.filter(({ key }) => answers.has(key));
  return sentences([
    `${answered.length} of ${questions.length} ${questions.length === 1 ? 'question' : 'questions'} answered${record.person_name === null ? '' : ` by ${record.person_name}`}.`,
    ...questions.map(({ key, question }) => `${question} ${answers.get(key)?.answer ?? 'Not answered.'}`),
    brokenOff(record.ending?.reason ?? null),
    ...record.follow_ups,
  ]);
}

function unanswered(plan: CallPlan, answers: Outcome['answers']): string {
  const open = plan.items.filter((item) => item.required && item.only_if === null && !answers.has(item.key));
  return open.length === 0 || answers.size === 0
    ? ''
    : `Not answered: ${open.map(({ question }) => question).join(' ')}`;
}

function labelled(answers: Outcome['answers'], key: string, label: string, after = ''): string {
  const answer = answers.get(key);
  return answer === undefined ? '' : `${label} ${withoutStop(answer.answer)}${after}`;
}

function yesNo(answers: Outcome['answers'], key: string, ifYes: string, ifNo: string): string {
  const value = answers.get(key)?.value;
  return value === true ? ifYes : value === false ? ifNo : '';
}

function stated(answers: Outcome['answers'], key: string, label: string): string[] {
  const answer = answers.get(key)?.answer;
  return answer === undefined ? [] : [`${label}: ${answer}`];
}

function spokeWith({ person_name: name }: DialogueRecord, words: string): string {
  return name === null ? '' : `${words} ${name}.`;
}

/** `2026-11-24T10:30` → `Tuesday, November 24, 2026 at 10:30 AM` */
function writtenSlot(value: RecordedAnswer['value']): string {
  const match = typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})$/.exec(value) : null;
  if (match === null) return String(value ?? '');
  const [, day = '', hour, minute] = match;
  return `${writtenDay(day)} at ${writtenTime(Number(hour) * 60 + Number(minute))}`;
}

function sentences(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/[.!?]["')]?$/.test(part) ? part : `${part}.`))
    .join(' ');
}

function withoutStop(text: string): string {
  return text.replace(/[.\s]+$/, '');
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
