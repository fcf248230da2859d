import { type Token, wordSet } from '../entities/tokens.ts';
import data from './en-US/wishes.json' with { type: 'json' };

/*
 * Turns what a client wants to know ("whether they validate parking") into a question to the office ("Do
 * you validate parking?"). If the grammar is unclear, the polite indirect question stays, which suits
 * every clause.
 */

/** A question to the office, and a rephrased one if possible. */
export interface Wording {
  readonly question: string;
  readonly otherWords: string | null;
}

const auxiliaries = wordSet(data.auxiliaries);
const determiners = wordSet(data.determiners);
const pronouns = wordSet(data.pronouns);
const participles = wordSet(data.participles);
const verbs = wordSet(data.verbs);
const degree = wordSet(data.degree);
const adverbWh = wordSet(data.adverbWh);
const people = wordSet(data.people);
const boundaries = wordSet(data.boundaries);
const adverbs = wordSet(data.adverbs);
const modals = wordSet(data.modals);
const verbsOfThings = wordSet(data.verbsOfThings);
const doForms: Readonly<Record<string, string>> = data.doForms;
const turned: Readonly<Record<string, string>> = data.turned;
const ofPatient: Readonly<Record<string, string>> = data.patient;

/** "whether forms can be mailed": asked directly if possible, otherwise politely. */
export function wordingOfClause(clause: readonly string[]): Wording {
  const [starter = '', ...rest] = clause;
  const isWhether = starter === 'whether';
  const direct = isWhether ? inverted([], rest) : whQuestion(starter, rest);
  const indirect = sentence([data.polite, ...clause]);
  return direct === null
    ? { question: indirect, otherWords: null }
    : { question: sentence(direct), otherWords: indirect };
}

export function sentence(words: readonly string[]): string {
  const text = words.join(' ').replaceAll(' ,', ',');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}?`;
}

/** "what fax number the form goes to", "when she can come", "how many visits are allowed" */
function whQuestion(starter: string, rest: readonly string[]): string[] | null {
  const [first = ''] = rest;
  if (first === 'to') return null;
  const at = rest.findIndex((word) => auxiliaries.has(word) || verbs.has(word));
  const subject = rest.findIndex(
    (word, index) => determiners.has(word) && (index === 0 || !boundaries.has(rest[index - 1] ?? '')),
  );
  const hasOwnSubject = subject !== -1 && (at === -1 || subject < at);
  if (hasOwnSubject) return inverted([starter, ...rest.slice(0, subject)], rest.slice(subject));
  const isAdverb = adverbWh.has(starter) && !degree.has(first);
  // In "how many visits are allowed" the question word is the subject, in "when forms are mailed" it is not.
  return isAdverb && at > 0 ? inverted([starter], rest) : at === -1 ? null : [starter, ...rest];
}

/** Moves the auxiliary before the subject, or adds one: "you take Medicare" becomes "do you take Medicare". */
function inverted(before: readonly string[], clause: readonly string[]): string[] | null {
  const at = clause.findIndex((word, index) => index > 0 && (auxiliaries.has(word) || verbs.has(word)));
  const [first = ''] = clause;
  if (first === 'you' && isPast(clause[1] ?? '')) return null;
  if (first === 'you' && (at === -1 || !auxiliaries.has(clause[at] ?? '') || at > 2))
    return [...before, 'do', ...clause];
  const word = clause[at] ?? '';
  const subject = clause.slice(0, at);
  if (
    at < 1 ||
    subject.length > 6 ||
    subject.some((part) => part === 'that' || part === 'who' || part === 'to')
  )
    return null;
  const after = clause.slice(at + 1);
  if (word in doForms && !isAuxiliary(after[0] ?? ''))
    return [...before, doForms[word] ?? '', ...subject, word.startsWith('h') ? 'have' : 'do', ...after];
  if (auxiliaries.has(word)) return [...before, word, ...subject, ...after];
  const isSingular = pronouns.has(first) || determiners.has(first);
  return isSingular ? [...before, 'does', ...subject, baseOf(word), ...after] : null;
}

/** Whether "has" or "does" before this word is an auxiliary. */
const isAuxiliary = (next: string): boolean =>
  isPast(next) || verbs.has(`${next}s`) || next === 'not' || next === 'already' || next === 'ever';

const isPast = (verb: string): boolean => participles.has(verb) || (verb.length > 4 && verb.endsWith('ed'));

function baseOf(verb: string): string {
  if (verb === 'has') return 'have';
  if (verb.endsWith('ies')) return `${verb.slice(0, -3)}y`;
  return ['goes', 'does'].includes(verb) || /(?:ss|sh|ch|x|zz)es$/.test(verb)
    ? verb.slice(0, -2)
    : verb.slice(0, -1);
}

/**
 * The words as addressed to the office: "they" is "you", and the patient, by name or pronoun, is "the patient".
 *
 * @param names the patient's first and last name in lower case
 * @param before whether another person was named before, whom pronouns may mean, and whether the office was, so
 * that "it" means the office
 */
export function turnedWords(
  tokens: readonly Token[],
  names: ReadonlySet<string>,
  { speaksOfOther, isAddressed } = { speaksOfOther: false, isAddressed: false },
): string[] {
  const words: string[] = [];
  let isPatientMeant = !speaksOfOther;
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    const isName = names.has(withoutOwner(token));
    if (isName && next !== undefined && names.has(withoutOwner(next))) return;
    const patient = isName
      ? `the patient${isOwner(token) ? "'s" : ''}`
      : isPatientMeant
        ? patientFor(token, next)
        : undefined;
    if (patient !== undefined || people.has(token.norm)) isPatientMeant = false;
    const office = isAddressed ? officeFor(tokens, at) : undefined;
    const said = turned[token.norm] ?? office ?? patient ?? plainText(token);
    const isJoined = token.before === '' && at > 0 && token.kind !== 'comma';
    words.push(...(isJoined ? [`${words.pop() ?? ''}${said}`] : said.split(' ')));
  });
  return words;
}

const isOwner = ({ text }: Token): boolean => text.endsWith("'s") || text.endsWith('’s');
const withoutOwner = (token: Token): string =>
  (isOwner(token) ? token.text.slice(0, -2) : token.text).toLowerCase();
const plainText = ({ kind, text }: Token): string => {
  const isName = text.slice(0, 1) !== text.slice(0, 1).toLowerCase();
  return kind === 'word' && !isName ? text.toLowerCase() : text;
};

/** "its program" is your program, "whether it makes" whether you make. */
function officeFor(tokens: readonly Token[], at: number): string | undefined {
  const norm = tokens[at]?.norm ?? '';
  if (norm === 'its') return 'your';
  const verb = tokens.findIndex((token, index) => index > 0 && !isAdverb(token.norm));
  if (tokens[0]?.norm !== 'it' || !isOfOffice(tokens[verb]?.norm ?? '', tokens[verb + 1]?.norm ?? '')) return;
  if (at === 0) return 'you';
  return at === verb && norm.endsWith('s') ? baseOf(norm) : undefined;
}

const isAdverb = (word: string): boolean => word.endsWith('ly') || adverbs.has(word);

/** An office does things and has them; what is, can be, costs or has been done is something else. */
function isOfOffice(verb: string, next: string): boolean {
  if (modals.has(verb)) return next !== 'be';
  const isDone = verb === 'has' && isAuxiliary(next);
  return verb.endsWith('s') && verb !== 'is' && verb !== 'was' && !isDone && !verbsOfThings.has(verb);
}

/** "her card" is the patient's card, "call her" the patient. */
function patientFor({ norm }: Token, next: Token | undefined): string | undefined {
  if (norm !== data.her) return ofPatient[norm];
  return next?.kind === 'word' && !boundaries.has(next.norm) ? "the patient's" : 'the patient';
}
