import type { FactTopic } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import { questionWords } from '../core/clause-topic.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phrase } from './wording.ts';

/*
 * They let us choose: the side of a plan ("In network or out?", "Individual or family?"), or one of two of which we know
 * the right one ("Is it for the knee or the shoulder?").
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
    if (move.entities.length > 0) continue;
    if (offers(move, cues.network_sides))
      return { move, words: phrase('tier_choice', isOutside(draft) ? 1 : 0) };
    if (offers(move, cues.member_sides)) return { move, words: phrase('member_choice', 0) };
  }
  return null;
}

/**
 * The topic of the fact that names one of two alternatives, and not the other: "the claim for Nora or for her son?",
 * "I see two, the dental one and the glasses. Which one do you want?" Null if none does.
 */
export function topicChosen({ view }: TurnDraft, move: Move, heard: Heard): FactTopic | null {
  const alternatives = alternativesIn(move, sentenceBefore(move, heard));
  if (alternatives === null) return null;
  const names = (value: string, words: readonly string[]): boolean =>
    contentWords(value).some((word) => words.includes(word));
  const [one, other] = alternatives;
  const chosen = view.facts.find(
    ({ topic, value }) => naming.has(topic) && names(value, one) !== names(value, other),
  );
  return chosen?.topic ?? null;
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

function alternativesIn({ text }: Move, before: string): [string[], string[]] | null {
  const split = (words: string, joint: string): [string[], string[]] | null => {
    const at = words.toLowerCase().indexOf(joint);
    return at < 0 ? null : [contentWords(words.slice(0, at)), contentWords(words.slice(at))];
  };
  const [first = ''] = plainWords(text);
  const isWhich = questionWords.has(first);
  return split(text, ' or ') ?? (isWhich ? (split(before, ' or ') ?? split(before, ' and ')) : null);
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

/** The words beside the choice, which may answer us. */
export function besideChoice(heard: Heard, { move }: TierChoice): Heard {
  return { ...heard, moves: heard.moves.filter((one) => one !== move) };
}
