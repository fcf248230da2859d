import { normAt, phraseAt, phrasesOf, type Scan, scanOf } from '../entities/readings.ts';
import { type Token, tokenize, wordSet } from '../entities/tokens.ts';
import { sentence, turnedWords, type Wording, wordingOfClause } from './direct-questions.ts';
import data from './en-US/wishes.json' with { type: 'json' };
import { maxTextLength, withoutStop } from './words.ts';

/** A question the client wants asked. */
export interface Wish extends Wording {
  /** "About the forms": names a topic rather than a question. */
  readonly isVague: boolean;
  /** The topic of "about …"; null for other questions. */
  readonly topic: string | null;
  /** "If it was denied": its condition; null for always. */
  readonly condition: string | null;
}

type Starter = keyof typeof data.starters;
/** The words after a lead, and their start. */
interface Asked {
  readonly kind: Starter | 'noun' | 'nothing';
  readonly tokens: readonly Token[];
  /** Who was named before: a person other than the patient, the office. */
  readonly before: { readonly speaksOfOther: boolean; readonly isAddressed: boolean };
}

const tagged = <Tag extends string>(table: Readonly<Record<Tag, string>>) =>
  phrasesOf(
    (Object.keys(table) as Tag[]).flatMap((tag) => table[tag].split('|').map((said) => [said, tag] as const)),
  );
const leads = tagged(data.leads);
const starters = tagged(data.starters);
const leadsBehind = new Map(Object.entries(data.leadsBehind).map(([tag, words]) => [tag, wordSet(words)]));
const notOurs = new Set(data.notOurs.split('|'));
const between = wordSet(data.between);
const determiners = wordSet(data.determiners);
const valueNouns = wordSet(data.valueNouns);
const auxiliaries = wordSet(data.auxiliaries);
const verbs = wordSet(data.verbs);
const desks = wordSet(data.desks);
const people = wordSet(data.people);
const boundaries = wordSet(data.boundaries);
const plurals = new Set(
  [...valueNouns].filter(
    (noun) => valueNouns.has(noun.slice(0, -1)) || noun === 'hours' || noun === 'addresses',
  ),
);
const articles = new Set(['a', 'an', 'any']);
const trailing = wordSet(data.trailing);
const whBehind = wordSet(data.whBehind);
const adverbs = wordSet(data.adverbWh);
/** The maximum distance between a lead and its question: "Ask the front desk of the clinic whether …". */
const maxAddressee = 9;

/**
 * Finds the questions in a client's text, as questions to the office. Instructions to us ("call in the
 * morning") and known facts are not questions.
 *
 * @param names the patient's first and last name, which no question tells
 * @returns the questions, and the text without their sentences
 */
export function wishesIn(text: string, names: readonly string[]): { wishes: Wish[]; rest: string } {
  const known = new Set(names.flatMap((name) => name.toLowerCase().split(' ')));
  const wishes: Wish[] = [];
  const rest: string[] = [];
  for (const tokens of sentencesOf(text.slice(0, maxTextLength))) {
    const found = wishesInSentence(tokens, known);
    wishes.push(...found);
    if (found.length === 0) rest.push(tokens.map(({ before, text: said }) => before + said).join(''));
  }
  return { wishes, rest: rest.join('').trim() };
}

function sentencesOf(text: string): Token[][] {
  const sentences: Token[][] = [[]];
  for (const token of tokenize(text).map(asWritten)) {
    if (token.before.includes('\n')) sentences.push([]);
    sentences.at(-1)?.push(token);
    if (token.kind === 'stop' || token.kind === 'question') sentences.push([]);
  }
  return sentences.filter((tokens) => tokens.length > 0);
}

/** Whoever writes down what is heard forgets the apostrophe of "it's"; a client means "its". */
function asWritten(token: Token): Token {
  return token.text.toLowerCase() === 'its' ? { ...token, norm: 'its' } : token;
}

function wishesInSentence(tokens: readonly Token[], names: ReadonlySet<string>): Wish[] {
  const scan = scanOf(tokens, { today: '1970-01-01' });
  const found = leadsOf(scan);
  const first = found[0]?.at ?? 0;
  const condition =
    ['if', 'when'].includes(normAt(scan, 0)) && normAt(scan, first - 1) === ','
      ? scan.tokens.slice(1, first - 1)
      : null;
  const wishes = found.flatMap(({ to, tag }, index) => {
    const end = found[index + 1]?.at ?? scan.tokens.length;
    return objectsOf(scan, to, end, tag).flatMap((asked) => wordingsOf(asked, names));
  });
  if (wishes.length > 0)
    return wishes.map((wish) => ({
      ...wish,
      condition: condition?.map(({ norm }) => norm).join(' ') ?? null,
    }));
  return tokens.at(-1)?.kind === 'question' ? directQuestion(tokens, names) : [];
}

function directQuestion(tokens: readonly Token[], names: ReadonlySet<string>): Wish[] {
  const colon = tokens.findLastIndex(({ norm }) => norm === ':');
  const first = tokens.findIndex(
    ({ norm, kind }, at) => at > colon && kind !== 'comma' && !trailing.has(norm),
  );
  const words = turnedWords(tokens.slice(first, -1), names);
  return words.length < 2
    ? []
    : [{ question: sentence(words), otherWords: null, isVague: false, topic: null, condition: null }];
}

interface Lead {
  readonly at: number;
  readonly to: number;
  readonly tag: keyof typeof data.leads;
}

function leadsOf(scan: Scan): Lead[] {
  const found: Lead[] = [];
  for (let at = 0; at < scan.tokens.length; at += 1) {
    const lead = phraseAt(scan, at, leads);
    const before =
      normAt(scan, at - 1)
        .split(' ')
        .at(-1) ?? '';
    if (lead === null || notOurs.has(before)) continue;
    if (at > 0 && leadsBehind.get(lead.value)?.has(before) === false) continue;
    found.push({ at, to: lead.to, tag: lead.value });
    at = lead.to - 1;
  }
  return found;
}

/** The questions after a lead: "whether forms are needed and what they cost" are two. */
function objectsOf(scan: Scan, behind: number, end: number, tag: Lead['tag']): Asked[] {
  let at = behind;
  while (
    at < Math.min(end, behind + maxAddressee) &&
    starterAt(scan, at, tag) === null &&
    scan.tokens[at]?.kind === 'word'
  )
    at += 1;
  const starter = at < end ? starterAt(scan, at, tag) : null;
  // "Ask to speak with Dana" is an instruction to us, "ask them to mail it" is a question.
  if (starter !== null && !(isRequest(starter.value) && at === behind)) {
    return split(scan, starter.value === 'wh' ? at : starter.to, end, starter.value, at > behind + 1);
  }
  let from = behind;
  while (between.has(normAt(scan, from))) from += 1;
  const isNoun = (tag === 'any' || tag === 'get') && determiners.has(normAt(scan, from));
  return split(scan, from, end, isNoun ? 'noun' : 'nothing');
}

const isRequest = (starter: Starter): boolean => starter === 'to' || starter === 'not-to';

/** Possible starts of a question after a lead: "ask for the fee", but not "check for the fee". */
function starterAt(scan: Scan, at: number, tag: Lead['tag']): { value: Starter; to: number } | null {
  const starter = phraseAt(scan, at, starters);
  const isClause = (starter?.value === 'whether' && !describes(scan, at)) || starter?.value === 'wh';
  return isClause || tag === 'ask' || (tag === 'any' && starter?.value === 'about') ? starter : null;
}

/** "Under the plan that her employer pays", unlike "confirm with the clinic that …" */
function describes(scan: Scan, at: number): boolean {
  const [preposition, determiner, noun] = [at - 3, at - 2, at - 1].map((place) => normAt(scan, place));
  const isAddressee = preposition === 'with' || desks.has(noun ?? '') || people.has(noun ?? '');
  return normAt(scan, at) === 'that' && determiners.has(determiner ?? '') && !isAddressee;
}

const patients = wordSet(data.patients);
const clauses: ReadonlySet<Asked['kind']> = new Set(['wh', 'whether']);
const relatives = new Set(['who', 'whose', 'whom']);

function split(scan: Scan, from: number, end: number, kind: Asked['kind'], isAddressed = false): Asked[] {
  const objects: Asked[] = [];
  let [start, current] = [from, kind];
  const close = (to: number): void => {
    const tokens = trimmed(scan.tokens.slice(start, to));
    const speaksOfOther = scan.tokens.slice(0, start).some(({ norm }) => people.has(norm));
    if (tokens.length > 0) objects.push({ kind: current, tokens, before: { speaksOfOther, isAddressed } });
  };
  for (let at = from; at < end; at += 1) {
    const isJoint = scan.tokens[at]?.kind === 'comma' || normAt(scan, at) === 'and';
    // "… and at what percentage"
    const later = whBehind.has(normAt(scan, at + 1)) ? phraseAt(scan, at + 2, starters) : null;
    const next = !isJoint ? null : later?.value === 'wh' ? later : phraseAt(scan, at + 1, starters);
    // "… for Ana, who has moved here": describes a person.
    const isRelative = !clauses.has(current) && relatives.has(normAt(scan, at + 1));
    const isClause =
      next !== null &&
      !isRelative &&
      (next.value === 'wh' || (next.value === 'whether' && normAt(scan, at + 1) !== 'that'));
    const isListed = current === 'for' || current === 'noun' || namesValue(scan, at + 1, end);
    const isNoun = isJoint && isListed && determiners.has(normAt(scan, at + 1));
    if (next !== null && isClause) {
      close(at);
      [start, current] = [next.value === 'wh' ? at + 1 : next.to, next.value];
    } else if (isNoun) {
      close(at);
      [start, current] = [at + 1, current === 'noun' ? 'noun' : 'for'];
    }
  }
  close(end);
  return objects;
}

/** "… and the out-of-pocket maximum": only the name of a value. */
function namesValue(scan: Scan, from: number, end: number): boolean {
  const comma = scan.tokens.findIndex(
    ({ kind }, at) => at >= from && at < end && kind !== 'word' && kind !== 'sign',
  );
  const tokens = scan.tokens.slice(from, comma === -1 ? end : comma);
  return (
    valueNouns.has(headOf(tokens)) && !tokens.some(({ norm }) => auxiliaries.has(norm) || verbs.has(norm))
  );
}

function trimmed(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(
    ({ kind, norm }) => (kind === 'word' || kind === 'number') && !trailing.has(norm),
  );
  const closes = tokens[last + 1]?.norm === ')' ? 2 : 1;
  return tokens.slice(0, last + closes);
}

function wordingsOf({ kind, tokens, before }: Asked, names: ReadonlySet<string>): Wish[] {
  const words = turnedWords(tokens, names, before);
  const wish = (wording: Wording, topic: string | null = null): Wish[] => [
    { ...wording, isVague: topic !== null, topic, condition: null },
  ];
  const asked = (before: string): Wording => ({ question: sentence([before, ...words]), otherWords: null });
  switch (kind) {
    case 'nothing':
      return [];
    case 'whether':
      return words.length < 2 ? [] : wish(wordingOfClause(['whether', ...words]));
    case 'wh':
      // "Since when": of what was asked before.
      return words[0] !== 'why' &&
        (words.length < 2 || words.every((word) => whBehind.has(word) || adverbs.has(word)))
        ? []
        : wish(wordingOfClause(words));
    case 'about':
      return wish(asked('could you tell me about'), words.join(' ').replaceAll(' ,', ','));
    case 'to':
      // "The dosing question goes to the pharmacist": a person, not an action.
      return determiners.has(tokens[0]?.norm ?? '') ? [] : wish(asked('could you'));
    case 'not-to':
      return wish(asked('could you please not'));
    case 'for':
    case 'noun': {
      const head = headOf(tokens);
      if (valueNouns.has(head)) return wish(asked(plurals.has(head) ? 'what are' : 'what is'));
      // We ask for people to speak with ourselves.
      const isSomebody = tokens.some(({ norm }) => desks.has(norm) || people.has(norm));
      // "Ask them some questions for a patient who has moved here"
      const isThing = !isSomebody && !patients.has(tokens[1]?.norm ?? '');
      return kind === 'for' && isThing && articles.has(words[0] ?? '') ? wish(asked('could we get')) : [];
    }
  }
}

/** The noun of "the fax number of the office": the last word before its modifier. */
function headOf(tokens: readonly Token[]): string {
  // The "of" of "out-of-pocket" belongs to the noun.
  const end = tokens.findIndex(({ norm, before }, at) => at > 0 && before !== '' && boundaries.has(norm));
  return tokens[(end === -1 ? tokens.length : end) - 1]?.norm ?? '';
}

/** The remaining question if a text names none. */
export function requestOf(text: string): Wish {
  const question = `My request is the following: ${withoutStop(text)}. What can you tell me about that?`;
  return { question, otherWords: null, isVague: true, topic: null, condition: null };
}
