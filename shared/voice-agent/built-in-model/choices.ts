import type { FactTopic } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import { questionWords } from '../core/clause-topic.ts';
import { tokenize } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phrase } from './wording.ts';

/*
 * The person offers a choice: the side of a plan ("In network or out?", "Individual or family?"), or two alternatives
 * of which a known fact names one ("Is it for the knee or the shoulder?").
 */

export interface TierChoice {
  readonly move: Move;
  /** Our reply. */
  readonly words: string;
}

/** The choice that their words offer, if any: words for both sides around an "or", and no value. */
export function tierChoiceIn(draft: TurnDraft, heard: Heard): TierChoice | null {
  if (draft.plan.callee !== 'insurer') return null;
  for (const move of heard.moves) {
    // "In or out, it doesn't matter": a statement that denies something offers nothing.
    if (move.entities.length > 0 || (!move.isQuestion && contradicts(move.tokens))) continue;
    if (offers(move, cues.network_sides))
      return { move, words: phrase('tier_choice', isOutside(draft) ? 1 : 0) };
    if (offers(move, cues.member_sides)) return { move, words: phrase('member_choice', 0) };
  }
  return null;
}

/**
 * Of two alternatives, the one that a known fact names, in their words: "the claim for Nora or for her son?", "I see
 * two, the dental one and the glasses. Which one do you want?" Null if none does, or both do. Confirms that fact.
 */
export function chosenOf({ view }: TurnDraft, move: Move, heard: Heard): Chosen | null {
  const alternatives = alternativesIn(move, sentenceBefore(move, heard));
  if (alternatives === null) return null;
  const known = view.facts.filter(({ topic }) => naming.has(topic));
  const [one = [], other = []] = alternatives.map((text) =>
    known.flatMap(({ field, value }) => {
      const name = nameIn(text, contentWords(value));
      return name === null ? [] : [{ words: `${name[0]?.toUpperCase()}${name.slice(1)}, please.`, field }];
    }),
  );
  if (one.length > 0 && other.length > 0) return null;
  return one[0] ?? other[0] ?? null;
}

interface Chosen {
  readonly words: string;
  /** The fact that our choice confirms. */
  readonly field: string;
}

const naming: ReadonlySet<FactTopic> = new Set([
  'patient-name',
  'service',
  'treatment',
  'visit-reason',
  'specialty',
  'provider-name',
  'preferred-provider',
  'facility',
]);

/** "the dental one", around a word of a fact. */
function nameIn(text: string, words: readonly string[]): string | null {
  const tokens = tokenize(text).filter(({ kind }) => kind === 'word');
  const at = tokens.findIndex(({ norm }) => words.includes(norm));
  const from = tokens.findLastIndex(({ norm }, index) => index <= at && determiners.has(norm));
  const [first, last] = [tokens[from < 0 ? at : from], tokens.at(-1)];
  return at < 0 || first === undefined || last === undefined ? null : text.slice(first.start, last.end);
}

const determiners: ReadonlySet<string> = new Set(['the', 'a', 'an', 'her', 'his']);

function alternativesIn({ text }: Move, before: string): [string, string] | null {
  const split = (words: string, joint: string): [string, string] | null => {
    const at = words.toLowerCase().indexOf(joint);
    return at < 0 ? null : [words.slice(0, at), words.slice(at + joint.length)];
  };
  const isWhich = plainWords(text)
    .slice(0, 2)
    .some((word) => questionWords.has(word));
  const own = split(text, ' or ');
  // "Which doctor or clinic is it?" asks for a name; "Which is it, the knee or the hip?" offers two.
  return isWhich && own?.[0].includes(',') === false
    ? null
    : (own ?? (isWhich ? (split(before, ' or ') ?? split(before, ' and ')) : null));
}

function sentenceBefore({ start }: Move, { said, tokens }: Heard): string {
  const stops = tokens.filter(({ kind, end }) => (kind === 'stop' || kind === 'question') && end <= start);
  const [last, end = start] = [stops.at(-2)?.end ?? 0, stops.at(-1)?.start];
  return said.slice(last, end);
}

function offers({ text }: Move, [side = '', other = '']: readonly string[]): boolean {
  const words = plainWords(text);
  const at = words.indexOf('or');
  const [before, after] = [words.slice(0, Math.max(0, at)), words.slice(at + 1)];
  const names = (said: readonly string[], words: string): boolean =>
    said.some((word) => words.split(' ').includes(word));
  return (names(before, side) && names(after, other)) || (names(before, other) && names(after, side));
}

function isOutside({ answers }: TurnDraft): boolean {
  return answers.get('in_network')?.value === false;
}

/** "It doesn't matter", "you can't": an offer denies nothing. */
function contradicts(tokens: Move['tokens']): boolean {
  return tokens.some(({ norm }) => norm.split(' ').some((word) => word === 'not' || word === 'no'));
}

/** The words beside the choice, which may answer us. */
export function besideChoice(heard: Heard, { move }: TierChoice): Heard {
  return { ...heard, moves: heard.moves.filter((one) => one !== move) };
}
