import * as z from 'zod/mini';
import type { Called, Callee } from '../call-plan/call-plan.ts';
import { plainWords } from '../call-plan/words.ts';
import { plain, type Token } from '../entities/tokens.ts';
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import { auxiliaries, plainWordsIn, subjects } from '../understanding/yes-and-no.ts';
import { isBystander, isCustomer, isOfOtherKind } from './bystander.ts';
import { questionWords } from './clause-topic.ts';
import {
  denialIn,
  isDenied,
  mostDenying,
  placeFit,
  saysName,
  speaksOfItem,
  surelyStranger,
} from './denial.ts';
import {
  asksOfUs,
  isAtHome,
  isElsewhere,
  repeatsName,
  yesWithName,
  yesWithPlace,
  yesWithRequest,
} from './explicit-yes.ts';
import { handsOver, leastHandingOver, transferIn } from './handover.ts';
import { namedPlace, namesGiven, namesOtherPlace, placesNamed } from './named-place.ts';
import { isNewVoice, tellingTypes } from './new-voice.ts';
import { isHum, reachGuesses, reachReply } from './reach-reply.ts';
import { withoutRequest } from './reply-before-request.ts';
import { agreementWith, agreesWith } from './second-opinion.ts';

/**
 * Who is on the line. No fact of the patient is told before the right party is verified: by a named place or role
 * that fits the task, or by an explicit yes to our question. A name, a greeting, a bare "yes?", an offer of help and a
 * question prove nothing. Each new person on the line is verified again.
 */
export const Party = z.object({
  status: z.enum(['unverified', 'verified', 'wrong']),
  /** The words that proved it. */
  quote: z.nullable(z.string()),
  turn: z.nullable(z.int()),
  /** Our last words asked whom we have reached. */
  is_asked: z.boolean(),
  /** How often the person on the line replied to that question unclearly. */
  asked: z.int(),
  /** The combined certainty of what they said that we have, 0 to 1. */
  support: z.number(),
  /** Index of the first transcript turn that the person on the line can have heard. */
  since: z.int(),
  /** They have heard that an automated assistant calls and records. */
  notice_heard: z.boolean(),
  /** The name that the person on the line gave in their introduction. */
  person: z.nullable(z.string()),
  /** The other names that they answered with, such as their business's, in lower case. */
  introduced: z.optional(z.array(z.string())),
  /** They have named a place of another kind, so no yes of theirs proves anything. */
  is_other_kind: z.optional(z.boolean()),
  /** A recording may have answered, so an introduction proves nothing. */
  may_be_recording: z.optional(z.boolean()),
});
export type Party = z.infer<typeof Party>;

export const nobodyYet: Party = {
  status: 'unverified',
  quote: null,
  turn: null,
  is_asked: false,
  asked: 0,
  support: 0,
  since: 0,
  notice_heard: false,
  person: null,
};

/** The move whose yes proves that we have reached the right party, unless it names a place of another kind. */
function provenBy(heard: Heard, callee: Callee): Move | null {
  const isOther = (move: Move): boolean =>
    namesOtherPlace(move) || ((move.acts.get('introduces-place') ?? 0) >= 0.5 && isElsewhere(move, callee));
  if (reachReply(heard).label !== 'confirms' || heard.moves.some(isOther)) return null;
  const sureness = ({ tokens }: Move): number => reachGuesses(tokens).get('confirms') ?? 0;
  return heard.moves.reduce<Move | null>(
    (best, move) => (best === null || sureness(move) > sureness(best) ? move : best),
    null,
  );
}

/** Anyone who joins later is verified again. */
const leastLeaving = 0.35;
/** From this on, a reply leans toward a denial, and nothing said before it counts. */
const mostDoubting = 0.5;

/** What they say beside their questions. */
function repliesIn({ moves }: Heard): Token[] {
  return moves.filter((move) => !asksOfUs(move)).flatMap(({ tokens }) => tokens);
}

/** The evidence of one reply that this is the right party, 0 to 1. */
function supportIn(heard: Heard, called: Called): number {
  const place = Math.max(0, ...heard.moves.map((move) => placeFit(move, called.callee)));
  const clauses = heard.moves.map((move) =>
    isHum(move) || asksOfUs(move) ? 0 : (reachGuesses(move.tokens).get('confirms') ?? 0),
  );
  const replies = repliesIn(heard);
  const [whole = 0, reply = 0] = [heard.tokens, replies].map(
    (tokens) => reachGuesses(tokens).get('confirms') ?? 0,
  );
  // "Thank you. And may I have the number?": what they ask confirms nothing.
  const yes =
    replies.length > 0 ? Math.max(Math.min(whole, reply), clauseWeight * Math.max(place, ...clauses)) : 0;
  return yes * (1 - denialIn(heard, called)) * agreementWith(heard);
}

/**
 * "You bet, Cove Bend" says the name of the place that we called. An office need only be one: the name that it answered
 * with before, which no private line has, will do.
 */
function supportOnRequest(heard: Heard, called: Called, known: Party): number {
  const { callee } = called;
  const replies = new Set([heard, withoutRequest(heard)]);
  const support = Math.max(...[...replies].map((reply) => supportIn(reply, called)));
  const isRepeated = callee === 'office' && heard.moves.some((move) => repeatsName(move, known));
  const isNamed = isRepeated || saysName(heard, called);
  return isNamed ? 1 - (1 - support) * (1 - namedBefore) : support;
}

/** A clause beside others, or a named place, may mean something else. */
const clauseWeight = 0.8;
/** The required certainty of all replies together. */
const leastSupport = 0.9;

/**
 * Asked whom we have reached: a yes, or a named place that may be meant as one; named in passing it proves nothing. A
 * yes in a reply that does not lean to one as a whole may be to something else: "Yes, I'm listening, what is it?"
 */
function provenOnRequest(heard: Heard, called: Called, before: Party): Move | null {
  const { callee } = called;
  const isPlaced = before.support >= namedBefore;
  const isAgain = before.asked > 0;
  const named = yesWithName(heard, called) ?? (isAgain ? yesWithRequest(heard, callee) : null);
  if (named !== null || !agreesWith(heard, isPlaced || isAgain)) return named;
  // After "Claims, Bob", "Yes, this is Cove Gate" needs no third yes. So much support from replies counts as well.
  const asked = before.asked + (isPlaced ? 2 : 0);
  return (
    yesWithPlace(heard, callee, { ...before, asked }) ??
    namedPlace(heard, { callee, place: null }) ??
    provenBy(heard, callee)
  );
}

/** The certainty of a place whose kind is named, but may be another: "Claims, Hank" may insure cars. */
const namedBefore = 0.8;

/** A long speech that may be a mailbox's, however human it sounds. */
export function mayBeMailbox(heard: Heard): boolean {
  const words = heard.tokens.filter(({ kind }) => kind === 'word').length;
  return words >= longSpeech && likelihood(heard, 'mailbox', 'call-back-later') >= leastRecorded;
}

/** From this many words on, a first speech may be a recording. */
export const longSpeech = 18;
const leastRecorded = 0.1;

function provenUnasked(heard: Heard, called: Called): Move | null {
  return mayBeMailbox(heard) || isSpeech(heard) ? null : namedPlace(heard, called);
}

/** A person who starts with a speech ends it with a question or an offer. Without one it may be a recording. */
function isSpeech({ tokens, moves }: Heard): boolean {
  const last = moves.at(-1);
  const wanted = replying.reduce((sum, act) => sum + (last?.acts.get(act) ?? 0), 0);
  const isLong = tokens.filter(({ kind }) => kind === 'word').length >= longSpeech;
  return isLong && last?.isQuestion !== true && wanted < leastReplying && !holdsQuestion(tokens);
}

/** "… speaking with whom do I have the pleasure": without marks, a question is known by its form. */
function holdsQuestion(tokens: readonly Token[]): boolean {
  const words = plainWords(plain(tokens));
  return words.some((_, at) => {
    const [word = '', auxiliary = '', subject = ''] = words.slice(at);
    return questionWords.has(word) && auxiliaries.has(auxiliary) && subjects.has(subject);
  });
}

const replying = ['asks-fact', 'asks-open', 'offers-help', 'go-ahead', 'invites-more'];
const leastReplying = 0.6;

/** What these words show about the party. */
export function partyAfter(before: Party, heard: Heard, called: Called, isMachine: boolean): Party {
  const isGone = isLeaving(before, heard) && likelihood(heard, 'wrong-number') < surelyStranger;
  if (isGone || (isMachine && !givesAnswer(before, heard))) return { ...nobodyYet, since: heard.turn + 1 };
  const isNew = isNewVoice(before, heard);
  const known = isNew ? { ...nobodyYet, since: heard.turn } : before;
  const hasReplied = before.is_asked && !isNew && likelihood(heard, 'asks-repeat') < 0.5;
  const met = {
    ...known,
    person: metIn(heard, known.person),
    introduced: known.introduced ?? (before.is_asked ? [] : namesGiven(heard)),
    is_asked: false,
    asked: known.asked + (hasReplied ? 1 : 0),
    ...(known.is_other_kind || isOfOtherKind(heard, called) ? { is_other_kind: true } : {}),
  };
  if (isDenied(before, heard, called)) {
    // "It is a bank, you understand, not a clinic": a verified person is asked again before we accept it.
    if (known.status === 'verified')
      return { ...nobodyYet, since: known.since, notice_heard: known.notice_heard };
    return { ...met, status: 'wrong' };
  }
  if (known.status === 'verified') return met;
  const isStranger = met.is_other_kind || isBystander(heard) || isCustomer(heard, called);
  const denial = isStranger || isAtHome(heard, called.callee, before) ? 1 : denialIn(heard, called);
  const denials = saysName(heard, called) ? 0 : (reachGuesses(repliesIn(heard)).get('denies') ?? 0);
  const said = before.is_asked
    ? supportOnRequest(heard, called, known)
    : placesNamed(heard, called).length > 0
      ? namedBefore
      : 0;
  const support = denials >= mostDoubting || denial === 1 ? 0 : 1 - (1 - met.support) * (1 - said);
  // What may be a mailbox proves nothing by its introduction, nor by a long speech in place of a reply.
  const mayBeRecording = before.may_be_recording === true && !isNew;
  const proof =
    denial >= mostDenying || (mayBeRecording && mayBeMailbox(heard))
      ? null
      : before.is_asked
        ? (provenOnRequest(heard, called, before) ??
          (support >= leastSupport ? (heard.moves[0] ?? null) : null))
        : mayBeRecording
          ? null
          : provenUnasked(heard, called);
  if (proof === null) return { ...met, support };
  return { ...met, status: 'verified', quote: proof.text, turn: heard.turn };
}

/** A person who answers our questions, or asks us one, stays on the line unless they clearly transfer us. */
function isLeaving(before: Party, heard: Heard): boolean {
  // Once verified, only a question at the end keeps them on the line: "… birth date? He'll take it from here." leaves.
  const asking = before.status === 'verified' ? heard.moves.slice(-1) : heard.moves;
  const staysOn = givesAnswer(before, heard) || asking.some(asksOfPatient);
  return staysOn ? handsOver(heard) : transferIn(heard) >= leastLeaving;
}

function asksOfPatient({ isQuestion, acts }: Move): boolean {
  return isQuestion && (acts.get('asks-fact') ?? 0) >= leastHandingOver;
}

function givesAnswer({ status }: Party, { moves, entities }: Heard): boolean {
  // "We don't bill it, no. I'll give you a receipt though."
  const saysNo = moves.some(({ tokens }) => plainWordsIn(tokens).has('no'));
  const isOfItem = moves.some(({ claims: [best] }) => best !== undefined && speaksOfItem(best));
  return status === 'verified' && (saysNo || isOfItem || entities.some(({ type }) => tellingTypes.has(type)));
}

/** A person who has introduced themselves is not renamed by "you got Lakeside". */
function metIn(heard: Heard, known: string | null): string | null {
  const [name] = heard.entities
    .filter((entity) => entity.type === 'name')
    .toSorted((a, b) => b.certainty - a.certainty);
  const least = known === null ? leastIntroducing : leastRenaming;
  const isSure = name !== undefined && name.certainty >= sureName && known === null;
  if (name === undefined || (!isSure && introductionOf(heard, name) < least)) return known;
  return name.value;
}

/** As clear as "my name is". */
const sureName = 0.8;
const leastIntroducing = 0.25;
const leastRenaming = 0.5;

/** "You got Lakeside", "yep, this is Lakeside": the name may be the place's. */
function introductionOf({ moves }: Heard, { start }: { readonly start: number }): number {
  const move = moves.find((one) => one.end > start);
  return move?.acts.get('introduces-person') ?? 0;
}
