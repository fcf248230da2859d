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

/** An item of every task of a type, as defined in `items/`. */
const StandardItem = z.object({
  ...PlanItem.shape,
  required: z._default(z.boolean(), false),
  asked: z._default(z.boolean(), true),
  discloses: z._default(z.array(z.string()), []),
  only_if: z._default(PlanItem.shape.only_if, null),
  expected: z._default(PlanItem.shape.expected, null),
  /** The question when an appointment is moved. */
  when_rescheduling: z.optional(z.string()),
  /** Asked anyway if one of these facts is known, or if the client's words contain one of these phrases. */
  asked_when: z.optional(
    z.object({ topics: z._default(z.array(FactTopic), []), says: z._default(z.string(), '') }),
  ),
  /** The answers it accompanies, and the words around its value that mark it. */
  told_beside: z.optional(ToldBeside),
  /** Words that form other questions for the same item. */
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

/** Items that people mention unasked beside others. */
export function itemsToldBeside(type: TaskType): readonly { key: string; told_beside: ToldBeside }[] {
  return standardItems[type].flatMap(({ key, told_beside }) =>
    told_beside === undefined ? [] : [{ key, told_beside }],
  );
}

/** Items of other call types only; a client's own questions may be about anything. */
export function itemsElsewhere(type: TaskType): ReadonlySet<string> {
  const own = new Set(standardItems[type].map(({ key }) => key));
  const others = own.size === 0 ? [] : Object.values(standardItems).flat();
  return new Set(others.flatMap(({ key }) => (own.has(key) ? [] : [key])));
}

interface Given {
  readonly facts: readonly Fact[];
  /** Everything the client wrote. */
  readonly wishes: string;
  readonly isRescheduling: boolean;
}

/** The relevant items of a task type. */
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

/** The client's listed questions, by index. */
export function listedItems(data: z.infer<typeof CustomTaskData>, facts: readonly Fact[]): PlanItem[] {
  const questions = (data.questions_to_ask ?? [])
    .filter(({ question }) => question.trim() !== '')
    .toSorted((a, b) => a.index - b.index);
  return questions.map(({ index, question, answer }, position) => {
    // Two questions with one index are a client error; both are asked, under separate names.
    const isFirst = questions.findIndex((other) => other.index === index) === position;
    const key = isFirst ? `question_${index}` : `question_${index}_${position}`;
    return { ...clientItem(key, question.trim(), null, facts), required: true, expected: answer ?? null };
  });
}

/**
 * An item for a client's own question.
 *
 * @param otherWords the rephrased question, if any
 */
export function clientItem(
  key: string,
  text: string,
  otherWords: string | null,
  facts: readonly Fact[],
): PlanItem {
  const question = '?.!'.includes(text.at(-1) ?? '') ? text : `${text}?`;
  const kind = kindOfQuestion(question);
  const pressing = `${leadTo(kind, key)} ${question}`;
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

/** Leads to a question that is asked again: neighboring questions have different ones. */
function leadTo(kind: ItemKind, key: string): string {
  const wordings = leads[kind] ?? leads.text;
  return wordings[key.charCodeAt(key.length - 1) % wordings.length] ?? '';
}

const exact = (what: string): string[] => [
  `If you can, please give me the exact ${what}.`,
  `Could you give me the exact ${what}, please?`,
  `I would need the exact ${what}, if possible.`,
];
const leads: Partial<Record<ItemKind, readonly string[]>> & { readonly text: readonly string[] } = {
  'yes-no': [
    'I would need a clear yes or no, if possible.',
    'A yes or no would help me, please.',
    'Could you give me a plain yes or no, please?',
  ],
  money: exact('amount'),
  number: exact('number'),
  percentage: exact('number'),
  'phone-number': exact('number'),
  identifier: exact('number'),
  date: exact('date'),
  'date-time': exact('date'),
  text: [
    'Could you be a little more specific, please?',
    'Could you tell me a little more about that, please?',
    'Can you put that another way for me, please?',
  ],
};
