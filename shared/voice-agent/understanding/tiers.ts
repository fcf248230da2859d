import { plain, type Token, tokenize } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { MaskedSpan } from './masked-words.ts';

/* "In network", "out of network", "the family's": whose values are told. */

export interface TierContext {
  readonly question: string;
  /** The patient's provider is out of network. */
  readonly isOutside: boolean;
}

/** Where a tier is said: `<ours>` for the one that the question is about, `<theirs>` for another one. */
export function tiersIn(tokens: readonly Token[], context: TierContext): MaskedSpan[] {
  const asked = ` ${plain(tokenize(context.question))} `;
  const others = cues.other_tier.filter((phrase) => !asked.includes(` ${phrase} `));
  return [...networkTiersIn(tokens, context), ...saidIn(tokens, others, '<theirs>')];
}

export function networkTiersIn(tokens: readonly Token[], { question, isOutside }: TierContext): MaskedSpan[] {
  const asked = ` ${plain(tokenize(question))} `;
  const outside = isOutside || cues.outside.some((phrase) => asked.includes(` ${phrase} `));
  return [
    ...saidIn(tokens, cues.outside, outside ? '<ours>' : '<theirs>'),
    ...saidIn(tokens, cues.inside, outside ? '<theirs>' : '<ours>'),
  ];
}

/** "She's not outside our network": inside. */
export function deniesOutside(tokens: readonly Token[]): boolean {
  const said = tokens.flatMap(({ norm }) => norm.split(' '));
  return said.some((word, at) => {
    const isOut = word === 'outside' || (word === 'out' && said[at + 1] === 'of');
    return isOut && said.slice(Math.max(0, at - mostBetween), at).includes('not') && said.includes('network');
  });
}

const mostBetween = 3;

function saidIn(tokens: readonly Token[], phrases: readonly string[], mask: string): MaskedSpan[] {
  const words = tokens.map(({ norm }) => (norm.endsWith("'s") ? norm.slice(0, -2) : norm));
  const present = new Set(words);
  const possible = phrases
    .map((phrase) => phrase.split(' '))
    .filter((parts) => parts.every((part) => present.has(part)));
  return possible.flatMap((parts) => {
    return tokens.flatMap(({ start }, at) => {
      const last = tokens[at + parts.length - 1];
      const isSaid = last !== undefined && parts.every((part, place) => words[at + place] === part);
      return isSaid ? [{ start, end: last.end, mask }] : [];
    });
  });
}
