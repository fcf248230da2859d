import type { CallEnding, Obstacle } from '#shared/domain/call-result.ts';
import { obstacleSentence } from '#shared/domain/obstacle-sentences.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { type CallPlan, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { isRelevant } from '../call-plan/progress.ts';
import type { DialogueRecord, RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { quoted, writtenSlot, writtenValue } from '../dialogue/written-values.ts';
import { endings, names, withoutBusiness } from './summary-words.ts';

interface Outcome {
  readonly plan: CallPlan;
  readonly record: Pick<DialogueRecord, 'person_name' | 'follow_ups'>;
  readonly ending: CallEnding;
  readonly answers: ReadonlyMap<string, RecordedAnswer>;
  readonly obstacle: Obstacle | null;
  readonly goalReached: boolean;
}

/** The start of a summary, and the answers it contains. */
interface Headline {
  readonly text: string;
  readonly tells: readonly string[];
}

const headlines: Record<TaskType, (outcome: Outcome) => Headline> = {
  SCHEDULE_APPOINTMENT: appointment,
  VERIFY_INSURANCE: coverage,
  REIMBURSEMENT: (outcome) => ({
    text: sure(outcome, 'claim_status', (value) => `Claim status: ${value}`, 'The status of the claim'),
    tells: ['claim_status'],
  }),
  CUSTOM_TASK: ({ plan, answers }) => {
    const questions = plan.items.filter(({ asked }) => asked);
    const answered = questions.filter(({ key }) => answers.get(key)?.needs_review === false).length;
    const many = questions.length === 1 ? 'question' : 'questions';
    return { text: `${answered} of ${questions.length} ${many} answered`, tells: [] };
  },
};

/**
 * One readable paragraph about a conversation; becomes `call_outcome`. Made of values, not of spoken words:
 * the person's words are in quotation marks.
 */
export function summarize(outcome: Outcome): string {
  const { plan, record, answers, obstacle } = outcome;
  const reason = outcome.ending;
  if (reason === 'no-speech') return endings[reason];
  const ending = outcome.goalReached ? '' : endings[reason];
  const hindered = obstacle === null ? '' : obstacleSentence(obstacle);
  const followUps = record.follow_ups.filter((text) => obstacle === null || !text.includes(obstacle.quote));
  const spokeWith = record.person_name === null ? [] : [`spoke with ${record.person_name}`];
  if (withoutBusiness.has(reason) && answers.size === 0) {
    return sentences([ending, ...spokeWith.map(capitalized), hindered, ...followUps]);
  }
  const { text, tells } = headlines[plan.task_type](outcome);
  const told = plan.items.filter(({ key }) => !tells.includes(key) && key !== 'person_name');
  const known = told.flatMap((item) => {
    const answer = answers.get(item.key);
    return answer === undefined || answer.needs_review ? [] : [{ item, answer }];
  });
  const figures = known.filter(({ item }) => item.kind !== 'text' && !isClientsOwn(item));
  const statements = known.filter(({ item }) => item.kind === 'text' || isClientsOwn(item));
  return sentences([
    [text, ...figures.map(({ item, answer }) => figure(item, answer)), ...spokeWith].join('; '),
    ...statements.map(({ item, answer }) => statement(item, answer)),
    ...plan.items.flatMap((item) => reviewNote(item, answers.get(item.key))),
    openQuestions(plan, answers),
    hindered,
    ending,
    ...followUps,
  ]);
}

function appointment({ plan, answers, goalReached }: Outcome): Headline {
  const tells = ['appointment_time', 'booking_confirmed'];
  const time = answers.get('appointment_time');
  const when = typeof time?.value === 'string' ? writtenSlot(time.value) : '';
  const doctor = answers.get('provider_name');
  const withDoctor = typeof doctor?.value === 'string' ? ` with ${doctor.value}` : '';
  if (goalReached) {
    const done = plan.is_rescheduling ? 'rescheduled' : 'booked';
    const text =
      when === ''
        ? `An appointment was ${done}${withDoctor}, but its time is not sure`
        : `Appointment ${done} ${plan.is_rescheduling ? 'to' : 'for'} ${when}${withDoctor}`;
    return { text, tells: withDoctor === '' ? tells : [...tells, 'provider_name'] };
  }
  const isDoubtful = tells.some((key) => answers.get(key)?.needs_review === true);
  const not = plan.is_rescheduling ? 'The appointment was not rescheduled' : 'No appointment was booked';
  const spokenOf = when === '' ? '' : `. ${when}${withDoctor} was spoken of, but not confirmed`;
  return { text: `${isDoubtful ? 'It is not sure that an appointment was made' : not}${spokenOf}`, tells };
}

function coverage(outcome: Outcome): Headline {
  const text = sure(
    outcome,
    'coverage_active',
    (value) => `Coverage is ${value === 'yes' ? 'active' : 'not active'}`,
    'Whether the coverage is active',
  );
  return { text, tells: ['coverage_active'] };
}

/** A sentence about an answer that counts, or that it was not found or is uncertain. */
function sure(
  { plan, answers }: Outcome,
  key: string,
  say: (value: string) => string,
  about: string,
): string {
  const item = plan.items.find((one) => one.key === key);
  const answer = answers.get(key);
  if (item === undefined || answer === undefined) return `${about} was not found out`;
  return answer.needs_review ? `${about} is not sure` : say(writtenValue(item, answer));
}

function figure(item: PlanItem, answer: RecordedAnswer): string {
  const name = names[item.key] ?? item.key.replaceAll('_', ' ');
  const value = writtenValue(item, answer);
  if (typeof name === 'string') return `${name} ${value}`;
  return value === 'yes' ? name[0] : value === 'no' ? name[1] : `${item.key.replaceAll('_', ' ')} ${value}`;
}

function statement(item: PlanItem, answer: RecordedAnswer): string {
  const value = isClientsOwn(item) ? inOwnWords(answer) : writtenValue(item, answer);
  return `${labelOf(item, answer)} ${capitalized(value)}`;
}

/** "Yes: 'We do, only on Fridays.'", "$40", or the words alone as a quote. */
function inOwnWords({ answer, value }: RecordedAnswer): string {
  return value === null && !answer.endsWith('"') ? quoted(answer) : answer;
}

function labelOf({ key, kind, question }: PlanItem, { value }: RecordedAnswer): string {
  const name = names[key];
  if (typeof name === 'string') return `${capitalized(name)}:`;
  return name !== undefined && kind === 'text' && typeof value === 'boolean'
    ? `${name[value ? 0 : 1]}:`
    : question;
}

function reviewNote(item: PlanItem, answer: RecordedAnswer | undefined): string[] {
  return answer?.needs_review === true ? [`Needs review: ${item.question} ${inOwnWords(answer)}`] : [];
}

function openQuestions(plan: CallPlan, answers: Outcome['answers']): string {
  const open = plan.items.filter(
    (item) => item.required && !answers.has(item.key) && isRelevant(item, answers, plan),
  );
  if (open.length === 0 || plan.task_type === 'SCHEDULE_APPOINTMENT') return '';
  return `Not answered: ${open.map(({ question }) => question).join(' ')}`;
}

function sentences(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/[.!?]["')]?$/.test(part) ? part : `${part}.`))
    .join(' ');
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
