import { type InterruptFrame, unescapeSpeech } from '#shared/carrier/relay-frames.ts';
import { type Conversation, isInTranscript, type StoredTurn } from '#shared/table/conversation.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import type { DialogueRecord } from '../dialogue/dialogue-record.ts';
import { disclosuresHeard } from '../result/disclosures.ts';
import { isAnswering } from './silence.ts';
import { charactersSpoken } from './timeline.ts';

/*
 * Which of our words the person interrupted, and how much they heard. The carrier reports it with the heard
 * words, which may be a part in the middle of ours; the frame may arrive before the words are
 * stored, after others have been spoken, or twice.
 */

export type Interruption =
  /** Our newest words: the model is told. */
  | { readonly kind: 'newest'; readonly cut: StoredTurn }
  /** Words answered meanwhile. */
  | { readonly kind: 'older'; readonly cut: StoredTurn }
  /** Words unknown to us, at least for now. */
  | { readonly kind: 'unknown' }
  /** Nothing of ours is left to interrupt. */
  | { readonly kind: 'nothing' };

export interface Spoken {
  readonly conversation: Pick<Conversation, 'answering'>;
  /** All turns, including unheard ones. */
  readonly turns: readonly StoredTurn[];
  readonly plan: Pick<CallPlan, 'facts'>;
  readonly now: Date;
}

export function findInterrupted(
  frame: InterruptFrame,
  { conversation, turns, plan, now }: Spoken,
): Interruption {
  const ours = turns.filter(({ role }) => role === 'assistant').reverse();
  const beingSpoken = isAnswering(conversation, now) ? (conversation.answering?.turn ?? null) : null;
  // Not stored yet, as far as spoken at all.
  const isUnwritten = beingSpoken !== null && ours[0]?.index !== beingSpoken;
  if (isUnwritten && (frame.utteranceUntilInterrupt ?? '').trim() === '') return { kind: 'unknown' };
  for (const [position, turn] of ours.slice(0, 2).entries()) {
    const isNewest = position === 0 && !isUnwritten;
    const heard = heardPart(frame, turn, isNewest);
    if (heard === null) continue;
    // The same frame again, or another one for interrupted words.
    if (turn.cut === true) return { kind: 'nothing' };
    return { kind: isNewest ? 'newest' : 'older', cut: cutShort(turn, heard, plan) };
  }
  return { kind: 'unknown' };
}

/** The transcript without its unheard parts. */
export function historyWith(turns: readonly StoredTurn[], cut: StoredTurn): StoredTurn[] {
  return turns.map((turn) => (turn.index === cut.index ? cut : turn)).filter(isInTranscript);
}

/** The record without unheard disclosures. */
export function recordWith(record: DialogueRecord, { index, disclosed = [] }: StoredTurn): DialogueRecord {
  return {
    ...record,
    disclosures: record.disclosures.filter(({ turn, field }) => turn !== index || disclosed.includes(field)),
  };
}

function cutShort(turn: StoredTurn, heard: string, { facts }: Pick<CallPlan, 'facts'>): StoredTurn {
  return {
    ...turn,
    content: heard,
    disclosed: disclosuresHeard(turn.disclosed ?? [], { whole: turn.content, heard }, facts),
    cut: true,
  };
}

/** The heard beginning of these words; null if the frame is about others. */
function heardPart(
  { utteranceUntilInterrupt, durationUntilInterruptMs }: InterruptFrame,
  { content }: StoredTurn,
  isNewest: boolean,
): string | null {
  const utterance = utteranceUntilInterrupt ?? null;
  if (utterance === null) {
    return isNewest ? spokenWithin(content, Number(durationUntilInterruptMs ?? Number.NaN)) : null;
  }
  const heard = unescapeSpeech(utterance).trim();
  if (heard === '') return isNewest ? '' : null;
  const found = inAnySpacing(heard).exec(content);
  if (found !== null) return content.slice(0, found.index + found[0].length);
  // More was heard than stored so far.
  return content !== '' && inAnySpacing(content).exec(heard)?.index === 0 ? heard : null;
}

function inAnySpacing(text: string): RegExp {
  return new RegExp(
    text
      .split(/\s+/)
      .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('\\s+'),
  );
}

/** For a carrier that only reports how long it spoke; all of the words if it reports neither. */
function spokenWithin(content: string, ms: number): string {
  if (Number.isNaN(ms)) return content;
  const characters = charactersSpoken(ms);
  if (characters >= content.length) return content;
  const end = content.lastIndexOf(' ', characters);
  return end < 0 ? '' : content.slice(0, end);
}
