import type { Entity, EntityContext } from '../entities/entity.ts';
import { findEntities } from '../entities/find-entities.ts';
import { hasQuestionMark, type Token, tokenize } from '../entities/tokens.ts';
import models from '../language/en-US/models.json' with { type: 'json' };
import { asidesAmong } from './asides.ts';
import { featuresOf } from './features.ts';
import { type Guess, guess, type LinearModel, loadModel, type StoredModel } from './linear-model.ts';
import { segment } from './segments.ts';
import { deniesBeingMachine, deniesError, vocatives, withMark } from './yes-and-no.ts';

/** The agent's act before it heard these words. */
export type Context =
  | 'opening'
  | 'reach-question'
  | 'purpose'
  | 'told-fact'
  | 'offer-accepted'
  | 'question'
  | 'yes-no-question'
  | 'closing';

/** One sentence or clause, and its most likely act. */
export interface Move {
  /** Verbatim, a part of the prompt from `start` to `end`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
  /** Ends with a question mark or asks by its act. */
  readonly isQuestion: boolean;
  /** The most likely dialogue act; see `language/en-US/acts`. */
  readonly act: string;
  /** Calibrated probability of `act`. */
  readonly confidence: number;
  /** Calibrated probabilities of all acts. */
  readonly acts: ReadonlyMap<string, number>;
  /** Calibrated probability that the words, whatever their punctuation, request something of us. */
  readonly requests: number;
  /** The requested topics, most likely first; empty if none. */
  readonly asks: readonly Guess[];
  /** The claims of the move by slot, most likely first: `copay`, `in_network=no`, `none`, `bare`, `other_tier`. */
  readonly claims: readonly Guess[];
  readonly entities: readonly Entity[];
}

/** One prompt of the person. */
export interface Heard {
  readonly said: string;
  /** Index of the transcript turn with the words. */
  readonly turn: number;
  readonly moves: readonly Move[];
  /** Entities of the whole prompt, including those across moves. */
  readonly entities: readonly Entity[];
  readonly tokens: readonly Token[];
  /** The day it was said, ISO 8601. */
  readonly today: string;
}

export interface HearingContext extends EntityContext {
  readonly after: Context | null;
  /** Slots of other kinds of calls only: no one mentions them here. */
  readonly elsewhere?: ReadonlySet<string>;
}

/** No prompt is longer; more would only delay the answer to a waiting person. */
export const mostWords = 400;

const stored: Record<string, StoredModel> = models;
const loaded = new Map<string, LinearModel>();

/** A model is unpacked on first use. */
export function modelOf(head: string): LinearModel {
  const known = loaded.get(head);
  if (known !== undefined) return known;
  const found = stored[head];
  if (found === undefined) throw new Error(`there is no model for ${head}: run npm run train`);
  const model = loadModel(found);
  loaded.set(head, model);
  return model;
}

const askingActs = ['asks-fact', 'asks-open', 'asks-preference', 'asks-spell', 'asks-machine'] as const;
const leastAsking = 0.1;
const mostNone = 0.6;
const leastQuestion = 0.5;

/** Splits words into moves and judges each. Bounded: at most `mostWords` words are interpreted. */
export function understand(said: string, turn: number, context: HearingContext): Heard {
  const tokens = tokenize(said).slice(0, mostWords * 2);
  const entities = findEntities(tokens, context);
  const values = entities.filter(({ type }) => isValue(type));
  const parts = segment(
    tokens,
    { boundaries: modelOf('boundaries'), endings: modelOf('endings') },
    { whole: entities, days: entities.filter(({ type }) => type === 'date' || type === 'moment'), values },
  ).flatMap(apartFromReason);
  const isAside = asidesAmong(parts);
  const moves = parts.map((part, at) => {
    const move = moveOf(said, withMark(part), entities, context);
    return isAside[at] === true && !turnsUsAway(move) ? asHold(move) : move;
  });
  return { said, turn, moves, entities, tokens, today: context.today };
}

/** "And a number for the text, because ours is old": the reason would obscure the request. */
function apartFromReason(part: readonly Token[]): (readonly Token[])[] {
  const at = part.findIndex(({ norm }, index) => part[index - 1]?.kind === 'comma' && reasons.has(norm));
  const asked = featuresOf(part.slice(0, Math.max(0, at)));
  const [topic] = at > 0 && requestsIn(asked) >= surelyAsked ? asksOf(asked, 0, false) : [];
  const isAsked = (topic?.confidence ?? 0) >= surelyAsked;
  return isAsked ? [part.slice(0, at), part.slice(at)] : [part];
}

const surelyAsked = 0.8;
const reasons: ReadonlySet<string> = new Set(['because', 'since', 'so', 'cause', 'as', 'just']);

/** Values of which a statement has one each; times and days come in lists of openings. */
function isValue(type: Entity['type']): boolean {
  return type === 'money' || type === 'percent' || type === 'quantity' || type === 'phone';
}

function moveOf(
  said: string,
  tokens: readonly Token[],
  entities: readonly Entity[],
  { after, elsewhere }: HearingContext,
): Move {
  const start = tokens[0]?.start ?? 0;
  const end = tokens.at(-1)?.end ?? start;
  const spoken = withoutVocative(tokens);
  const guesses = guess(modelOf('acts'), featuresOf(spoken, { after })).map(({ label, confidence }) => ({
    label: isDenied(label, spoken) ? 'states' : label,
    confidence,
  }));
  const acts = new Map<string, number>();
  for (const { label, confidence } of guesses) acts.set(label, (acts.get(label) ?? 0) + confidence);
  const [best = { label: 'states', confidence: 0 }] = guesses;
  const hasMark = hasQuestionMark(tokens);
  const asking = askingActs.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0);
  const plain = featuresOf(spoken);
  return {
    text: said.slice(start, end),
    start,
    end,
    tokens,
    isQuestion: hasMark || (best.label.startsWith('asks-') && best.confidence >= leastQuestion),
    act: best.label,
    confidence: best.confidence,
    acts,
    requests: requestsIn(plain),
    asks: asksOf(plain, asking, hasMark),
    claims: among(guess(modelOf('claims'), plain), elsewhere).slice(0, 4),
    entities: entities.filter((entity) => entity.start >= start && entity.end <= end),
  };
}

/** "You haven't got the wrong place.", "I'm not the recording." */
function isDenied(act: string, tokens: readonly Token[]): boolean {
  return (
    (act === 'wrong-number' && deniesError(tokens)) ||
    (act === 'refuses-machine' && deniesBeingMachine(tokens))
  );
}

/** Words to somebody else neither answer nor ask: we wait. */
function asHold(move: Move): Move {
  const acts = new Map([['hold', sureHold]]);
  const hold = { act: 'hold', confidence: sureHold, acts, entities: [] };
  return { ...move, ...hold, isQuestion: false, requests: 0, asks: [], claims: [] };
}

const sureHold = 0.9;

/** "We don't talk to machines, hon. Sorry. Bye now.": whoever it may be said to, a refusal counts. */
function turnsUsAway({ acts }: Move): boolean {
  return turningAway.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0) >= leastTurningAway;
}

const turningAway = [
  'opts-out',
  'refuses',
  'refuses-machine',
  'withholds',
  'wrong-number',
  'wrong-department',
];
const leastTurningAway = 0.3;

/** "What's her name, dear?": the term of address does not change the request. */
function withoutVocative(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findLastIndex(({ kind }) => kind === 'word');
  const isAddress = vocatives.has(tokens[at]?.norm ?? '') && tokens[at - 1]?.kind === 'comma' && at > 1;
  return isAddress ? tokens.filter((_, index) => index !== at && index !== at - 1) : tokens;
}

function requestsIn(features: ReadonlyMap<string, number>): number {
  const unmarked = new Map(features);
  unmarked.delete('?');
  const guesses = guess(modelOf('requests'), unmarked);
  return guesses.find(({ label }) => label === 'requests')?.confidence ?? 0;
}

/** The possible claims of a call, with probabilities relative to each other. */
function among(claims: readonly Guess[], elsewhere: ReadonlySet<string> | undefined): readonly Guess[] {
  if (elsewhere === undefined) return claims;
  const here = claims.filter(({ label }) => !elsewhere.has(label.split('=')[0] ?? ''));
  const all = here.reduce((sum, { confidence }) => sum + confidence, 0);
  // A move hardly about anything here does not become certain of the remaining claims.
  return here.map(({ label, confidence }) => ({ label, confidence: confidence / Math.max(all, leastHere) }));
}

const leastHere = 0.5;

/** The possible requests of a move; none if it certainly requests nothing. */
function asksOf(features: ReadonlyMap<string, number>, asking: number, hasMark: boolean): Guess[] {
  const guesses = guess(modelOf('asks'), features);
  const none = guesses.find(({ label }) => label === 'none')?.confidence ?? 0;
  const topics = guesses.filter(({ label }) => label !== 'none');
  if (none >= mostNone && asking < leastAsking && !hasMark) return [];
  // Among the topics, given that something is requested.
  const some = Math.max(1 - none, asking);
  return topics
    .slice(0, 4)
    .map(({ label, confidence }) => ({ label, confidence: (confidence / Math.max(1e-6, 1 - none)) * some }));
}

/** The certainty that the words do this, in any of their moves. */
export function likelihood({ moves }: Heard, ...acts: readonly string[]): number {
  return moves.reduce(
    (most, move) =>
      Math.max(
        most,
        acts.reduce((sum, act) => sum + (move.acts.get(act) ?? 0), 0),
      ),
    0,
  );
}

/** The moves whose most likely act is one of these, with at least the certainty `least`. */
export function movesOf({ moves }: Heard, acts: readonly string[], least = 0.5): Move[] {
  return moves.filter((move) => acts.includes(move.act) && move.confidence >= least);
}

/** The kind of place these words name, most likely first. */
export function placesIn({ tokens }: Move): Guess[] {
  return guess(modelOf('places'), featuresOf(tokens));
}
