import type { InterruptFrame } from '#shared/carrier/relay-frames.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log, logError } from '#shared/observability/log.ts';
import { type Conversation, isInTranscript, putTurn, type StoredTurn } from '#shared/table/conversation.ts';
import { ConversationState } from '../dialogue/conversation-state.ts';
import { apologyWords } from './apology.ts';
import type { ConversationServices } from './conversation-services.ts';
import { findInterrupted, historyWith, recordWith } from './interruption.ts';
import { callOf } from './known-calls.ts';
import { giveUpHolding, giveUpListening, isAnswering, isHeldTooLong, quietMs } from './silence.ts';
import { type Line, type NextStep, sendFrames, takeTurn } from './take-turn.ts';
import { afterSpeaking, beganAt, speakingMs } from './timeline.ts';
import { afterInput, type ConversationSnapshot, heardIndex, nextIndex, writeStep } from './turn-steps.ts';

/*
 * The effect of each event on the line on the conversation: the words it adds or removes, and the
 * model's input.
 */

/** A relay frame, identified by the gateway's name for it. */
export interface Frame {
  readonly connectionId: string;
  readonly frameId: string;
}

/** The person spoke: our turn. Never throws: they always get an answer, if only an apology. */
export async function answerWords(
  services: ConversationServices,
  frame: Frame,
  words: string,
): Promise<void> {
  let looks = 0;
  try {
    await onLine(services, frame, (line) =>
      takeTurn(services, line, (snapshot) => {
        const stored = snapshot.turns.find(({ frame_id }) => frame_id === frame.frameId);
        if (stored === undefined && isBeingAnswered(snapshot) && looks < looksForAnswer) {
          looks += 1;
          return { type: 'retry' };
        }
        return hear(snapshot, stored ?? turnOf(words, frame, snapshot), stored !== undefined);
      }),
    );
  } catch (error) {
    logError(alarmingEvents.wordsNotAnswered, error);
    await sendFrames(services.connections, frame.connectionId, [
      { type: 'text', token: apologyWords, last: true },
    ]);
  }
}

/** How often recent words are checked for an answer: for less than a second. */
const looksForAnswer = 8;
/** Immediate decisions take no longer; words still unanswered then have lost their function. */
const longestDecisionMs = 2_000;

/** The person's words are stored, and an answer is coming. */
function isBeingAnswered({ conversation, turns, now }: ConversationSnapshot): boolean {
  const last = turns.at(-1);
  return (
    last?.role === 'user' &&
    last.index >= conversation.turn_count &&
    now.getTime() - Date.parse(last.created_at) < longestDecisionMs
  );
}

function turnOf(words: string, { frameId }: Frame, snapshot: ConversationSnapshot): StoredTurn {
  return { ...turnOfTheirs(words, snapshot), frame_id: frameId };
}

function turnOfTheirs(content: string, snapshot: ConversationSnapshot): StoredTurn {
  return {
    call_id: snapshot.conversation.call_id,
    index: heardIndex(snapshot),
    role: 'user',
    content,
    // The carrier reports when they have finished speaking.
    offset_ms: beganAt(freeFrom(snapshot), snapshot.elapsedMs - speakingMs(content)),
    created_at: snapshot.now.toISOString(),
  };
}

/**
 * @param isStored by an earlier attempt, or by another function that took the same frame and was lost; others may
 * have continued since, and the words keep their place
 */
function hear(snapshot: ConversationSnapshot, turn: StoredTurn, isStored: boolean): NextStep {
  const { index, content: text, offset_ms } = turn;
  const input = {
    event: { type: 'heard', text, turn: index },
    history: snapshot.turns.filter((other) => other.index !== index && isInTranscript(other)),
    written: [],
    turnCount: Math.max(nextIndex(snapshot), index + 1),
    freeFromMs: Math.max(snapshot.conversation.offset_ms, afterSpeaking(offset_ms, text)),
    silences: 0,
  } as const;
  return { type: 'turn', input: isStored ? input : { ...input, heard: turn } };
}

/** The person interrupted our words: the transcript keeps the heard part, and the model learns of it. */
export async function noteInterruption(
  services: ConversationServices,
  frame: Frame,
  interrupt: InterruptFrame,
): Promise<void> {
  let looks = 0;
  await onLine(services, frame, (line) =>
    takeTurn(services, line, async (snapshot) => {
      const found = findInterrupted(interrupt, snapshot);
      if (found.kind !== 'unknown') log('interruption', { of: found.kind });
      switch (found.kind) {
        case 'newest':
          return cutNewest(snapshot, found.cut);
        case 'older':
          return cutOlder(services, line, snapshot, found.cut);
        case 'unknown':
          looks += 1;
          // Recently spoken words are about to be stored.
          return looks < looksForWords ? { type: 'retry' } : { type: 'nothing' };
        case 'nothing':
          return { type: 'nothing' };
      }
    }),
  );
}

const looksForWords = 6;

function cutNewest(snapshot: ConversationSnapshot, cut: StoredTurn): NextStep {
  const { conversation, turns } = snapshot;
  const { record } = ConversationState.parse(conversation.state);
  return {
    type: 'turn',
    input: {
      event: { type: 'interrupted', heard: cut.content },
      history: historyWith(turns, cut),
      written: [cut],
      turnCount: nextIndex(snapshot),
      freeFromMs: Math.min(conversation.offset_ms, afterSpeaking(cut.offset_ms, cut.content)),
      silences: 0,
      record: recordWith(record, cut),
    },
  };
}

/** The words were already answered: only the transcript needs a correction. */
async function cutOlder(
  { table }: ConversationServices,
  { frameId }: Line,
  snapshot: ConversationSnapshot,
  cut: StoredTurn,
): Promise<NextStep> {
  const { conversation, now } = snapshot;
  if (isAnswering(conversation, now)) {
    // A step would stop the answer.
    await putTurn(table, conversation.project_id, cut);
    return { type: 'nothing' };
  }
  const { record } = ConversationState.parse(conversation.state);
  const { turn_count: turnCount, offset_ms: freeFromMs, silences, quiet_since } = conversation;
  const next = afterInput(
    snapshot,
    { ...nothingSaid, turnCount, freeFromMs, silences, record: recordWith(record, cut) },
    frameId,
  );
  return (await writeStep(table, { ...next, quiet_since }, { changed: [cut] }))
    ? { type: 'nothing' }
    : { type: 'retry' };
}

const nothingSaid = { event: { type: 'interrupted', heard: '' }, history: [], written: [] } as const;

/** The person pressed a key. */
export async function noteKey(services: ConversationServices, frame: Frame, digit: string): Promise<void> {
  await onLine(services, frame, (line) =>
    takeTurn(services, line, (snapshot) => ({
      type: 'turn',
      input: {
        event: { type: 'key-pressed', digit },
        history: snapshot.turns.filter(isInTranscript),
        written: [],
        turnCount: nextIndex(snapshot),
        freeFromMs: freeFrom(snapshot),
        silences: 0,
      },
    })),
  );
}

/**
 * Nothing has come for a while: the model is told, and the second time in a row the call ends. On hold nothing
 * happens before its limit. Does nothing if something has come after all.
 */
export async function handleNoInput(
  services: ConversationServices,
  { call_id }: Pick<Conversation, 'call_id'>,
): Promise<void> {
  const line: Line = { callId: call_id, connectionId: null, frameId: null };
  await takeTurn(services, line, (snapshot) => {
    const { plan, conversation, turns, now } = snapshot;
    // A turn of theirs without words, which stores our previous words like any other.
    const heard = turnOfTheirs('', snapshot);
    const input = {
      event: { type: 'silence', seconds: Math.round(quietMs(conversation, now) / 1000) },
      history: turns.filter(isInTranscript),
      heard,
      written: [],
      turnCount: heard.index + 1,
      freeFromMs: freeFrom(snapshot),
      silences: conversation.silences + 1,
    } as const;
    if (isAnswering(conversation, now) || isBeingAnswered(snapshot)) return { type: 'nothing' };
    const { waiting_since } = conversation;
    if (waiting_since !== null) {
      return isHeldTooLong(waiting_since, plan, now)
        ? { type: 'turn', input: { ...input, actions: giveUpHolding(waiting_since, now) } }
        : { type: 'nothing' };
    }
    if (quietMs(conversation, now) < services.noInputTimer.silenceMs) return { type: 'nothing' };
    return conversation.silences === 0
      ? { type: 'turn', input }
      : { type: 'turn', input: { ...input, actions: giveUpListening } };
  });
}

/** When the next words can be spoken: after all earlier ones, including those of an unfinished turn. */
function freeFrom({ conversation, turns }: ConversationSnapshot): number {
  return Math.max(conversation.offset_ms, turns.at(-1)?.offset_ms ?? 0);
}

async function onLine(
  { table, now }: ConversationServices,
  { connectionId, frameId }: Frame,
  act: (line: Line) => Promise<void>,
): Promise<void> {
  const callId = await callOf(table, connectionId, now);
  if (callId === null) log('relay-frame-without-session');
  else await act({ callId, connectionId, frameId });
}
