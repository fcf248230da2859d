import * as z from 'zod/mini';
import type { Turn } from '#shared/domain/conversation.ts';
import type { CallPlan, Fact, PlanItem } from '../call-plan/call-plan.ts';
import { isOfCaller } from '../call-plan/disclosure.ts';
import type { DialogueAction, DialogueInput, DialogueModel } from '../dialogue/dialogue-model.ts';
import { likelyListener } from '../dialogue/likely-listener.ts';
import { localDay } from '../language/calendar.ts';
import { type Context, type Heard, likelihood, understand } from '../understanding/understand.ts';
import type { ConversationView } from './conversation-view.ts';
import { asksWhomWeReached } from './our-words.ts';
import { nobodyYet, Party, partyAfter } from './right-party.ts';
import { SpokenGuard } from './spoken-guard.ts';
import { refusalToTell } from './wording.ts';

/*
 * What holds for every dialogue model: who is on the line, which facts they may hear, what was heard, and that nothing
 * leaves that must not. A model proposes; what it proposes is checked here.
 */

/** A turn for a model, with what the core knows. */
export type GovernedInput = DialogueInput & { readonly view: ConversationView };

/** A model that proposes turns. */
export interface ProposingModel extends Omit<DialogueModel, 'takeTurn'> {
  takeTurn(input: GovernedInput, signal: AbortSignal): AsyncIterable<DialogueAction>;
}

const CoreMemory = z.object({
  party: Party,
  /** The day or month spoken of, to which "the 9th" refers. */
  anchor: z.nullable(z.string()),
  /** Our last words said that an automated assistant calls and records. */
  gave_notice: z._default(z.boolean(), false),
  model: z.unknown(),
});
type CoreMemory = z.infer<typeof CoreMemory>;

const emptyCore: CoreMemory = { party: nobodyYet, anchor: null, gave_notice: false, model: null };

/** The model under the rules of the core. */
export function governed(model: ProposingModel): DialogueModel {
  return {
    name: model.name,
    isImmediate: model.isImmediate,
    async *takeTurn(input, signal) {
      // Nothing yet, or what an older version remembered.
      const before = CoreMemory.safeParse(input.memory).data ?? emptyCore;
      const { core, view } = advance(before, input);
      let { party } = core;
      const words: string[] = [];
      let hasKeyed = false;
      let memory = core.model;
      const guard = new SpokenGuard(
        secretsOf(view, input.plan),
        view.today,
        refusalToTell(party.status === 'verified'),
      );
      if (view.heard !== null && party.person !== null && party.person !== before.party.person) {
        yield { type: 'meet', name: party.person };
      }
      for await (const action of model.takeTurn({ ...input, memory: core.model, view }, signal)) {
        if (action.type === 'remember') {
          memory = action.memory;
          continue;
        }
        // What is keyed into a machine is told before anybody is there to be verified.
        hasKeyed ||= action.type === 'press';
        const isKeyed = hasKeyed && action.type === 'disclose';
        for (const allowed of isKeyed ? [action] : checked(action, view, guard)) {
          if (allowed.type === 'say') words.push(allowed.text);
          yield allowed;
        }
      }
      if (signal.aborted) return;
      for (const allowed of said(guard.release())) {
        words.push(allowed.text);
        yield allowed;
      }
      const spoken = words.join(' ');
      const gaveNotice = spoken === '' ? before.gave_notice : givesNotice(spoken);
      if (gaveNotice && spoken !== '') party = { ...party, notice_heard: true };
      yield { type: 'remember', memory: { ...core, party, gave_notice: gaveNotice, model: memory } };
    },
  };
}

/** What is known once the event has been taken in. */
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
      ? understand(event.text, event.turn, {
          today,
          after: contextOf(history, asked),
          anchor: before.anchor,
          expecting: expectedTypes(asked),
          direction: directionOf(plan, asked),
        })
      : null;
  const isAsked = asksWhomWeReached(lastWords(history));
  const known = { ...before.party, is_asked: isAsked, notice_heard: hasHeardNotice(before, input) };
  const party = heard === null ? known : partyAfter(known, heard, plan.callee, soundsLikeMachine(heard));
  const facts = party.status === 'verified' ? plan.facts.filter(({ may_be_told }) => may_be_told) : [];
  return {
    core: { ...before, party, anchor: anchorAfter(before.anchor, heard) },
    view: { party, heard, answers: record.answers, facts, today, listener },
  };
}

/** Words that were cut before the notice have not given it. */
function hasHeardNotice({ party, gave_notice }: CoreMemory, { event }: DialogueInput): boolean {
  const isCut = event.type === 'interrupted' && gave_notice && !givesNotice(event.heard);
  return party.notice_heard && !isCut;
}

function lastWords(history: readonly Turn[]): string {
  return history.findLast(({ role }) => role === 'assistant')?.content ?? '';
}

/** The item that our last words asked for, whoever chose them. */
export function askedItem(plan: Pick<CallPlan, 'items'>, history: readonly Turn[]): PlanItem | null {
  const words = lastWords(history);
  return (
    plan.items.find(({ question, rephrase }) => words.endsWith(question) || words.endsWith(rephrase)) ?? null
  );
}

function contextOf(history: readonly Turn[], asked: PlanItem | null): Context | null {
  const ours = history.filter(({ role }) => role === 'assistant');
  if (asked !== null) return asked.kind === 'yes-no' ? 'yes-no-question' : 'question';
  if (asksWhomWeReached(ours.at(-1)?.content ?? '')) return 'reach-question';
  if (ours.at(-1)?.content.includes('lease book ') === true) return 'offer-accepted';
  return ours.length <= 1 ? 'opening' : null;
}

const pastWords = [' was ', ' were ', ' did ', ' has ', ' have been '] as const;

/**
 * Where a day without a year lies: what was asked tells, else payers speak of what has been and others of
 * what comes.
 */
function directionOf({ callee }: CallPlan, asked: PlanItem | null): 'past' | 'future' {
  if (callee === 'insurer' || callee === 'claims-department') return 'past';
  return asked !== null && pastWords.some((word) => asked.question.includes(word)) ? 'past' : 'future';
}

function expectedTypes(asked: PlanItem | null): NonNullable<Parameters<typeof understand>[2]['expecting']> {
  switch (asked?.kind) {
    case 'money':
      return ['money'];
    case 'percentage':
      return ['percent'];
    case 'number':
      return ['quantity', 'number'];
    case 'date':
      return ['date'];
    case 'date-time':
      return ['moment', 'date', 'time'];
    case 'identifier':
      return ['identifier'];
    case 'phone-number':
      return ['phone'];
    case 'name':
      return ['name', 'provider'];
    default:
      return [];
  }
}

/** Most of what was said is a recording's. */
export function soundsLikeMachine(heard: Heard): boolean {
  const recorded = heard.moves.filter(
    ({ act, confidence }) => ['menu', 'announcement', 'mailbox'].includes(act) && confidence >= 0.5,
  );
  return (
    recorded.length > 0 &&
    recorded.length * 2 >= heard.moves.length &&
    likelihood(heard, 'asks-fact', 'offers-help') < 0.7
  );
}

function anchorAfter(before: string | null, heard: Heard | null): string | null {
  const date = heard?.entities.findLast((entity) => entity.type === 'date' || entity.type === 'moment');
  if (date?.type === 'date')
    return date.value.precision === 'month' ? date.value.day.slice(0, 7) : date.value.day;
  return date?.type === 'moment' ? date.value.day : before;
}

/** An action as it may leave, and words that were held before it; nothing when it may not. */
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
