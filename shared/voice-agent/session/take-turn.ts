import { setTimeout as sleep } from 'node:timers/promises';
import type { OutboundRelayFrame } from '#shared/carrier/relay-frames.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, log, logError } from '#shared/observability/log.ts';
import {
  type ConversationWithTurns,
  getConversationWithTurns,
  type StoredTurn,
} from '#shared/table/conversation.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import { modelNamed } from '../dialogue/choose-model.ts';
import { ConversationState } from '../dialogue/conversation-state.ts';
import type { DialogueAction, DialogueInput, DialogueModel } from '../dialogue/dialogue-model.ts';
import { apologize } from './apology.ts';
import type { ConversationServices } from './conversation-services.ts';
import {
  type CachedConversation,
  forgetConversation,
  planOf,
  recallConversation,
  rememberConversation,
} from './known-calls.ts';
import type { RelayConnections } from './relay-connections.ts';
import { withinHoldLimit } from './silence.ts';
import { speakTurn } from './streamed-turn.ts';
import { carryOut } from './turn-outcome.ts';
import {
  afterInput,
  afterTurn,
  type ConversationSnapshot,
  questionFor,
  replyStep,
  storeHeard,
  type TurnInput,
  writeStep,
} from './turn-steps.ts';

/*
 * Every frame of the relay is an invocation of its own, possibly at the same time as another. A turn is therefore one
 * step of the conversation; the second of two reads again and takes its turn after the first. What was heard is
 * stored before the model is asked about it. Words that are known at once go out only after they were written, so what
 * was said is what stands in the transcript; a model that takes its time has its turn reserved first
 * (`streamed-turn.ts`).
 */

/** Where the turn comes from. */
export interface Line {
  readonly callId: string;
  /** The session that the frame came over; null when it came over none. */
  readonly connectionId: string | null;
  /** The carrier's frame, by which a repetition of it is known. */
  readonly frameId: string | null;
}

/** What is to be done about something that happened. */
export type NextStep =
  | { readonly type: 'turn'; readonly input: TurnInput }
  /** Read again after a moment: what is needed may not have been written yet. */
  | { readonly type: 'retry' }
  /** Something else was done about it, which the conversation has to know first. */
  | { readonly type: 'nothing' };

/** How often a turn is tried when others keep coming first. */
const maxTries = 12;
const longestPauseMs = 100;

/**
 * Takes a turn in the conversation, in the light of how it stands. Throws when nothing could be done; then nothing was
 * said either.
 */
export async function takeTurn(
  services: ConversationServices,
  line: Line,
  respond: (snapshot: ConversationSnapshot) => NextStep | Promise<NextStep>,
): Promise<void> {
  try {
    await tryTurn(services, line, respond);
  } catch (error) {
    // A frame that was taken is not taken again, so trying once more doubles nothing.
    logError('turn-failed', error);
    await tryTurn(services, line, respond);
  }
}

async function tryTurn(
  services: ConversationServices,
  line: Line,
  respond: (snapshot: ConversationSnapshot) => NextStep | Promise<NextStep>,
): Promise<void> {
  annotateLog({ call_id: line.callId });
  if (await tryFromMemory(services, line, respond)) return;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const snapshot = await read(services, line);
    if (snapshot === null) return;
    const step = await respond(snapshot);
    if (step.type === 'nothing') return;
    if (step.type === 'turn' && (await takeStep(services, line, snapshot, step.input))) return;
    if (step.type === 'retry' || tries > 1) await sleep(Math.min(longestPauseMs, tries * 30));
  }
  log('turn-given-up', { tries: maxTries });
}

/** Takes the turn without reading the conversation, where it is known how that stands. */
async function tryFromMemory(
  services: ConversationServices,
  line: Line,
  respond: (snapshot: ConversationSnapshot) => NextStep | Promise<NextStep>,
): Promise<boolean> {
  const cached = recallConversation(line.callId);
  if (cached === undefined || line.frameId === null || awaitsVerdict(cached)) return false;
  // Used up: a step puts it back as it stands then.
  forgetConversation(line.callId);
  const snapshot = snapshotOf(services, line, cached, await planOf(services.table, line.callId));
  if (snapshot === null) return false;
  const step = await respond(snapshot);
  return step.type === 'turn' && (await takeStep(services, line, snapshot, step.input));
}

/**
 * At the beginning it matters who took the call, and the verdict comes seconds after the answer: until it is there the
 * conversation is read.
 */
function awaitsVerdict({ conversation, answeredBy }: CachedConversation): boolean {
  return answeredBy === null && conversation.turn_count <= turnsThatVerdictDecides;
}

const turnsThatVerdictDecides = 3;

async function read(services: ConversationServices, line: Line): Promise<ConversationSnapshot | null> {
  const [cached, plan] = await Promise.all([
    getConversationWithTurns(services.table, line.callId),
    planOf(services.table, line.callId),
  ]);
  return snapshotOf(services, line, cached, plan);
}

/** Null when there is nothing more to be done about the frame. */
function snapshotOf(
  { now }: ConversationServices,
  line: Line,
  {
    conversation,
    turns,
    answeredBy,
  }: Readonly<Omit<ConversationWithTurns, 'turns'>> & Pick<ConversationSnapshot, 'turns'>,
  plan: CallPlan,
): ConversationSnapshot | null {
  if (conversation !== null) annotateLog({ task_id: conversation.task_id });
  if (conversation === null || conversation.status === 'ended') return null;
  if (line.connectionId !== null && conversation.connection_id !== line.connectionId) return null;
  if (line.frameId !== null && conversation.recent_frames.includes(line.frameId)) {
    log('relay-frame-repeated');
    return null;
  }
  const at = now();
  return {
    plan,
    conversation,
    turns,
    answeredBy,
    now: at,
    elapsedMs: at.getTime() - Date.parse(conversation.started_at),
  };
}

/** Returns false when another step came first. */
function takeStep(
  all: ConversationServices,
  { frameId }: Line,
  snapshot: ConversationSnapshot,
  input: TurnInput,
): Promise<boolean> {
  const begunBy = ConversationState.parse(snapshot.conversation.state).model;
  const services = { ...all, model: modelNamed(all, begunBy) };
  return services.model.isImmediate || input.actions !== undefined
    ? takeAtOnce(services, frameId, snapshot, input)
    : speakTurn(services, frameId, snapshot, input);
}

async function takeAtOnce(
  services: ConversationServices,
  frameId: string | null,
  snapshot: ConversationSnapshot,
  input: TurnInput,
): Promise<boolean> {
  const { plan, now, elapsedMs } = snapshot;
  const { heard } = input;
  if (heard !== undefined && !(await storeHeard(services.table, snapshot.conversation, heard))) return false;
  const conversation = afterInput(snapshot, input, frameId);
  const question = questionFor(services.model, snapshot, conversation, input);
  const decided = input.actions ?? (await decide(services.model, question));
  const actions = withinHoldLimit(decided, conversation, plan, now);
  const index = input.turnCount;
  const outcome = carryOut(actions, question, index, plan);
  const { next, ours } = afterTurn(conversation, outcome, {
    actions,
    index,
    model: services.model.name,
    spokeAtMs: elapsedMs,
    now,
  });
  const { written } = input;
  const step =
    heard === undefined
      ? { next, created: ours, changed: written }
      : replyStep(snapshot, heard, { next, ours });
  if (!(await writeStep(services.table, step.next, step))) return false;
  // While a model that takes its time speaks, others write without taking a step.
  if (services.model.isImmediate) {
    const turns = withTurns(snapshot.turns, [...(heard === undefined ? [] : [heard]), ...written, ...ours]);
    rememberConversation({ conversation: step.next, turns, answeredBy: snapshot.answeredBy });
  }
  await sendFrames(services.connections, conversation.connection_id, outcome.frames);
  log('turn', {
    turn: index,
    spoke: outcome.words !== null,
    ended: outcome.ended,
    ...(outcome.words === null ? {} : { turn_latency_ms: services.now().getTime() - now.getTime() }),
  });
  return true;
}

function withTurns(turns: readonly StoredTurn[], written: readonly StoredTurn[]): StoredTurn[] {
  const replaced = new Set(written.map(({ index }) => index));
  const kept = turns.filter(({ index }) => !replaced.has(index));
  return [...kept, ...written].sort((one, other) => one.index - other.index);
}

/** The turn of a model that decides at once. A model that fails is asked once more, then we apologize in its place. */
export async function decide(
  model: DialogueModel,
  question: DialogueInput,
): Promise<readonly DialogueAction[]> {
  for (let tries = 1; tries <= 2; tries += 1) {
    try {
      const actions: DialogueAction[] = [];
      for await (const action of model.takeTurn(question, never)) actions.push(action);
      return actions;
    } catch (error) {
      logError('model-failed', error, { model: model.name });
    }
  }
  return apologize(question);
}

/** Nobody stops a model that does not take any time. */
const never = new AbortController().signal;

/** Sends frames of a turn that is written down; when they do not arrive, the turn is taken all the same. */
export async function sendFrames(
  connections: RelayConnections,
  connectionId: string,
  frames: readonly OutboundRelayFrame[],
): Promise<void> {
  try {
    if (frames.length > 0) await connections.send(connectionId, frames);
  } catch (error) {
    logError(alarmingEvents.framesNotSent, error);
  }
}
