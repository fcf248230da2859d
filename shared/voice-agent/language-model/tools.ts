import * as z from 'zod/mini';
import { ObstacleReason } from '#shared/domain/call-result.ts';
import { fits } from '../call-plan/availability.ts';
import type { CallPlan, Fact, PlanItem } from '../call-plan/call-plan.ts';
import { isRelevant } from '../call-plan/progress.ts';
import { checkValue } from '../dialogue/answer-values.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import { type DialogueRecord, EndReason, type RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { FarewellId } from '../dialogue/farewells.ts';
import { digitsIn, findQuote, type HeardWords, type Quote } from '../dialogue/quotes.ts';
import { writtenValue } from '../dialogue/written-values.ts';
import { isNumberOf } from './number-guard.ts';
import { timeToCall } from './time-to-call.ts';
import type { ToolSpec } from './transport.ts';

/** The result of using a tool: its effect, or its problem, which the model is told. */
export type ToolOutcome = { readonly actions: readonly DialogueAction[] } | { readonly problem: string };

export interface ToolContext {
  readonly plan: CallPlan;
  /** Facts that may be told to the person on the line. */
  readonly facts: readonly Fact[];
  readonly record: DialogueRecord;
  /** All words of the other side. */
  readonly heard: readonly HeardWords[];
  /** Our words before this turn. */
  readonly ours: readonly HeardWords[];
  /** The day at the called place. */
  readonly today: string;
}

interface Tool {
  readonly description: string;
  readonly schema: z.ZodMiniType;
  use(input: unknown, context: ToolContext): ToolOutcome;
}

function tool<Schema extends z.ZodMiniType>(
  description: string,
  schema: Schema,
  use: (input: z.infer<Schema>, context: ToolContext) => ToolOutcome,
): Tool {
  return {
    description,
    schema,
    use(input, context) {
      const parsed = schema.safeParse(input);
      if (parsed.success) return use(parsed.data, context);
      const places = parsed.error.issues.map((issue) => {
        const allowed = issue.code === 'invalid_value' ? ` must be one of ${issue.values.join(', ')}` : '';
        return `${issue.path.join('.') || 'no object'}${allowed}`;
      });
      return { problem: `the input is not valid: ${places.join(', ')}` };
    },
  };
}

const short = z.string().check(z.minLength(1), z.maxLength(500));
const anyValue = z.optional(z.union([z.string(), z.number(), z.boolean(), z.null()]));
const answerInput = z.object({ key: z.string(), value: anyValue, quote: short });
const quoted = 'is copied from the words of the other side, character by character';
const notSaid = { problem: 'the other side did not say this; quote their exact words, or ask them' };

const tools: Readonly<Record<string, Tool>> = {
  press_keys: tool(
    'Sends telephone keys into the line, for a menu or a machine that asks for a number. ' +
      '"w" is a pause of half a second.',
    z.object({ keys: z.string().check(z.regex(/^[0-9*#w]{1,40}$/)) }),
    pressKeys,
  ),
  wait: tool(
    'Says nothing until somebody speaks: during hold music and announcements, ' +
      'while a menu is still being read out, or when you were asked to hold.',
    z.object({}),
    () => done({ type: 'wait' }),
  ),
  record_answer: tool(
    `Records the answer to one item. "quote" ${quoted}: the whole sentences that answer it. ` +
      'Recording an item again replaces its answer.',
    answerInput,
    recordAnswer,
  ),
  retract_answer: tool(
    'Takes a recorded answer back that turned out not to hold.',
    z.object({ key: z.string() }),
    ({ key }, { record }) =>
      record.answers.some((answer) => answer.key === key)
        ? done({ type: 'retract', key })
        : { problem: `nothing is recorded for ${key}` },
  ),
  note_obstacle: tool(
    `Notes what stands in the way of the goal, as soon as they tell it. "quote" ${quoted}.`,
    z.object({ reason: ObstacleReason, quote: short }),
    ({ reason, quote }, { heard, today }) => {
      const said = findQuote(quote, heard);
      if (said === null) return notSaid;
      const call_back_at = reason === 'call_back_at' ? timeToCall(said.quote, today) : null;
      return done({ type: 'obstacle', obstacle: { reason, ...said, call_back_at } });
    },
  ),
  follow_up: tool(
    'Notes what somebody must do or find out after the call, as one sentence.',
    z.object({ text: short }),
    ({ text }) => done({ type: 'follow-up', text }),
  ),
  end_call: tool(
    'Ends the call. A farewell that fits the reason is spoken for you: write no words with it, and no goodbye.',
    z.object({ reason: EndReason }),
    endCall,
  ),
};

/** The description of tools for the model. Some models accept only these members of a schema. */
export const toolSpecs: readonly ToolSpec[] = Object.entries(tools).map(([name, { description, schema }]) => {
  const { type, properties, required = [] } = z.toJSONSchema(schema, { target: 'draft-7' });
  return { name, description, inputSchema: z.json().parse({ type, properties, required }) };
});

/** Carries out one tool use as far as it is valid; the input is whatever the model wrote. */
export function useTool(name: string, input: unknown, context: ToolContext): ToolOutcome {
  const used = Object.hasOwn(tools, name) ? tools[name] : undefined;
  const names = Object.keys(tools).join(', ');
  return used?.use(input, context) ?? { problem: `there is no tool ${name}; the tools are ${names}` };
}

function done(...actions: DialogueAction[]): ToolOutcome {
  return { actions };
}

/** Longer numbers identify people, so only those of the plan are keyed in. */
const longestMenuChoice = 4;

function pressKeys({ keys }: { keys: string }, { facts }: ToolContext): ToolOutcome {
  const digits = digitsIn(keys);
  const known = facts.flatMap(({ value, spoken }) => [value, spoken]);
  return digits.length <= longestMenuChoice || isNumberOf(known, digits)
    ? done({ type: 'press', digits: keys })
    : { problem: 'this number is not one of the facts' };
}

function recordAnswer(
  { key, value = null, quote }: z.infer<typeof answerInput>,
  context: ToolContext,
): ToolOutcome {
  const { plan, record, heard, today } = context;
  const item = plan.items.find((known) => known.key === key);
  const keys = plan.items.map((known) => known.key).join(', ');
  if (item === undefined) return { problem: `there is no item ${key}; the items are ${keys}` };
  const said = findQuote(quote, heard);
  if (said === null) return notSaid;
  const checked = checkValue(item, value, said.quote, today);
  if (checked.problem !== null) return checked;
  if (key === 'appointment_time' && !suits(String(checked.value), plan, today)) {
    return { problem: 'the patient cannot come at this time; do not take it, ask for another one' };
  }
  if (key === 'booking_confirmed' && checked.value === true && !isTakenBefore(said, context)) {
    return {
      problem: 'record appointment_time, say the day and time that you take, and wait until they confirm it',
    };
  }
  const found = { key, answer: said.quote, value: checked.value, ...said, needs_review: false };
  const recorded = inTheirWords(item, found);
  const isKnown = record.answers.some(
    (known) => known.key === key && known.value === recorded.value && known.quote === said.quote,
  );
  if (isKnown) return done();
  const name: DialogueAction[] = key === 'person_name' ? [{ type: 'meet', name: recorded.answer }] : [];
  return done({ type: 'record', answer: recorded }, ...name);
}

/** Their words, or what the value says: never words that only the model has written. */
function inTheirWords(item: PlanItem, recorded: RecordedAnswer): RecordedAnswer {
  const { value } = recorded;
  if (value === null || item.kind === 'text') return recorded;
  if (typeof value === 'boolean') return { ...recorded, answer: value ? 'Yes' : 'No' };
  return { ...recorded, answer: writtenValue(item, recorded) };
}

const timeItem = { key: 'appointment_time', kind: 'date-time' } as const;

/**
 * Whether we took the time before they confirmed it: "Yes, of course. I could do Tuesday at nine" books nothing. We
 * named it, or answered the offer and they name it again.
 */
function isTakenBefore({ quote, turn }: Quote, { record, heard, ours, today }: ToolContext): boolean {
  const time = record.answers.find(({ key }) => key === 'appointment_time')?.value ?? null;
  const names = (words: string): boolean => checkValue(timeItem, time, words, today).problem === null;
  const offered = heard.find(({ content }) => names(content))?.index ?? turn;
  const answered = ours.filter(({ index }) => index > offered && index < turn);
  return answered.some(({ content }) => names(content) || names(quote));
}

/** Whether the patient can come then; a language model does not handle the calendar alone. */
function suits(dayAndTime: string, plan: CallPlan, today: string): boolean {
  const [day = '', time = ''] = dayAndTime.split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return day >= today && fits({ day, minutes: hours * 60 + minutes }, plan.availability) !== 'does-not-fit';
}

const farewells: Partial<Record<EndReason, FarewellId>> = {
  finished: 'thanks',
  refused: 'refused',
  'opted-out': 'refused',
  'wrong-number': 'wrong-number',
  'call-again': 'call-again',
  voicemail: 'voicemail',
};

function endCall({ reason }: { reason: EndReason }, { plan, record }: ToolContext): ToolOutcome {
  if (reason === 'call-again' && record.obstacle === null)
    return { problem: 'first note_obstacle, with the words that say why and when to call again' };
  const answers = new Map(record.answers.map((answer) => [answer.key, answer]));
  const open = plan.items.filter(
    (item) => item.required && !answers.has(item.key) && isRelevant(item, answers, plan),
  );
  const keys = open.map(({ key }) => key).join(', ');
  return reason === 'finished' && open.length > 0
    ? {
        problem:
          `still to find out: ${keys}; ask for it, record it if it was said, ` +
          'or end with "declined" when they cannot or will not tell it',
      }
    : done({ type: 'end', reason, farewell: farewells[reason] ?? 'follow-up' });
}
