import * as z from 'zod/mini';
import type { Turn } from '#shared/domain/conversation.ts';
import type { CallPlan, Fact, PlanItem } from '../call-plan/call-plan.ts';
import { isOfCaller } from '../call-plan/disclosure.ts';
import { expectedTypes } from '../call-plan/item-values.ts';
import { itemsElsewhere } from '../call-plan/items.ts';
import type { DialogueAction, DialogueInput, DialogueModel } from '../dialogue/dialogue-model.ts';
import { likelyListener } from '../dialogue/likely-listener.ts';
import { localDay } from '../language/calendar.ts';
import { type Context, type Heard, likelihood, understand } from '../understanding/understand.ts';
import { unlessContradicted } from './contradicted-answer.ts';
import type { ConversationView } from './conversation-view.ts';
import { directionOf } from './direction.ts';
import { asksWhomWeReached, keysPressed } from './our-words.ts';
import { unlessRecording } from './possible-recording.ts';
import {
  asItIs,
  isInVain,
  noProgress,
  Progress,
  progressAfterTurn,
  progressAtPrompt,
  repliesAlike,
} from './progress-guard.ts';
import { nobodyYet, Party, partyAfter } from './right-party.ts';
import { SpokenGuard } from './spoken-guard.ts';
import { withStatedAnswers } from './stated-answers.ts';
import { refusalToTell } from './wording.ts';

/*
 * The rules for every dialogue model: who is on the line, which facts they may hear, what was heard, and that nothing
 * forbidden leaves. A model proposes; its proposal is checked here.
 */

/** A turn for a model, with the core's knowledge. */
export type GovernedInput = DialogueInput & { readonly view: ConversationView };

/** A model that proposes turns. */
export interface ProposingModel extends Omit<DialogueModel, 'takeTurn'> {
  takeTurn(input: GovernedInput, signal: AbortSignal): AsyncIterable<DialogueAction>;
}

const CoreMemory = z.object({
  party: Party,
  /** The day or month under discussion, which "the 9th" refers to. */
  anchor: z.nullable(z.string()),
  progress: Progress,
  model: z.unknown(),
});
type CoreMemory = z.infer<typeof CoreMemory>;

export const emptyCore: CoreMemory = { party: nobodyYet, anchor: null, progress: noProgress, model: null };

/** The model under the core's rules. */
export function governed(model: ProposingModel): DialogueModel {
  return {
    name: model.name,
    isImmediate: model.isImmediate,
    async *takeTurn(input, signal) {
      // Nothing yet, or the memory of an older version.
      const before = CoreMemory.safeParse(input.memory).data ?? emptyCore;
      const { core, view } = advance(before, input);
      const { person } = core.party;
      if (view.heard !== null && person !== null && person !== before.party.person)
        yield { type: 'meet', name: person };
      const taken: DialogueAction[] = [];
      let memory = core.model;
      for await (const action of governedActions(
        model,
        { ...input, memory: core.model, view },
        core,
        signal,
      )) {
        if (action.type === 'remember') {
          memory = action.memory;
          continue;
        }
        // The same fact again is not new.
        if (action.type !== 'disclose' || !view.told.includes(action.field)) taken.push(action);
        yield action;
      }
      if (signal.aborted) return;
      const progress = progressAfterTurn(core.progress, taken, view.heard, core.party.status === 'verified');
      yield { type: 'remember', memory: { ...core, progress, model: memory } };
    },
  };
}

/** The model's actions, as far as they may leave, and the core's replacements. */
async function* governedActions(
  model: ProposingModel,
  input: GovernedInput,
  { party, progress }: CoreMemory,
  signal: AbortSignal,
): AsyncIterable<DialogueAction> {
  const { view, plan } = input;
  const answered = new Set(view.answers.map(({ key }) => key));
  const hasAnswer = (): boolean => plan.items.some(({ key, required }) => required && answered.has(key));
  let obstacle = view.obstacle?.reason ?? null;
  if (view.heard !== null && isInVain(progress)) {
    yield { type: 'follow-up', text: `They said: "${view.heard.said.trim()}"` };
    yield asItIs(
      { type: 'end', reason: 'gave-up', farewell: 'follow-up' },
      { progress, hasAnswer: hasAnswer(), obstacle },
    );
    return;
  }
  const guard = new SpokenGuard(
    secretsOf(view, plan),
    view.today,
    refusalToTell(party.status === 'verified'),
  );
  let hasKeyed = false;
  let hasEnded = false;
  for await (const action of model.takeTurn(input, signal)) {
    // Facts are keyed into a machine before anyone can be verified.
    hasKeyed ||= action.type === 'press';
    hasEnded ||= action.type === 'end';
    if (action.type === 'record') answered.add(action.answer.key);
    if (action.type === 'retract') answered.delete(action.key);
    if (action.type === 'obstacle') obstacle = action.obstacle.reason;
    const isKeyed = hasKeyed && action.type === 'disclose';
    const kept = model.isImmediate ? action : asSaid(action, input);
    yield* isKeyed
      ? [action]
      : checked(asItIs(kept, { progress, hasAnswer: hasAnswer(), obstacle }), view, guard);
  }
  if (signal.aborted) return;
  yield* said(guard.release());
  if (view.heard !== null && party.status === 'wrong' && !hasEnded)
    yield { type: 'end', reason: 'wrong-number', farewell: 'wrong-number' };
}

/** What a language model records, unless their words say otherwise. */
function asSaid(
  action: DialogueAction,
  { plan, event, history, view: { today } }: GovernedInput,
): DialogueAction {
  if (action.type !== 'record') return action;
  const { turn } = action.answer;
  const isNow = event.type === 'heard' && event.turn === turn;
  const said = isNow ? event.text : history.find(({ index }) => index === turn)?.content;
  return said === undefined
    ? action
    : { ...action, answer: unlessContradicted(action.answer, said, { plan, today }) };
}

/** The state after the event. */
export function advance(
  before: CoreMemory,
  input: DialogueInput,
): { core: CoreMemory; view: ConversationView } {
  const { plan, event, history, record, now } = input;
  const today = localDay(now, plan.time_zone);
  const listener = likelyListener(input);
  const asked = askedItem(plan, history);
  const heard =
    event.type === 'heard'
      ? withStatedAnswers(
          understand(event.text, event.turn, {
            today,
            after: contextOf(history, asked),
            anchor: before.anchor,
            expecting: expectedTypes(asked?.kind),
            direction: directionOf(plan, asked),
            elsewhere: itemsElsewhere(plan.task_type),
          }),
          asked,
        )
      : null;
  const ours = history.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
  const told = record.disclosures.map(({ field }) => field);
  const known = unlessRecording(withHistory(before.party, history), input.answeredBy === 'machine', heard);
  const party =
    heard === null
      ? known
      : withHistory(
          partyAfter(known, spokenOfParty(heard, asked), plan, soundsLikeMachine(heard, known)),
          history,
        );
  const counted =
    party.since === before.party.since ? before.progress : { ...before.progress, turned_away: 0, again: 0 };
  const earlier = history.flatMap(({ role, index, content }) =>
    role === 'user' && heard !== null && index >= party.since && index < heard.turn ? [content] : [],
  );
  const progress =
    heard === null
      ? counted
      : progressAtPrompt(counted, heard, {
          earlier,
          isSameReply: repliesAlike(history, heard),
          isAsked: asked !== null || hasAsked(history),
        });
  const facts = party.status === 'verified' ? plan.facts.filter(({ may_be_told }) => may_be_told) : [];
  return {
    core: { ...before, party, progress, anchor: anchorAfter(before.anchor, heard) },
    view: {
      party,
      reach_asked: ours.filter(asksWhomWeReached).length,
      heard,
      earlier,
      ours,
      answers: record.answers,
      obstacle: record.obstacle,
      told,
      facts,
      today,
      listener,
    },
  };
}

/** Our words that the person has heard; the transcript has interrupted words as far as heard. */
function withHistory(before: Party, history: readonly Turn[]): Party {
  const keyed = history.findLast(
    ({ role, content }) => role === 'assistant' && content.includes(keysPressed),
  );
  const isKeyed = keyed !== undefined && keyed.index >= before.since;
  // Keys are for a machine: who speaks after them has heard nothing.
  const party = isKeyed ? { ...nobodyYet, since: keyed.index + 1 } : before;
  const ours = history.flatMap(({ role, index, content }) =>
    role === 'assistant' && index >= party.since ? [content] : [],
  );
  return {
    ...party,
    // Words interrupted before they asked anything leave the previous question open.
    is_asked: asksWhomWeReached(ours.findLast((words) => !isSaidInPassing(words)) ?? ''),
    notice_heard: givesNotice(ours.join(' ')),
  };
}

const mostInPassing = 6;

/** "Sure, take your time.": leaves our question open. */
export function isSaidInPassing(text: string): boolean {
  return !text.includes('?') && text.split(' ').length <= mostInPassing;
}

function lastWords(history: readonly Turn[]): string {
  const ours = history.filter(({ role }) => role === 'assistant');
  return ours.findLast(({ content }) => !isSaidInPassing(content))?.content ?? '';
}

/** A language model may put a question of the plan in its own words. */
function hasAsked(history: readonly Turn[]): boolean {
  const words = lastWords(history);
  return words.includes('?') && !asksWhomWeReached(words);
}

/** The item our last words asked, for every model and however long ago. */
export function askedItem(plan: Pick<CallPlan, 'items'>, history: readonly Turn[]): PlanItem | null {
  const words = lastWords(history).toLowerCase();
  return (
    plan.items.find(({ question, rephrase, rephrase2 }) =>
      [question, rephrase, rephrase2].some(
        (asking) => asking !== null && words.endsWith(asking.toLowerCase()),
      ),
    ) ?? null
  );
}

function contextOf(history: readonly Turn[], asked: PlanItem | null): Context | null {
  const ours = history.filter(({ role }) => role === 'assistant');
  if (asked !== null) return asked.kind === 'yes-no' ? 'yes-no-question' : 'question';
  if (asksWhomWeReached(ours.at(-1)?.content ?? '')) return 'reach-question';
  if (ours.at(-1)?.content.includes('lease book ') === true) return 'offer-accepted';
  if (ours.length <= 1) return 'opening';
  const words = ours.at(-1)?.content ?? '';
  return bookingChecks.some((check) => words.includes(check)) ? 'yes-no-question' : null;
}

/** What the questions for a booking ask. */
const bookingChecks = [' booked ', ' in your schedule '] as const;

/** A name that we asked for is the answer, and introduces no one. */
function spokenOfParty(heard: Heard, asked: PlanItem | null): Heard {
  if (asked?.kind !== 'name' || asked.key === 'person_name') return heard;
  return { ...heard, entities: heard.entities.filter(({ type }) => type !== 'name') };
}

/** Mostly recorded words. "You can send one, but it's optional": a person needs more evidence. */
function soundsLikeMachine(heard: Heard, { status }: Party): boolean {
  const least = status === 'verified' ? leastAfterPerson : leastRecorded;
  const recorded = heard.moves.filter(
    ({ act, confidence }) => ['menu', 'announcement', 'mailbox'].includes(act) && confidence >= least,
  );
  return (
    recorded.length > 0 &&
    recorded.length * 2 >= heard.moves.length &&
    likelihood(heard, 'asks-fact', 'offers-help') < 0.7
  );
}

const leastRecorded = 0.5;
const leastAfterPerson = 0.8;

function anchorAfter(before: string | null, heard: Heard | null): string | null {
  const date = heard?.entities.findLast((entity) => entity.type === 'date' || entity.type === 'moment');
  if (date?.type === 'date')
    return date.value.precision === 'month' ? date.value.day.slice(0, 7) : date.value.day;
  return date?.type === 'moment' ? date.value.day : before;
}

/** An action as it may leave, and words held before it; nothing if it may not. */
function checked(
  action: DialogueAction,
  { facts }: ConversationView,
  guard: SpokenGuard,
): readonly DialogueAction[] {
  switch (action.type) {
    case 'say':
      return said(guard.pass(action.text));
    case 'press':
    case 'wait':
    case 'end':
      return [...said(guard.release()), action];
    case 'disclose':
      return isOfCaller(action) || facts.some(({ field }) => field === action.field) ? [action] : [];
    default:
      return [action];
  }
}

function said(text: string): { readonly type: 'say'; readonly text: string }[] {
  return text === '' ? [] : [{ type: 'say', text }];
}

/** What the person on the line may not hear. */
function secretsOf({ facts }: ConversationView, plan: CallPlan): Fact[] {
  const tellable = [...facts, ...plan.facts.filter(isOfCaller)];
  return plan.facts.filter(
    ({ field, value }) => !tellable.some((fact) => fact.field === field || fact.value.includes(value)),
  );
}

function givesNotice(text: string): boolean {
  return text.includes('automated assistant') && text.includes('record');
}
