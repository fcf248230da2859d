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
 * Every relay frame is its own invocation, possibly concurrent with another. A turn is therefore one
 * step of the conversation; the second of two reads again and takes its turn after the first. Heard words are
 * stored before the model is asked about them. Immediate words go out only after they were written, so the
 * transcript matches the spoken words; a streaming model has its turn reserved first
 * (`streamed-turn.ts`).
 */

/** The source of the turn. */
export interface Line {
  readonly callId: string;
  /** The frame's session; null without one. */
  readonly connectionId: string | null;
  /** The carrier's frame, which identifies a repetition. */
  readonly frameId: string | null;
}

/** The reaction to an event. */
export type NextStep =
  | { readonly type: 'turn'; readonly input: TurnInput }
  /** Read again after a moment: required data may not be written yet. */
  | { readonly type: 'retry' }
  /** Another reaction was taken, which the conversation must know first. */
  | { readonly type: 'nothing' };

/** How often a turn is retried while others come first. */
const maxTries = 12;
const longestPauseMs = 100;

/**
 * Takes a turn in the current conversation. Throws if nothing could be done; then nothing was
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
    // A processed frame is not processed again, so a retry duplicates nothing.
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

/** Takes the turn without reading the conversation, if its state is known. */
async function tryFromMemory(
  services: ConversationServices,
  line: Line,
  respond: (snapshot: ConversationSnapshot) => NextStep | Promise<NextStep>,
): Promise<boolean> {
  const cached = recallConversation(line.callId);
  if (cached === undefined || line.frameId === null || awaitsVerdict(cached)) return false;
  // Used up: a step stores the new state again.
  forgetConversation(line.callId);
  const snapshot = snapshotOf(services, line, cached, await planOf(services.table, line.callId));
  if (snapshot === null) return false;
  const step = await respond(snapshot);
  return step.type === 'turn' && (await takeStep(services, line, snapshot, step.input));
}

/**
 * At the beginning it matters who answered, and the verdict comes seconds after the answer: until then the
 * conversation is read.
 */
function awaitsVerdict({ conversation, answeredBy }: CachedConversation): boolean {
  return answeredBy === null && conversation.turn_count <= turnsThatVerdictDecides;
}

const turnsThatVerdictDecides = 6;

async function read(services: ConversationServices, line: Line): Promise<ConversationSnapshot | null> {
  const [cached, plan] = await Promise.all([
    getConversationWithTurns(services.table, line.callId),
    planOf(services.table, line.callId),
  ]);
  return snapshotOf(services, line, cached, plan);
}

/** Null if the frame needs nothing more. */
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

/** Returns false if another step came first. */
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
  // While a streaming model speaks, others write without taking a step.
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

/** The turn of an immediate model. A failed model is asked again, then we apologize instead. */
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

/** An immediate model cannot be interrupted. */
const never = new AbortController().signal;

/** Sends the frames of a stored turn; if they do not arrive, the turn stands all the same. */
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
