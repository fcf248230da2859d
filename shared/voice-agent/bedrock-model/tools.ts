import type { Tool } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod/mini';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import { type DialogueRecord, EndReason, type RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { FarewellId } from '../dialogue/farewells.ts';
import type { CallPlan } from '../plan/call-plan.ts';
import { isRelevant } from '../plan/progress.ts';
import { fitOf } from '../plan/time-wishes.ts';
import { checkValue } from './item-values.ts';
import { findQuote, type HeardWords } from './quotes.ts';

const short = z.string().check(z.minLength(1), z.maxLength(500));

const inputs = {
  press_keys: z.object({ keys: z.string().check(z.regex(/^[0-9*#w]{1,40}$/)) }),
  wait: z.object({}),
  record_answer: z.object({
    key: z.string(),
    answer: short,
    value: z.optional(z.union([z.string(), z.number(), z.boolean(), z.null()])),
    quote: short,
  }),
  retract_answer: z.object({ key: z.string() }),
  note_person: z.object({ name: z.string().check(z.minLength(1), z.maxLength(80)) }),
  follow_up: z.object({ text: short }),
  end_call: z.object({ reason: EndReason }),
};
type ToolName = keyof typeof inputs;

const descriptions: Record<ToolName, string> = {
  press_keys:
    'Sends telephone keys into the line, for a menu or a machine that asks for a number. "w" is a pause of half a second.',
  wait: 'Says nothing until somebody speaks: during hold music and announcements, while a menu is still being read out, or when you were asked to hold.',
  record_answer:
    'Records the answer to one item. "quote" is copied from the words of the other side, character by character. Recording an item again replaces its answer.',
  retract_answer: 'Takes a recorded answer back that turned out not to hold.',
  note_person: 'Notes the name of the person on the line, as soon as they tell it.',
  follow_up: 'Notes what somebody must do or find out after the call, as one sentence.',
  end_call:
    'Ends the call. A farewell that fits the reason is spoken for you, so do not say goodbye yourself.',
};

const toolNames = Object.keys(inputs).filter(isToolName);

/** What the model is told about its tools. */
export const toolSpecs: Tool[] = toolNames.map((name) => ({
  toolSpec: {
    name,
    description: descriptions[name],
    inputSchema: { json: inputSchema(inputs[name]) },
  },
}));

/** Not every model takes more than these three members at the top. */
function inputSchema(input: z.ZodMiniType): z.core.util.JSONType {
  const { type, properties, required } = z.toJSONSchema(input, { target: 'draft-7' });
  return z.json().parse({ type, properties, ...(required === undefined ? {} : { required }) });
}

/** What using a tool came to. */
export interface ToolOutcome {
  readonly actions: readonly DialogueAction[];
  /** What was wrong, told to the model; `null` when nothing was. */
  readonly problem: string | null;
  /** Whether it decides the turn: nothing is left to say after it. */
  readonly isDecisive: boolean;
}

export interface ToolContext {
  readonly plan: CallPlan;
  readonly record: DialogueRecord;
  /** Everything that the other side has said. */
  readonly heard: readonly HeardWords[];
  /** The day at the place that is called. */
  readonly today: string;
}

/** Carries out one use of a tool as far as it is sound; the input is whatever the model wrote. */
export function useTool(name: string, input: unknown, context: ToolContext): ToolOutcome {
  if (!isToolName(name)) return refused(`there is no tool ${name}; the tools are ${toolNames.join(', ')}`);
  switch (name) {
    case 'press_keys':
      return withInput(inputs.press_keys, input, ({ keys }) => pressKeys(keys, context));
    case 'wait':
      return decided({ type: 'wait' });
    case 'record_answer':
      return withInput(inputs.record_answer, input, (answer) => recordAnswer(answer, context));
    case 'retract_answer':
      return withInput(inputs.retract_answer, input, ({ key }) =>
        context.record.answers.some((answer) => answer.key === key)
          ? done({ type: 'retract', key })
          : refused(`nothing is recorded for ${key}`),
      );
    case 'note_person':
      return withInput(inputs.note_person, input, ({ name: person }) => notePerson(person, context));
    case 'follow_up':
      return withInput(inputs.follow_up, input, ({ text }) => done({ type: 'follow-up', text }));
    case 'end_call':
      return withInput(inputs.end_call, input, ({ reason }) => endCall(reason, context));
  }
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(inputs, name);
}

function withInput<Input>(
  schema: z.ZodMiniType<Input>,
  input: unknown,
  use: (input: Input) => ToolOutcome,
): ToolOutcome {
  const parsed = schema.safeParse(input);
  if (parsed.success) return use(parsed.data);
  const places = parsed.error.issues.map(({ path }) => path.join('.')).filter((place) => place !== '');
  return refused(`the input is not valid${places.length === 0 ? '' : `: ${places.join(', ')}`}`);
}

function done(...actions: DialogueAction[]): ToolOutcome {
  return { actions, problem: null, isDecisive: false };
}

function decided(action: DialogueAction): ToolOutcome {
  return { actions: [action], problem: null, isDecisive: true };
}

function refused(problem: string): ToolOutcome {
  return { actions: [], problem, isDecisive: false };
}

/** Longer numbers tell who somebody is, so only those of the plan are keyed in. */
const longestMenuChoice = 4;

function pressKeys(keys: string, { plan }: ToolContext): ToolOutcome {
  const digits = keys.replaceAll(/\D/g, '');
  const isKnown = plan.facts.some(({ value, spoken }) =>
    [value, spoken, ...usualDateOrders(value)].some((text) => text.replaceAll(/\D/g, '').includes(digits)),
  );
  return digits.length <= longestMenuChoice || isKnown
    ? decided({ type: 'press', digits: keys })
    : refused('this number is not one of the facts');
}

/** Machines ask for dates as month, day and year. */
function usualDateOrders(value: string): string[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  return year === '' ? [] : [month + day + year, day + month + year, month + day + year.slice(2)];
}

function recordAnswer(
  { key, answer, value = null, quote }: z.infer<typeof inputs.record_answer>,
  { plan, record, heard, today }: ToolContext,
): ToolOutcome {
  const item = plan.items.find((known) => known.key === key);
  if (item === undefined) {
    return refused(
      `there is no item ${key}; the items are ${plan.items.map((known) => known.key).join(', ')}`,
    );
  }
  const said = findQuote(quote, heard);
  if (said === null) return refused('the other side did not say this; quote their exact words, or ask them');
  const checked = checkValue(item.kind, value, { quote: said.quote, today });
  if (!checked.isValid) return refused(checked.problem);
  if (item.key === 'appointment_time' && !suits(String(checked.value), plan, today)) {
    return refused('the patient cannot come at this time; do not take it, ask for another one');
  }
  const recorded: RecordedAnswer = { key, answer, value: checked.value, ...said };
  const isKnown = record.answers.some(
    (known) => known.key === key && known.value === recorded.value && known.quote === recorded.quote,
  );
  if (isKnown) return done();
  const name: DialogueAction[] = key === 'person_name' ? [{ type: 'meet', name: answer }] : [];
  return done({ type: 'record', answer: recorded }, ...name);
}

/** Whether the patient can come then; a language model is not left alone with the calendar. */
function suits(dayAndTime: string, plan: CallPlan, today: string): boolean {
  const day = dayAndTime.slice(0, 10);
  const [hours = 0, minutes = 0] = dayAndTime.slice(11).split(':').map(Number);
  return day >= today && fitOf({ day, minutes: hours * 60 + minutes }, plan.time_wishes) !== 'no';
}

function notePerson(name: string, { record, heard }: ToolContext): ToolOutcome {
  if (findQuote(name, heard) === null) return refused('nobody on the line has said this name');
  return name === record.person_name ? done() : done({ type: 'meet', name });
}

function endCall(reason: EndReason, { plan, record }: ToolContext): ToolOutcome {
  const answers = new Map(record.answers.map((answer) => [answer.key, answer]));
  const open = plan.items.filter(
    (item) => item.required && !answers.has(item.key) && isRelevant(item, answers),
  );
  if (reason === 'finished' && open.length > 0) {
    return refused(
      `still to find out: ${open.map(({ key }) => key).join(', ')}; ask for it, record it if it was said, or end with "declined" when they cannot or will not tell it`,
    );
  }
  return decided({ type: 'end', reason, farewell: farewells[reason] });
}

const farewells: Record<EndReason, FarewellId> = {
  finished: 'thanks',
  declined: 'follow-up',
  refused: 'refused',
  'opted-out': 'refused',
  'wrong-number': 'wrong-number',
  'call-again': 'call-again',
  voicemail: 'voicemail',
  'gave-up': 'follow-up',
};
