import type { LikelyListener } from '../dialogue/likely-listener.ts';
import { wordSet } from '../entities/tokens.ts';
import menus from '../language/en-US/menu-choices.json' with { type: 'json' };
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import { holdsAny, plainWords } from './words.ts';

/*
 * Words that no person speaks to us. They often contain what people say as well ("your appointment", "how may
 * we help"), so nobody is a machine who introduces themselves, asks for something or offers.
 */

/** What is known besides the words. */
export interface LineState {
  readonly listener: LikelyListener | null;
  /** Somebody has been talking with us, so that a machine is unlikely. */
  readonly isTalking: boolean;
  readonly isMachine: boolean;
}

const personalActs = ['asks-fact', 'asks-preference', 'asks-machine', 'offers-opening'] as const;

/** Whether somebody speaks to us in person. */
export function isPersonSpeaking(heard: Heard): boolean {
  if (holdsAny(plainWords(heard.tokens), menus.automatic)) return false;
  const introduces = likelihood(heard, 'introduces-person') >= 0.5 && likelihood(heard, 'mailbox') < 0.5;
  return introduces || heard.moves.some((move) => sumOf(move, personalActs) >= 0.6 && !isRecorded(move));
}

function sumOf({ acts }: Move, labels: readonly string[]): number {
  return labels.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0);
}

const isRecorded = (move: Move): boolean => sumOf(move, ['menu', 'announcement', 'mailbox']) >= 0.4;

const offering = ['would', 'do', 'can', 'could', 'want', 'shall', 'should', 'may'];

/** "Would you like to leave a message?", "Can I take a message?": a person offers to take one. */
export function offersMessage(heard: Heard): boolean {
  return heard.moves.some(({ tokens }) => {
    const words = plainWords(tokens);
    const offer = words.findIndex(
      (word, at) => offering.includes(word) && ['you', 'i', 'we', 'me'].includes(words[at + 1] ?? ''),
    );
    const verb = words.findIndex((word, at) => at > offer && (word === 'leave' || word === 'take'));
    return (
      offer >= 0 &&
      verb > 0 &&
      words.slice(verb, verb + 5).includes('message') &&
      !holdsAny(words, menus.sounds)
    );
  });
}

/**
 * Whether these are the words of a machine that takes messages. One that sounds like a person gives itself away by what
 * it asks for at its end; of somebody who talks with us more is needed than the word.
 */
export function isMailbox(heard: Heard, { listener, isTalking }: LineState): boolean {
  const moves = heard.moves.filter((move) => !move.isQuestion);
  const asks = moves.some((move) => asksForMessage(plainWords(move.tokens)));
  const sounds = holdsAny(plainWords(heard.tokens), menus.sounds);
  const judged = Math.max(0, ...moves.map(({ acts }) => acts.get('mailbox') ?? 0));
  if (isTalking) return sounds && asks && judged >= 0.5;
  if (isPersonSpeaking(heard) && !asks) return false;
  if (asks && (sounds || judged >= 0.5 || listener === 'machine')) return true;
  if (isMonologue(heard) && promisesCall(heard)) return true;
  const isAway = holdsAny(plainWords(heard.tokens), menus.away);
  return (
    judged >= (listener === 'machine' ? 0.4 : listener === 'human' ? 0.9 : 0.6) && (isAway || sounds || asks)
  );
}

/** "Please leave your name and number" */
function asksForMessage(words: readonly string[]): boolean {
  const verb = words.findIndex((word) => menus.messageVerbs.includes(word));
  if (
    verb < 0 ||
    (verb > 0 && ['i', 'to', 'will', 'can', 'not', 'we', 'you'].includes(words[verb - 1] ?? ''))
  )
    return false;
  return words.slice(verb + 1, verb + 7).some((word) => menus.messageThings.includes(word));
}

/** Somebody who is away and calls back those who say what they want. */
function promisesCall({ tokens }: Heard): boolean {
  const words = plainWords(tokens);
  return holdsAny(words, menus.away) && holdsAny(words, menus.callsBack);
}

const isMonologue = ({ moves, tokens }: Heard): boolean =>
  moves.length >= 3 || plainWords(tokens).length >= 25;

/** What only machines go on with: facts and advice between one notice and the next. */
const impersonal = wordSet(
  'states chat announcement menu sales portal-only mailbox acknowledges no-availability',
);

/** Between two recordings a machine goes on as long as nobody greets, asks or offers. */
export function goesOn(heard: Heard, { isMachine }: LineState): boolean {
  const isOther = ({ act, tokens }: Move): boolean =>
    impersonal.has(act) || holdsAny(plainWords(tokens), menus.facts);
  return isMachine && heard.moves.every(isOther) && heard.entities.every(({ type }) => type !== 'name');
}

/** A recording that says that nobody is there now, and lets nobody leave anything. */
export function isClosedRecording(heard: Heard, { listener, isTalking, isMachine }: LineState): boolean {
  if (isTalking || isPersonSpeaking(heard) || heard.moves.some(({ isQuestion }) => isQuestion)) return false;
  const words = plainWords(heard.tokens);
  // "I can't put her on, our panels are closed": no recording speaks of itself.
  if (words.includes('i')) return false;
  // "Will be closed on Friday" says that they are open now.
  const isAhead = holdsAny(words, ['will be closed', 'we will close']);
  const isClosed =
    !isAhead &&
    words.includes('closed') &&
    likelihood(heard, 'call-back-later', 'not-accepting', 'states', 'announcement') >= 0.4;
  return (
    isClosed && holdsAny(words, menus.closed) && (isMachine || listener === 'machine' || isMonologue(heard))
  );
}

/** Queues, notices and music: recorded words that nobody expects an answer to. */
export function isAnnouncement(heard: Heard, { listener, isTalking, isMachine }: LineState): boolean {
  if (heard.said.includes('♪') || heard.said.toLowerCase().includes('[music')) return true;
  if (isPersonSpeaking(heard) || likelihood(heard, 'offers-help') >= 0.7) return false;
  const recorded = heard.moves.filter(
    ({ acts, tokens }) =>
      (acts.get('announcement') ?? 0) >= (isTalking ? 0.8 : 0.4) || holdsAny(plainWords(tokens), menus.queue),
  );
  const isMost = recorded.length * 2 >= heard.moves.length || isMachine || listener === 'machine';
  const speaksOfSelf = plainWords(heard.tokens).some(
    (word) => word === 'i' || word === 'me' || word === 'my',
  );
  return recorded.length > 0 && isMost && !(isTalking && speaksOfSelf);
}
