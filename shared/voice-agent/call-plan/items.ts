import * as z from 'zod/mini';
import type { CustomTaskData } from '#shared/domain/task-data.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { type Fact, FactTopic, type ItemKind, PlanItem } from './call-plan.ts';
import reimbursement from './items/reimbursement.json' with { type: 'json' };
import scheduleAppointment from './items/schedule-appointment.json' with { type: 'json' };
import verifyInsurance from './items/verify-insurance.json' with { type: 'json' };
import { kindOfQuestion } from './question-kind.ts';
import { inSentence, saysAny } from './words.ts';

const ToldBeside = z.object({
  /** Keys of items; a status with its value: `claim_status=denied`. */
  answers: z.array(z.string()),
  before: z._default(z.array(z.string()), []),
  after: z._default(z.array(z.string()), []),
});
export type ToldBeside = z.infer<typeof ToldBeside>;

/** Something that every task of a type finds out, as it stands in `items/`. */
const StandardItem = z.object({
  ...PlanItem.shape,
  required: z._default(z.boolean(), false),
  asked: z._default(z.boolean(), true),
  discloses: z._default(z.array(z.string()), []),
  only_if: z._default(PlanItem.shape.only_if, null),
  expected: z._default(PlanItem.shape.expected, null),
  /** The question when an appointment is moved. */
  when_rescheduling: z.optional(z.string()),
  /** Asked all the same when one of these facts is known, or when the client's words hold one of these phrases. */
  asked_when: z.optional(
    z.object({ topics: z._default(z.array(FactTopic), []), says: z._default(z.string(), '') }),
  ),
  /** The answers that it is told beside, and the words before or after its value that show it. */
  told_beside: z.optional(ToldBeside),
  /** Words of which other questions for the same thing are made. */
  about: z.string(),
});
export type StandardItem = z.infer<typeof StandardItem>;

const standardItems: Readonly<Record<TaskType, readonly StandardItem[]>> = {
  SCHEDULE_APPOINTMENT: z.array(StandardItem).parse(scheduleAppointment),
  VERIFY_INSURANCE: z.array(StandardItem).parse(verifyInsurance),
  REIMBURSEMENT: z.array(StandardItem).parse(reimbursement),
  CUSTOM_TASK: [],
};

export function standardItemsOf(type: TaskType): readonly StandardItem[] {
  return standardItems[type];
}

/** Items that people tell beside others, without being asked. */
export function itemsToldBeside(type: TaskType): readonly { key: string; told_beside: ToldBeside }[] {
  return standardItems[type].flatMap(({ key, told_beside }) =>
    told_beside === undefined ? [] : [{ key, told_beside }],
  );
}

/** What only calls of other types find out; a client's own questions may be about anything. */
export function itemsElsewhere(type: TaskType): ReadonlySet<string> {
  const own = new Set(standardItems[type].map(({ key }) => key));
  const others = own.size === 0 ? [] : Object.values(standardItems).flat();
  return new Set(others.flatMap(({ key }) => (own.has(key) ? [] : [key])));
}

interface Given {
  readonly facts: readonly Fact[];
  /** All that the client wrote. */
  readonly wishes: string;
  readonly isRescheduling: boolean;
}

/** The items of a task type, as far as what is given makes them worth asking. */
export function itemsOf(type: TaskType, { facts, wishes, isRescheduling }: Given): PlanItem[] {
  const service = facts.find(
    (fact) => fact.topic === 'service' && fact.may_be_told && fact.value.length <= 120,
  );
  return standardItems[type].map(({ when_rescheduling, asked_when, about: _, told_beside: __, ...item }) => {
    const isKnown = facts.some(({ topic }) => asked_when?.topics.includes(topic));
    const question = isRescheduling ? (when_rescheduling ?? item.question) : item.question;
    return {
      ...item,
      question: question.replace(
        '{service}',
        service === undefined ? 'this service' : inSentence(service.value),
      ),
      asked: item.asked || isKnown || saysAny(wishes, asked_when?.says ?? ''),
      discloses: service !== undefined && question.includes('{service}') ? [service.field] : item.discloses,
    };
  });
}

/** The questions that the client lists, in the order of their index. */
export function listedItems(data: z.infer<typeof CustomTaskData>, facts: readonly Fact[]): PlanItem[] {
  const questions = (data.questions_to_ask ?? [])
    .filter(({ question }) => question.trim() !== '')
    .toSorted((a, b) => a.index - b.index);
  return questions.map(({ index, question, answer }, position) => {
    // Two questions with one index are the client's slip; both are asked, and their names stay apart.
    const isFirst = questions.findIndex((other) => other.index === index) === position;
    const key = isFirst ? `question_${index}` : `question_${index}_${position}`;
    return { ...clientItem(key, question.trim(), null, facts), required: true, expected: answer ?? null };
  });
}

/**
 * An item for a question of the client's own.
 *
 * @param otherWords the question worded differently, if there is such a wording
 */
export function clientItem(
  key: string,
  text: string,
  otherWords: string | null,
  facts: readonly Fact[],
): PlanItem {
  const question = '?.!'.includes(text.at(-1) ?? '') ? text : `${text}?`;
  const kind = kindOfQuestion(question);
  const pressing = `${leads[kind] ?? leads.text} ${question}`;
  const lower = question.toLowerCase();
  const told = facts.filter(({ value }) => value.length > 3 && lower.includes(value.toLowerCase()));
  return {
    key,
    kind,
    question,
    rephrase: otherWords ?? pressing,
    rephrase2: otherWords === null ? null : pressing,
    read_back: null,
    required: false,
    asked: true,
    discloses: told.map(({ field }) => field),
    only_if: null,
    expected: null,
  };
}

const exactNumber = 'If you can, please give me the exact number.';
const exactDate = 'If you can, please give me the exact date.';
const leads: Partial<Record<ItemKind, string>> & { readonly text: string } = {
  'yes-no': 'I would need a clear yes or no, if possible.',
  money: 'If you can, please give me the exact amount.',
  number: exactNumber,
  percentage: exactNumber,
  'phone-number': exactNumber,
  identifier: exactNumber,
  date: exactDate,
  'date-time': exactDate,
  text: 'Could you be a little more specific, please?',
};
