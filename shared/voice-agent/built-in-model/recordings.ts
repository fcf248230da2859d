import { requestsMessage } from '../core/possible-recording.ts';
import type { LikelyListener } from '../dialogue/likely-listener.ts';
import { wordSet } from '../entities/tokens.ts';
import menus from '../language/en-US/menu-choices.json' with { type: 'json' };
import { negations } from '../understanding/features.ts';
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import { beginsWithNo, beginsWithYes } from '../understanding/yes-and-no.ts';
import { choicesIn } from './menu-choices.ts';
import { holdsAny, plainWords } from './words.ts';

/*
 * Words that no person says to us. They often contain phrases of people ("your appointment", "how may
 * we help"), so a speaker who introduces themselves, asks or offers something is not a machine.
 */

/** Context besides the words. */
export interface LineState {
  readonly listener: LikelyListener | null;
  /** A person has been talking with us, so a machine is unlikely. */
  readonly isTalking: boolean;
  readonly isMachine: boolean;
}

const personalActs = ['asks-fact', 'asks-preference', 'asks-machine', 'offers-opening'] as const;

/** Whether a person addresses us. */
export function isPersonSpeaking(heard: Heard): boolean {
  // "Yes, of course. The practice closed last month": no recording says yes.
  if ((heard.moves[0]?.acts.get('yes') ?? 0) >= surelyYes) return true;
  if (onlyRepeats(heard) || holdsAny(plainWords(heard.tokens), menus.automatic)) return false;
  const introduces = likelihood(heard, 'introduces-person') >= 0.5 && likelihood(heard, 'mailbox') < 0.5;
  return introduces || heard.moves.some((move) => sumOf(move, personalActs) >= 0.6 && !isRecorded(move));
}

const surelyYes = 0.9;

/** Whether these words take up ours, as the next part of a recording does not. */
export function repliesToUs(heard: Heard): boolean {
  if (requestsMessage(heard)) return false;
  return (
    isPersonSpeaking(heard) ||
    heard.moves.some((move) => {
      const isReply = beginsWithYes(move.tokens) || beginsWithNo(move.tokens);
      return (isReply || sumOf(move, replying) >= leastReplying) && !isRecorded(move);
    })
  );
}

/** Whether somebody has come to the telephone, as far as these words tell. */
export function addressesUs(heard: Heard): boolean {
  const introduces = likelihood(heard, 'introduces-person', 'introduces-place') >= 0.5;
  return introduces || isPersonSpeaking(heard) || heard.moves.some(({ isQuestion }) => isQuestion);
}

const replying = [
  'yes',
  'no',
  'go-ahead',
  'offers-help',
  'asks-open',
  'asks-repeat',
  'acknowledges',
  'hold',
  'transfer',
] as const;
const leastReplying = 0.5;

/** "To hear this again, press 1", and no other choice. */
export function onlyRepeats({ tokens }: Heard): boolean {
  const choices = choicesIn(tokens);
  return choices.length > 0 && choices.every(({ text }) => holdsAny(text.split(' '), menus.again));
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
 * Whether these are the words of a machine that takes messages. A human-sounding one is recognized by its
 * final request; for a person in conversation with us the word alone is not enough.
 */
export function isMailbox(heard: Heard, { listener, isTalking }: LineState): boolean {
  const moves = heard.moves.filter((move) => !move.isQuestion);
  const asks = moves.some((move) => asksForMessage(plainWords(move.tokens)));
  const sounds = holdsAny(plainWords(heard.tokens), menus.sounds);
  const judged = Math.max(0, ...moves.map(({ acts }) => acts.get('mailbox') ?? 0));
  if (isTalking) return sounds && asks && judged >= 0.5;
  const isUnanswered = holdsAny(plainWords(heard.tokens), menus.unanswered);
  if (isUnanswered && heard.moves.some(({ tokens }) => namesMessage(plainWords(tokens)))) return true;
  if (isPersonSpeaking(heard) && !asks) return false;
  if (asks && (sounds || judged >= 0.5 || listener === 'machine')) return true;
  const isAway = holdsAny(plainWords(heard.tokens), menus.away);
  if (isMonologue(heard) && isAway && promisesCall(heard)) return true;
  return (
    judged >= (listener === 'machine' ? 0.4 : listener === 'human' ? 0.9 : 0.6) && (isAway || sounds || asks)
  );
}

/** Whether a greeting has come to its last request, "Leave your name after the tone": the tone follows. */
export function endsGreeting(moves: readonly Move[]): boolean {
  const said = moves.map(({ tokens }) => plainWords(tokens));
  return said.some((words) => holdsAny(words, menus.sounds) || asksForMessage(words) || namesMessage(words));
}

/** "Please leave your name and number", "messages can be left" */
function asksForMessage(words: readonly string[]): boolean {
  const left = words.findIndex((word) => menus.messageTaken.includes(word));
  const before = words.slice(Math.max(0, left - 4), Math.max(0, left));
  // "Messages cannot be left on this line."
  if (before.includes('messages')) return !before.some((word) => negations.has(word));
  const verb = words.findIndex((word) => menus.messageVerbs.includes(word));
  if (
    verb < 0 ||
    (verb > 0 && ['i', 'to', 'will', 'can', 'not', 'we', 'you'].includes(words[verb - 1] ?? ''))
  )
    return false;
  return words.slice(verb + 1, verb + 7).some((word) => menus.messageThings.includes(word));
}

/** "Name, number, keep it short." */
function namesMessage(words: readonly string[]): boolean {
  const [first, second] = words.filter((word) => word !== 'and' && word !== 'your');
  return [first, second].every((word) => menus.messageThings.includes(word ?? ''));
}

/** "Tell me who you are, and I'll call you back" */
export function promisesCall({ tokens }: Heard): boolean {
  return holdsAny(plainWords(tokens), menus.callsBack);
}

const isMonologue = ({ moves, tokens }: Heard): boolean =>
  moves.length >= 3 || plainWords(tokens).length >= 25;

/** Words that only machines continue with: facts and advice between notices. */
const impersonal = wordSet(
  'states chat announcement menu sales portal-only mailbox acknowledges no-availability',
);

/** Between two recordings a machine continues until words greet, ask or offer. */
export function goesOn(heard: Heard, { isMachine }: LineState): boolean {
  const isOther = ({ act, tokens }: Move): boolean =>
    impersonal.has(act) || holdsAny(plainWords(tokens), menus.facts);
  return isMachine && heard.moves.every(isOther) && heard.entities.every(({ type }) => type !== 'name');
}

/** A recording that reports absence without taking messages. */
export function isClosedRecording(heard: Heard, { listener, isTalking, isMachine }: LineState): boolean {
  if (isTalking || isPersonSpeaking(heard) || heard.moves.some(({ isQuestion }) => isQuestion)) return false;
  const words = plainWords(heard.tokens);
  // "I can't put her on, our panels are closed": recordings never refer to themselves.
  if (words.includes('i')) return false;
  // "Will be closed on Friday" implies that they are open now.
  const isAhead = holdsAny(words, ['will be closed', 'we will close']);
  const isClosed =
    !isAhead &&
    words.includes('closed') &&
    likelihood(heard, 'call-back-later', 'not-accepting', 'states', 'announcement') >= 0.4;
  return (
    isClosed && holdsAny(words, menus.closed) && (isMachine || listener === 'machine' || isMonologue(heard))
  );
}

/** Queues, notices and music: recorded words that expect no answer. */
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
