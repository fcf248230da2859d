import type { Fact } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import { namesTheirNeed } from '../core/named-need.ts';
import { wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Guess } from '../understanding/linear-model.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import {
  askedAgain,
  asksByAct,
  asksForBareName,
  asksForMore,
  asksOutright,
  asksSurely,
  identifying,
  isAboutCaller,
  namedIn,
  partsOfName,
  questionsIn,
  repeatedAsk,
  topicsOf,
} from './asked-of-us.ts';
import { chosenOf } from './choices.ts';
import type { AnsweredRequest } from './memory.ts';
import { mentionIn } from './named-in-passing.ts';
import { answeredWith, topicsToTell } from './repeated-requests.ts';
import { withoutRuledOut } from './ruled-out.ts';
import { factsFor } from './topic-facts.ts';
import type { TurnDraft } from './turn-draft.ts';
import { aboutCaller, phrase, topicName } from './wording.ts';

/*
 * Answers requests of the person on the line: facts of the patient only once the right party is verified and only as
 * the plan allows, and public facts about the caller.
 */

/** Requests must be more certain before anything about the patient is told. */
const leastToTell = 0.5;

/**
 * `told`: the requested fact, or that it is unknown. `vague`: only that the request is unclear; our own
 * question continues. `null`: nothing needed an answer.
 */
export type Answered = 'told' | 'vague' | null;

/**
 * Answers a request, and says so if the answer is unknown.
 *
 * @param bringsNothing the words answer nothing, so words they merely name may be requests
 */
export function answerQuestions(draft: TurnDraft, heard: Heard, bringsNothing = false): Answered {
  // "The doctor faxes it over and calls her", asked what to do instead, requests nothing.
  const isTellingWay = draft.memory.pending === 'instead';
  const choices = new Map(heard.moves.map((move) => [move, chosenOf(draft, move, heard)]));
  const outright = questionsIn(heard).filter((move) => !isTellingWay || asksSurely(move));
  const isChosen = (move: Move): boolean => move.isQuestion && choices.get(move) != null;
  const asked = heard.moves.filter((move) => outright.includes(move) || isChosen(move));
  const isOurs = (topic: string): boolean => isKnown(draft, topic);
  const mentioned = asked.length === 0 && bringsNothing ? mentionIn(heard, isOurs) : [];
  const repeated =
    bringsNothing && asked.length + mentioned.length === 0
      ? repeatedAsk(heard, draft.memory.heard, isOurs)
      : [];
  const wanted = [...asked, ...mentioned, ...repeated];
  const questions = wanted.filter((move) => !echoes(draft, move)).map(withoutRuledOut);
  const spoken = draft.words.length;
  const told = new Set<string>();
  const lacking: Lacking[] = [];
  const answered: AnsweredRequest[] = [];
  for (const move of questions) {
    if (spells(draft, move)) continue;
    const again = repeated.includes(move) ? (move.asks[0]?.label ?? null) : null;
    const untold = again ?? untoldTopic(draft, move) ?? namedTopic(draft, heard, move);
    const choice = choices.get(move);
    if (choice != null) {
      draft.say(choice.words, { fields: [choice.field] });
      continue;
    }
    const topics = untold === null ? topicsOf(move) : [untold];
    const isChoice = move.text.toLowerCase().includes(' or ');
    const known = topics.filter((topic) => isKnown(draft, topic));
    if (
      known.length > 0 &&
      untold === null &&
      isUnclear(move) &&
      !known.some(isAboutCaller) &&
      askWhich(draft)
    )
      continue;
    const named = known.length === 0 ? topics.slice(0, 1) : isChoice ? known.slice(0, 2) : known;
    const likely = named.map((one) => topicMeant(draft, one, move, named.length === 1));
    const before = draft.memory.answered;
    const chosen = topicsToTell({ move, topics: likely, heard, answered: before, isKnown: isOurs });
    answered.push(answeredWith(move, chosen, before));
    for (const topic of chosen) {
      if (told.has(topic) || (asksForMore(move) && isSpent(draft, topic))) continue;
      told.add(topic);
      if (topic === 'other' ? tellNamed(draft, move) : tell(draft, topic)) continue;
      // "It's pending. Who's the patient to you?" goes unanswered rather than with "I don't know".
      const isVague = topic === 'other' || move.act === 'asks-open';
      if ((bringsNothing || !isVague) && asksOutright(move)) lacking.push({ topic, move, isVague });
    }
  }
  if (answered.length > 0) draft.memory.answered = answered;
  if (wanted.length === 0 && !isTellingWay && (bringsNothing || draft.plan.callee === 'clinic')) {
    const insisting = askedAgain(heard, draft.view.earlier);
    if (insisting !== undefined) lacking.push({ topic: 'other', move: insisting, isVague: true });
  }
  const isAnswered = draft.words.length > spoken;
  // One regret is enough, and vague words belong to the request that was answered.
  const missed = lacking.find(({ isVague }) => !isVague) ?? (isAnswered ? undefined : lacking[0]);
  const isSaid = missed !== undefined && sayUnknown(draft, missed.topic, missed.move);
  if (!isAnswered && isSaid && missed.isVague) return 'vague';
  return isAnswered || isSaid ? 'told' : null;
}

/** A request that we cannot answer. */
interface Lacking {
  readonly topic: string;
  readonly move: Move;
  readonly isVague: boolean;
}

/**
 * "What number's on it?", "number on card?": if the words are ambiguous, or seem to ask for a fact we lack, a
 * fact we have not yet disclosed is likelier.
 */
function untoldTopic(draft: TurnDraft, move: Move): string | null {
  if (topicsOf(move).some((topic) => topic !== 'other' && isKnown(draft, topic))) return null;
  const weighed = namedIn(move).map(({ label, confidence }) => {
    const facts = draft.view.facts.filter(({ topic }) => topic === label);
    const isUntold = facts.some(({ field }) => !draft.view.told.includes(field));
    return { label, confidence, weight: confidence * (isUntold ? untoldWeight : 1) };
  });
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const best = weighed.find(
    ({ weight, confidence }) => weight >= all * leastToTell && confidence >= leastUntold,
  );
  return best !== undefined && identifying.has(best.label) && isKnown(draft, best.label) ? best.label : null;
}

/**
 * "And the patient?", after we gave the reason: asked again, it requests the name. So does "Which leaves the name?",
 * as long as the patient's is untold, rather than a doctor's.
 */
function topicMeant(draft: TurnDraft, topic: string, move: Move, isOnly: boolean): string {
  // "And her complete name?"
  if (partsOfName.includes(topic) && asksForWholeName(move)) return 'patient-name';
  const isBareName = isOnly && asksForBareName(move);
  if (topic === 'provider-name' && isBareName && isUntold(draft, 'patient-name')) return 'patient-name';
  const words = topic === 'caller-relationship' ? aboutCaller(topic, draft.plan) : [];
  const wasSaid = draft.memory.last_words.some(({ text }) => words.includes(text));
  return wasSaid && factsFor(draft, 'patient-name').length > 0 ? 'patient-name' : topic;
}

/** A name, and no part of it. */
function asksForWholeName({ text }: Move): boolean {
  const words = plainWords(text);
  return words.includes('name') && !words.some((word) => partWords.has(word));
}

const partWords = wordSet(cues.parts_of_name);

/** "Give me the ID letter by letter, my ear is French": a few of the words identify what all of them do not. */
function namedTopic(draft: TurnDraft, heard: Heard, move: Move): string | null {
  if (topicsOf(move).some((topic) => topic !== 'other')) return null;
  const [named] = mentionIn({ ...heard, moves: [move] }, (topic) => isKnown(draft, topic));
  return named === undefined ? null : (topicsOf(named)[0] ?? null);
}

/** "You got the number off her card?", asked for a yes or no: names an identifying fact not yet told. */
export function wantsUntold(draft: TurnDraft, heard: Heard): boolean {
  return mentionIn(heard, (topic) => isUntold(draft, topic)).length > 0;
}

/** "Other benefit?": invites our next question, once they have the one that they seem to ask for. */
function isSpent(draft: TurnDraft, topic: string): boolean {
  const facts = factsFor(draft, topic);
  return facts.length > 0 && facts.every(({ field }) => draft.view.told.includes(field));
}

function isUntold(draft: TurnDraft, topic: string): boolean {
  return factsFor(draft, topic).some(({ field }) => !draft.view.told.includes(field));
}

/** How much likelier a person is to ask for a fact we have not yet disclosed. */
const untoldWeight = 3;
const leastUntold = 0.4;

function isKnown(draft: TurnDraft, topic: string): boolean {
  return factsFor(draft, topic).length > 0 || aboutCaller(topic, draft.plan).length > 0;
}

/**
 * "And who is she?": too vague to disclose more than the name, which everyone asks for first. "Her name, please?" may
 * be anybody's, and asks for a name.
 */
function isUnclear({ asks }: Move): boolean {
  const [first] = asks;
  const isName = ({ label }: Guess): boolean => label.endsWith('-name') || label === 'subscriber';
  const names = asks.filter(isName).reduce((sum, { confidence }) => sum + confidence, 0);
  return (
    (first?.confidence ?? 0) < leastToTell && first?.label.endsWith('-name') !== true && names < leastToTell
  );
}

/** Asks for clarification, once per call. */
function askWhich(draft: TurnDraft): boolean {
  const { unknown_asked } = draft.memory;
  const times = unknown_asked.unclear ?? 0;
  unknown_asked.unclear = times + 1;
  if (times > 0) return false;
  draft.say(phrase('unclear_question', 0));
  return true;
}

/** "COBRA for one person?", "Auth needed? Y.": repeats our own question before answering it. */
function echoes({ memory, pendingItem, view }: TurnDraft, move: Move): boolean {
  const [claim] = move.claims;
  const isOfPending =
    claim?.label.split('=')[0] === pendingItem?.key && (claim?.confidence ?? 0) >= leastEchoed;
  if (isOfPending && !asksByAct(move)) return true;
  if (view.heard !== null && namesTheirNeed(move, pendingItem, view.heard)) return true;
  const ours = new Set(
    memory.last_words.flatMap(({ kind, text }) => (kind === 'question' ? contentWords(text) : [])),
  );
  const theirs = contentWords(move.text);
  return theirs.length > 1 && theirs.every((word) => ours.has(word));
}

export const leastEchoed = 0.5;

/** Tells the facts of a topic; false if there are none. */
export function tell(draft: TurnDraft, topic: string): boolean {
  const facts = factsFor(draft, topic);
  if (facts.length === 0) {
    const words = aboutCaller(topic, draft.plan);
    draft.sayFresh(words);
    return words.length > 0;
  }
  const text = facts.map(sentenceOf).join(' ');
  draft.say(text, { fields: facts.map(({ field }) => field) });
  return true;
}

/** A fact with a client's own label is only told if requested by name: "What's the gate code?" */
function tellNamed(draft: TurnDraft, { text }: Move): boolean {
  const said = contentWords(text);
  const fact = draft.view.facts.find(
    ({ topic, label }) => topic === 'other' && contentWords(label).some((word) => said.includes(word)),
  );
  if (fact !== undefined) draft.say(sentenceOf(fact), { fields: [fact.field] });
  return fact !== undefined;
}

function sentenceOf({ label, spoken }: Fact): string {
  const value = withoutStop(spoken);
  if (value.toLowerCase() === 'none') return `There is no ${label}.`;
  return `The ${label} ${isPlural(label) ? 'are' : 'is'} ${value}.`;
}

function isPlural(label: string): boolean {
  return label.endsWith('s') && !['ss', 'us', "'s"].some((singular) => label.endsWith(singular));
}

export function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && '. '.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** That we do not have what was asked for; false when that was said often enough. */
export function sayUnknown(draft: TurnDraft, topic: string, move: Move): boolean {
  const { unknown_asked } = draft.memory;
  // A guess at what they want is not named: "give me the number off the card" asks for no payment method.
  const isNamed = topic !== 'other' && move.act !== 'asks-open' && !isUnclear(move);
  const key = isNamed ? topic : 'other';
  const times = unknown_asked[key] ?? 0;
  unknown_asked[key] = times + 1;
  const name = topicName(topic);
  const [was, it] = isPlural(name) ? ['were', 'them'] : ['was', 'it'];
  const words = isNamed
    ? [
        `I am sorry, I don't have the ${name}.`,
        `The ${name} ${was} not given to me. Can we go on without ${it}?`,
      ]
    : [phrase('unknown_question', 0), phrase('unknown_question', 1), phrase('unknown_question', 2)];
  const text = words[Math.min(times, words.length - 1)] ?? '';
  if (times >= words.length) return false;
  draft.say(text);
  return true;
}

/** "Can you spell that?": the fact just told, or the patient's name if it was told; "they write letters" gets none. */
function spells(draft: TurnDraft, move: Move): boolean {
  if ((move.acts.get('asks-spell') ?? 0) < leastSpelling) return false;
  const told = draft.memory.last_words.flatMap(({ fields }) => fields);
  const named = plainWords(move.text).some((word) => word.startsWith('name')) ? topicsOf(move)[0] : undefined;
  const fact =
    draft.view.facts.find(({ topic }) => topic === named && topic.endsWith('name')) ??
    draft.view.facts.findLast(({ field }) => told.includes(field)) ??
    draft.view.facts.find(({ topic, field }) => topic === 'patient-name' && draft.view.told.includes(field));
  const { unknown_asked } = draft.memory;
  // A person who keeps asking wants something else.
  if (fact === undefined || (unknown_asked.spelling ?? 0) >= mostSpelled) return false;
  unknown_asked.spelling = (unknown_asked.spelling ?? 0) + 1;
  const spelled = fact.value
    .split(' ')
    .map((word) => [...word.toUpperCase()].join(' '))
    .join(', then ');
  draft.say(`That is spelled ${spelled}.`, { fields: [fact.field] });
  return true;
}

/** "Buying or renting?" */
const leastSpelling = 0.65;
const mostSpelled = 2;
