import type { Token } from '../entities/tokens.ts';
import spelling from '../language/en-US/entities/spelling.json' with { type: 'json' };
import menus from '../language/en-US/menu-choices.json' with { type: 'json' };
import type { MenuChoice } from './memory.ts';
import { plainWords } from './words.ts';

/** A named key, with the tokens that name it: `to` is exclusive. */
interface NamedKey {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

const keyNames = new Map(Object.entries({ ...spelling.keys, ...menus.keys }));

/**
 * The choices of a menu: "For appointments, press 2", "press 1 for billing, 2 for …", "say billing or press 3", with or
 * without punctuation. Without keys, the words that can be spoken.
 */
export function choicesIn(tokens: readonly Token[]): MenuChoice[] {
  const keys = keysIn(tokens);
  const isNamedAhead = keys[0] !== undefined && aimIn(wordsAhead(tokens, 0, keys[0].from)).length > 0;
  return keys.flatMap(({ key, from, to }, at) => {
    const ahead = wordsAhead(tokens, keys[at - 1]?.to ?? 0, from);
    const behind = wordsBehind(tokens, to, keys[at + 1]?.from ?? tokens.length);
    const isBehind = !isNamedAhead && menus.aims.includes(behind[0] ?? '');
    const about = isBehind
      ? behind
      : [...(aimIn(ahead).length > 0 ? aimIn(ahead) : ahead), ...saidInstead(behind)];
    // The pound key ends the entry; it is not a choice.
    return about.length === 0 || key === '#' ? [] : [{ key, text: about.join(' ') }];
  });
}

function keysIn(tokens: readonly Token[]): NamedKey[] {
  const keys: NamedKey[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const isPress = menus.press.includes(tokens[at]?.norm ?? '');
    let next = at + 1;
    while (isPress && menus.betweenPressAndKey.includes(tokens[next]?.norm ?? '')) next += 1;
    const place = isPress ? next : isListed(tokens, at, keys) ? at : -1;
    const key = place < 0 ? null : keyOf(tokens, place);
    if (key === null) continue;
    keys.push({ key, from: at, to: place + 1 });
    at = place;
  }
  return keys;
}

/** The 2 of "press 1 for billing, 2 for claims" */
function isListed(tokens: readonly Token[], at: number, keys: readonly NamedKey[]): boolean {
  const isNumber = tokens[at]?.number != null && tokens[at]?.number?.ordinal === false;
  return (
    keys.length > 0 &&
    isNumber &&
    menus.aims.includes(tokens[at + 1]?.norm ?? '') &&
    tokens[at - 1]?.kind !== 'number'
  );
}

function keyOf(tokens: readonly Token[], at: number): string | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const named = keyNames.get(token.norm);
  if (named !== undefined) return named;
  if (token.norm === '#' || token.norm === '*') return token.norm;
  const isDigit = token.number !== null && !token.number.ordinal && token.number.digits.length === 1;
  return isDigit && tokens[at + 1]?.kind !== 'number' ? (token.number?.digits ?? null) : null;
}

const ends = (token: Token): boolean => token.kind === 'stop' || token.kind === 'question';

function wordsAhead(tokens: readonly Token[], from: number, to: number): string[] {
  const ahead = tokens.slice(from, to);
  return plainWords(ahead.slice(ahead.findLastIndex(ends) + 1));
}

function wordsBehind(tokens: readonly Token[], from: number, to: number): string[] {
  const behind = tokens.slice(from, to);
  const end = behind.findIndex(ends);
  return plainWords(end < 0 ? behind : behind.slice(0, end));
}

/** The purpose of a key, from "for", "to" or "if" on: "thank you for calling" names none. */
function aimIn(words: readonly string[]): string[] {
  const from = words.findIndex(
    (word, at) => menus.aims.includes(word) && !menus.aimless.includes(words[at + 1] ?? ''),
  );
  return from < 0 ? [] : words.slice(from);
}

/** "press 2 or say scheduling" */
function saidInstead(behind: readonly string[]): string[] {
  if (behind[0] !== 'or' || behind[1] !== 'say') return [];
  const rest = behind.slice(2);
  const end = rest.findIndex((word) => menus.aims.includes(word));
  return end < 0 ? rest : rest.slice(0, end);
}

/** Spoken choices of a menu without keys: "You can say claims, benefits or authorization". */
export function sayableIn(tokens: readonly Token[]): string[] {
  const from = tokens.findIndex(({ norm }) => norm === 'say' || norm === 'saying');
  if (from < 0) return [];
  const behind = tokens.slice(from + 1);
  const end = behind.findIndex(ends);
  const parts: string[][] = [[]];
  for (const token of end < 0 ? behind : behind.slice(0, end)) {
    if (token.kind === 'comma' || token.norm === 'or' || token.norm === 'like') parts.push([]);
    else parts.at(-1)?.push(...plainWords([token]));
  }
  return parts
    .map((words) => words.join(' '))
    .filter((words) => words !== '' && words.split(' ').length <= 4);
}
