import type { CallPlan } from '../call-plan/call-plan.ts';
import menus from '../language/en-US/menu-choices.json' with { type: 'json' };
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import type { TurnDraft } from './turn-draft.ts';
import { holdsAny, plainWords } from './words.ts';

/** How often the same digits are keyed in before we ask for a person. */
const maxEntries = 2;

/**
 * "Please enter your NPI, followed by the pound key": keys in the digits of the fact, or says it if keys
 * cannot. Only institutions have machines that ask for such numbers, so allowed facts are told to them;
 * a missing fact is answered with zero, which leads to a person. Returns whether something was
 * requested.
 */
export function enterRequested(draft: TurnDraft, heard: Heard): boolean {
  const topic = requestedTopic(draft, heard);
  if (topic === null) return false;
  const { entries } = draft.memory.menu;
  entries[topic] = (entries[topic] ?? 0) + 1;
  const known = knownFor(draft.plan, topic);
  if (known === null || entries[topic] > maxEntries) {
    draft.press('0');
    return true;
  }
  const words = plainWords(heard.tokens);
  const digits = digitsFor(topic, known.value, words);
  const fields = known.field === null ? [] : [known.field];
  if (isDigits(digits)) draft.press(holdsAny(words, menus.pound) ? `${digits}#` : digits, fields);
  else draft.say(`${known.spoken}.`, { fields });
  return true;
}

/** What the machine wants keyed in or said, if anything. */
function requestedTopic({ memory }: TurnDraft, heard: Heard): string | null {
  const isMachine = memory.line === 'machine' || likelihood(heard, 'menu') >= 0.4;
  if (!isMachine || likelihood(heard, 'introduces-person') >= 0.5) return null;
  const request = heard.moves.find((move) => isRequest(move, memory.line === 'machine'));
  if (request === undefined) return null;
  return topicIn(plainWords(request.tokens)) ?? topicIn(plainWords(heard.tokens));
}

function topicIn(words: readonly string[]): string | null {
  return menus.entries.find(({ words: names }) => holdsAny(words, names))?.topic ?? null;
}

function isRequest({ tokens, acts }: Move, isMachine: boolean): boolean {
  const words = plainWords(tokens);
  if (words.includes('i') || (words.includes('me') && words[0] === 'let')) return false;
  if (holdsAny(words, menus.entryVerbs)) return true;
  const isSpoken = isMachine || (acts.get('menu') ?? 0) >= 0.6;
  return isSpoken && holdsAny(words.slice(0, 4), menus.spokenEntryVerbs) && topicIn(words) !== null;
}

interface Known {
  readonly value: string;
  readonly spoken: string;
  readonly field: string | null;
}

function knownFor({ facts, identity }: CallPlan, topic: string): Known | null {
  const own = {
    'provider-npi': identity.npi,
    'tax-id': identity.tax_id,
    'callback-number': identity.callback_number,
  };
  const fact = facts.find((known) => known.topic === topic && known.may_be_told);
  if (fact !== undefined) return fact;
  const value = topic in own ? own[topic as keyof typeof own] : null;
  return value === null ? null : { value, spoken: [...value].join(' '), field: null };
}

const isDigits = (text: string): boolean => text !== '' && digitsOf(text).length === text.length;
const digitsOf = (text: string): string => [...text].filter((one) => one >= '0' && one <= '9').join('');

function digitsFor(topic: string, value: string, words: readonly string[]): string {
  if (topic === 'date-of-birth') return birthDigits(value, words);
  const last = lastDigits(words);
  if (topic === 'phone' || topic === 'callback-number') return digitsOf(value).slice(-(last ?? 10));
  const isNumeric = last !== null || holdsAny(words, menus.onlyDigits);
  const digits = isNumeric || topic === 'tax-id' || topic === 'provider-npi' ? digitsOf(value) : value;
  return last === null ? digits : digits.slice(-last);
}

/** "the last four digits of the member ID" */
function lastDigits(words: readonly string[]): number | null {
  const at = words.findIndex(
    (word, from) => word === 'last' && ['digits', 'numbers'].includes(words[from + 2] ?? ''),
  );
  const count = at < 0 ? Number.NaN : Number(words[at + 1]);
  return Number.isInteger(count) && count > 0 ? count : null;
}

/** `1984-07-12` → `07121984`, the American order, or the order the machine names. */
function birthDigits(date: string, words: readonly string[]): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const [years, months] = [words.indexOf('year'), words.indexOf('month')];
  if (years >= 0 && months > years) return `${year}${month}${day}`;
  const isShort = holdsAny(words, ['2 digit year', 'mmddyy', '6 digit', '6 digits']);
  return `${month}${day}${isShort ? year.slice(-2) : year}`;
}
