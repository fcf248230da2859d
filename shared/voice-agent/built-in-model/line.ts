import { plainWords } from '../call-plan/words.ts';
import { surelyStranger } from '../core/denial.ts';
import { evidenceIn } from '../core/evidence.ts';
import { handsOver } from '../core/handover.ts';
import { namesKindOfCaller, refusalOfMachines } from '../core/obstacles.ts';
import { otherLanguage } from '../core/other-language.ts';
import { isReproach } from '../core/refusals.ts';
import { mayBeMailbox } from '../core/right-party.ts';
import { notice } from '../core/wording.ts';
import { wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { featuresOf } from '../understanding/features.ts';
import { type Guess, guess } from '../understanding/linear-model.ts';
import { type Heard, likelihood, type Move, modelOf, movesOf } from '../understanding/understand.ts';
import { askForEnglish } from './ask-for-english.ts';
import { asksForFacts, identifying, isOfItem, questionsIn, topicsOf } from './asked-of-us.ts';
import { handleMachine, mayBeGreeting, noteAbsence } from './menu.ts';
import type { TurnDraft } from './turn-draft.ts';
import { aboutCaller, deskName, phraseInTurn } from './wording.ts';

/**
 * Handles events on the line that do not depend on the task: machines, wrong numbers, refusals,
 * transfers. Returns whether that decides the turn.
 */
export function handleLine(draft: TurnDraft, heard: Heard): boolean {
  if (otherLanguage(heard) !== null) return askForEnglish(draft, heard);
  if (handleMachine(draft, heard)) return true;
  if (handleWrongNumber(draft, heard)) return true;
  // "I can't get in that computer. After four": another time is not a refusal.
  const later = likelihood(heard, 'call-back-later');
  if (later > likelihood(heard, 'refuses-machine', 'opts-out') && handleLater(draft, heard)) return true;
  if (handleUnwilling(draft, heard) || handleLater(draft, heard) || handleTransfer(draft, heard)) return true;
  draft.memory.line = 'open';
  return handleWrongDepartment(draft, heard) || handleAside(draft, heard);
}

const sure = 0.6;
const leastRefusing = 0.35;

/** Endings that cost the call need more certainty, especially once the right party talks business. */
function bound(draft: TurnDraft, heard: Heard, before: number, after: number): number {
  const talksBusiness = asksForFacts(heard) || draft.answers.size > 0;
  return draft.view.party.status !== 'verified' ? before : talksBusiness ? after : (before + after) / 2;
}

function quoteOf(heard: Heard, ...acts: string[]): string {
  return movesOf(heard, acts, 0.3)[0]?.text ?? heard.said;
}

/**
 * A bare "stop" interrupts our words, "a contact phone number" asks for one, "don't tell me more" is of this call,
 * and "if not, call me" ends nothing: an opt-out has more words, among them one that ends something.
 */
function optsOut({ moves }: Heard): number {
  const wordy = moves.filter(
    (move) =>
      move.tokens.filter(({ kind }) => kind === 'word').length > 1 &&
      !namesOurs(move) &&
      plainWords(move.text).some(
        (word, at, words) => ends(word) && words[at - 1] !== 'if' && !tellingWords.has(words[at + 1] ?? ''),
      ),
  );
  return Math.max(
    0,
    ...wordy.flatMap(({ acts, tokens }) => [acts.get('opts-out') ?? 0, optOutBefore(tokens)]),
  );
}

/** "Put us on your do-not-call and have a person call": what is said before the "and" counts by itself. */
function optOutBefore(tokens: Move['tokens']): number {
  const part = tokens.slice(
    0,
    Math.max(
      0,
      tokens.findIndex(({ norm }) => norm === 'and'),
    ),
  );
  const isWordy = part.filter(({ kind }) => kind === 'word').length >= leastOfPart;
  const guesses = isWordy ? guess(modelOf('acts'), featuresOf(part)) : [];
  return guesses.find(({ label }) => label === 'opts-out')?.confidence ?? 0;
}

const leastOfPart = 4;

function ends(word: string): boolean {
  return endingWords.has(word) || word.endsWith("n't");
}

const endingWords = wordSet(cues.opt_out);
const tellingWords = wordSet(cues.telling);

function handleOptOut(draft: TurnDraft, heard: Heard): boolean {
  if (optsOut(heard) < bound(draft, heard, 0.6, 0.85)) return false;
  draft.followUp(`They said: "${quoteOf(heard, 'opts-out')}"`);
  draft.end('opted-out', 'refused');
  return true;
}

/** People who refuse to speak with us, now or ever. */
function handleUnwilling(draft: TurnDraft, heard: Heard): boolean {
  if (handleOptOut(draft, heard)) return true;
  // "You've got the wrong number, I don't do that": says who they are not.
  const stranger = likelihood(heard, 'wrong-number');
  if (stranger >= surelyStranger && stranger > refusalOfMachines(heard)) return false;
  // A person who offers a time does not refuse: "… if she doesn't get called away".
  if (likelihood(heard, 'offers-opening', 'confirms-booking') >= sure) return false;
  const isVerified = draft.view.party.status === 'verified';
  // Once we talk business, declining something declines that thing, not us.
  const ofMachine = refusesMachine(draft, heard);
  // "I've told you twice. I'm not going over it again": they refuse the repetition.
  const refusesUs = !isVerified && !heard.moves.some(({ tokens }) => isReproach(tokens));
  const refusal = Math.max(ofMachine, refusesUs ? likelihood(heard, 'refuses') * 0.85 : 0);
  const asks = heard.moves.some(({ isQuestion }) => isQuestion);
  const least = asksForFacts(heard) ? 0.9 : asks ? leastBesideQuestion : sure;
  const isSure = refusal >= bound(draft, heard, least, 0.85);
  // Recorded in any case: they may hang up next.
  if (isSure || ofMachine >= leastRefusing)
    draft.obstacle('no_ai', quoteOf(heard, 'refuses-machine', 'refuses'), heard.turn);
  if (!isSure) return false;
  // "No robots, and no more calls to this phone": both apply.
  const isForever = optsOut(heard) >= leastRefusing;
  draft.end(isForever ? 'opted-out' : 'refused', 'refused');
  return true;
}

/** "She local? Just so I'm not wasting your time": a person who asks hardly refuses. */
const leastBesideQuestion = 0.8;

/** "No exceptions." after another obstacle was named: a refusal of machines has a word for one, or for a person. */
function refusesMachine({ memory }: TurnDraft, heard: Heard): number {
  const isOther = Object.keys(memory.obstacles).some((reason) => reason !== 'no_ai');
  const moves = heard.moves.filter(({ tokens }) => !isOther || tokens.some(namesKindOfCaller));
  return Math.max(0, ...moves.map(({ acts }) => acts.get('refuses-machine') ?? 0));
}

/** A stranger who wants no further call gets none, though another number would be right. */
function handleWrongNumber(draft: TurnDraft, heard: Heard): boolean {
  if (draft.view.party.status !== 'wrong') return false;
  if (!handleOptOut(draft, heard)) draft.end('wrong-number', 'wrong-number');
  return true;
}

/** Asked to call back later. */
function handleLater(draft: TurnDraft, heard: Heard): boolean {
  // "I'll ring you back tomorrow": a message taker promises that, too.
  if (soundsLikeMailbox(draft, heard)) return false;
  const isTimed = heard.entities.some(({ type }) => type === 'time' || type === 'date' || type === 'moment');
  // A time offered before the reason is known is a time to call back.
  const offered = isTimed && !draft.memory.purpose_said ? ['offers-opening', 'confirms-booking'] : [];
  const later = likelihood(heard, 'call-back-later', ...offered);
  // "We close for lunch in ten" does not request another call.
  const isMeant = heard.moves.some(
    (move) => isOfLater(move) && speaksOfLater(draft, move) && !namesOurs(move),
  );
  if (!isMeant || later < bound(draft, heard, 0.7, 0.9) || heard.tokens.length < 4) return false;
  // "What else you need, I got till lunch": a person who continues does not postpone.
  if (draft.view.party.status === 'verified' && likelihood(heard, 'invites-more', 'go-ahead') >= sure)
    return false;
  // "We call when we call", after they turned us away, and "once the referral is here": not another time.
  const turnsAway = likelihood(heard, 'needs-referral', 'needs-member', 'portal-only', 'not-accepting');
  const isTurnedAway = Object.keys(draft.memory.obstacles).length > 0 || turnsAway >= sure;
  if (!isTimed && isTurnedAway) return false;
  const wantsNumber = !isTimed && heard.moves.some(({ asks }) => asks.some(isCallback));
  if (
    wantsNumber ||
    questionsIn(heard).some((move) => topicsOf(move).some((topic) => topic !== 'other')) ||
    answersQuestion(draft, draft.plan.callee === 'clinic' ? withoutLater(heard) : heard) ||
    tellsTime(draft, heard)
  )
    return false;
  if (mayBeGreeting(draft)) return noteAbsence(draft, heard);
  const when = heard.entities.find(({ type }) => type === 'moment' || type === 'date');
  const at = when !== undefined && when.certainty >= 0.6 ? instantOf(when) : null;
  draft.obstacle('call_back_at', quoteOf(heard, 'call-back-later'), heard.turn, at);
  draft.followUp(`They said: "${quoteOf(heard, 'call-back-later')}"`);
  draft.end('call-again', 'call-again');
  return true;
}

const leastLater = 0.5;
const timely: ReadonlySet<string> = new Set(['time', 'time-range', 'date', 'moment']);

/** "You have to call back this afternoon" offers no opening, although it names a time. */
function withoutLater(heard: Heard): Heard {
  const moves = heard.moves.filter((move) => !isOfLater(move));
  return { ...heard, moves, entities: moves.flatMap(({ entities }) => entities) };
}

function isOfLater({ acts }: Heard['moves'][number]): boolean {
  return (acts.get('call-back-later') ?? 0) >= leastLater;
}

const callingWords = wordSet(cues.calling_again);
const laterWords = wordSet(`${cues.calling_again} ${cues.later}`);

/** "It'll be tomorrow after four", asked whether it is ready, speaks of no other call. */
function speaksOfLater({ view, memory }: TurnDraft, { tokens, entities }: Heard['moves'][number]): boolean {
  const mayAnswer =
    view.party.status === 'verified' && memory.pending !== null && memory.pending !== 'instead';
  const isTimed = entities.some(({ type }) => timely.has(type));
  const said = tokens.flatMap(({ norm }) => norm.split(' '));
  // "Try us tomorrow"; "Vernon here, the secretary's at lunch" greets us.
  if (isTimed && memory.prompts !== 1 && (!mayAnswer || said[0] === 'try')) return true;
  return said.some((word) => (mayAnswer ? callingWords : laterWords).has(word));
}

/** "A call-back number, in case we are cut off" does not ask for another time. */
function isCallback({ label, confidence }: Guess): boolean {
  return label === 'callback-number' && confidence >= 0.3;
}

/** "Nothing under that. Try the name, then.": asks for what identifies the patient, at once. */
function namesOurs({ asks: [topic], entities }: Heard['moves'][number]): boolean {
  const least = entities.some(({ type }) => timely.has(type)) ? leastOurs : leastOursAtOnce;
  return topic !== undefined && identifying.has(topic.label) && topic.confidence >= least;
}

const leastOurs = 0.7;
const leastOursAtOnce = 0.4;

/** A stated day with its time; a time alone has no day. */
function instantOf(entity: Heard['entities'][number] | undefined): string | null {
  switch (entity?.type) {
    case 'moment':
      return `${entity.value.day}T${clock(entity.value.minutes)}`;
    case 'date':
      return entity.value.day;
    default:
      return null;
  }
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** The first words are a long speech, possibly a mailbox's: the reaction to our answer will tell. */
function soundsLikeMailbox({ memory }: TurnDraft, heard: Heard): boolean {
  return memory.prompts === 1 && mayBeMailbox(heard);
}

/** Transferred to another person, who is asked and told everything again. */
function handleTransfer(draft: TurnDraft, heard: Heard): boolean {
  if (!handsOver(heard) || soundsLikeMailbox(draft, heard)) return false;
  const { memory } = draft;
  memory.line = 'transfer';
  memory.purpose_said = false;
  memory.pending = null;
  draft.say(phraseInTurn('transfer_thanks', memory.turns));
  draft.wait();
  return true;
}

/** The right organization and the wrong desk: asks once for the way to the right one. */
function handleWrongDepartment(draft: TurnDraft, heard: Heard): boolean {
  if (
    likelihood(heard, 'wrong-department') < bound(draft, heard, sure, 0.85) ||
    draft.view.party.turn === heard.turn ||
    answersQuestion(draft, heard) ||
    // "That would be the lab", asked one of several questions: the others may be for them.
    (draft.view.party.status === 'verified' && draft.answers.size + draft.memory.closed.length > 0)
  )
    return false;
  const { memory, plan } = draft;
  const times = memory.obstacles.wrong_department ?? 0;
  draft.obstacle('wrong_department', quoteOf(heard, 'wrong-department'), heard.turn);
  if (times > 0) {
    draft.followUp(`They said: "${quoteOf(heard, 'wrong-department')}"`);
    draft.end('declined', 'follow-up');
    return true;
  }
  if (!draft.view.party.notice_heard) draft.say(notice(plan), { kind: 'notice' });
  draft.sayFresh(aboutCaller('caller-purpose', plan));
  draft.say(`Could you transfer me to ${deskName(plan)}, please?`);
  return true;
}

/** "Four hours without food, but that's scheduling really": a person who answers gets the other questions, too. */
function answersQuestion({ plan, pendingItem }: TurnDraft, heard: Heard): boolean {
  const tells = (move: Move): boolean =>
    !move.isQuestion && move.act !== 'wrong-department' && isOfItem(move, leastTelling);
  const isPayer = plan.callee === 'insurer' || plan.callee === 'claims-department';
  if (pendingItem !== null && isPayer && heard.moves.some(tells)) return true;
  return evidenceIn(heard, plan, pendingItem).some(
    ({ isAsked, value, isConditional, confidence }) =>
      isAsked && (value !== null || isConditional) && confidence >= leastAnswering,
  );
}

const leastTelling = 0.9;

/** "Two in the afternoon. After that it's tomorrow", asked for a time: it has no value without a day. */
function tellsTime({ plan, pendingItem }: TurnDraft, heard: Heard): boolean {
  const told = withoutLater(heard);
  if (plan.callee === 'clinic' || !told.entities.some(({ type }) => timely.has(type))) return false;
  return evidenceIn(told, plan, pendingItem).some(
    ({ isAsked, confidence }) => isAsked && confidence >= leastAnswering,
  );
}

const leastAnswering = 0.55;

/** "Which benefit may I quote for you?" sounds like a sale, and asks what we want. */
function isSales({ view }: TurnDraft, heard: Heard): boolean {
  return (
    view.party.status === 'verified' &&
    likelihood(heard, 'sales') >= 0.8 &&
    likelihood(heard, 'asks-fact', 'offers-help', 'invites-more', 'go-ahead') < 0.5
  );
}

/** Attempts to distract from the task, or to sell something; other requests are still answered. */
function handleAside(draft: TurnDraft, heard: Heard): boolean {
  const isOffTask =
    likelihood(heard, 'injection') >= 0.75 && !heard.moves.some((move) => isOfItem(move, leastTelling));
  if (isOffTask) draft.say(phraseInTurn('stay_on_task', draft.memory.turns));
  else if (isSales(draft, heard)) draft.say(phraseInTurn('no_sale', draft.memory.turns));
  return false;
}
