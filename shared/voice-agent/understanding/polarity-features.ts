import { hasQuestionMark, type Token, tokenize } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import lexicon from '../language/en-US/polarity-words.json' with { type: 'json' };
import { addGroup, negatedIn, negations, pairsOf, placesOf, trouble, wordsOf } from './features.ts';

/*
 * The model's features of an answer to a yes-or-no question. Words repeated from the question are
 * masked, so "we accept those" is learned for every verb; the meaning may depend on the kind of question
 * ("forty dollars" is a yes to "is there a fee?"); and each clause is reduced to a sign.
 */

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Function words of a question. */
const frame = setOf(lexicon.frame);
const yesWords = setOf(lexicon.yes);
const noWords = setOf(lexicon.no);
const joints = setOf(lexicon.joints);
const conditions = setOf(lexicon.conditions);
const auxiliaries = setOf(lexicon.auxiliaries);
const questionWords = setOf(lexicon.questionWords);
const subjects = setOf(lexicon.subjects);
const afterEllipsis = setOf(lexicon.afterEllipsis);
const questionKinds = Object.entries(lexicon.questions).map(([kind, words]) => [kind, setOf(words)] as const);
const ceased = setOf(lexicon.ceased);
/** Verbs of the past. */
const gone = setOf(cues.gone);
/** Near synonyms, and antonyms. */
const opposites = lexicon.opposites.map(([some = '', others = '']) => [setOf(some), setOf(others)] as const);

/** The maximum weight of an answer's words without a plain sign: it should rarely be certain. */
const strengthOfHint = 0.7;
const strengthOfMention = 0.85;

/** The features of an answer to a yes-or-no question: the answer itself, and its repeats of the question. */
export function polarityFeatures(question: string, answer: readonly Token[]): Map<string, number> {
  const { asking, asked, words } = besideQuestion(question, answer);
  const kind = kindOf(asking);
  const signs = clausesOf(answer).flatMap((clause) => signsOf(clause, asked));
  const features = new Map<string, number>();
  addGroup(
    features,
    [...words.map((word) => `w ${word}`), ...pairsOf(words), ...placesOf(words), ...negatedIn(words)],
    1,
  );
  addGroup(features, forKind(kind, words), 0.4);
  addGroup(features, [`kind ${kind}`, `asked ${asking[0]}`, `asked ${asking.slice(0, 2).join(' ')}`], 0.3);
  const [first = '', second = ''] = signs;
  for (const name of [`signs ${signs.slice(0, 3).join(' ')}`, `sign ${first}`, `next ${second}`])
    features.set(name, 0.5);
  features.set(`form ${signOf(question, answer)}`, 1.0);
  features.set(`length ${Math.min(6, Math.ceil(Math.sqrt(words.length)))}`, 0.3);
  if (hasQuestionMark(answer)) features.set('?', 0.5);
  if (asksBack(words)) features.set('asks', 0.5);
  const strength = strengthOf(signs);
  return new Map([...features].map(([name, value]) => [name, value * strength]));
}

interface BesideQuestion {
  readonly asking: readonly string[];
  /** Content words. */
  readonly asked: readonly string[];
  /** Of the answer; its repeats of the question are masked. */
  readonly words: readonly string[];
}

/** The words of a question, and of an answer to it. */
export function besideQuestion(question: string, answer: readonly Token[]): BesideQuestion {
  const asking = wordsOf(tokenize(question));
  const asked = namingWords(asking);
  return { asking, asked, words: masked(wordsOf(answer), asked) };
}

/** "Free of charge?" asks about the first of two opposites; "walk in without an appointment?" names both. */
export function namingWords(asking: readonly string[]): string[] {
  const naming = asking.filter((word) => !frame.has(word));
  const isDenied = (at: number): boolean => naming.slice(0, at).includes('without');
  return naming.filter(
    (word, at) => isDenied(at) || !naming.slice(0, at).some((before) => areOpposite(before, word)),
  );
}

/** Whether the form alone says yes or no: "yes", "never", "they do", "we do not". */
export function hasPlainSign(question: string, answer: readonly Token[]): boolean {
  const { asked } = besideQuestion(question, answer);
  return clausesOf(answer)
    .flatMap((clause) => signsOf(clause, asked))
    .some((sign) => sign !== 'else' && sign !== ' true');
}

/**
 * The sign of an answer's form, clause by clause: the plain word; else yes if it repeats the question or
 * denies its opposite, and no if it denies the question or repeats its opposite. `both` if it does so
 * with the same word or against the plain one, null if the form says nothing.
 */
export function signOf(question: string, answer: readonly Token[]): 'yes' | 'no' | 'both' | null {
  const asking = wordsOf(tokenize(question));
  const without = asking.indexOf('without');
  if (asking.some((word, at) => negations.has(word) && at !== without)) return null;
  const asked = namingWords(asking).filter((word) => word !== 'without');
  // "No appointment" is a yes to "without an appointment?".
  const unwanted = new Set(without < 0 ? [] : asking.slice(without));
  const isPast = asking.some((word) => gone.has(word));
  const clauses = clausesOf(answer).filter((clause) => isPast || !isOver(clause, asked));
  const plain = clauses.flatMap((clause) => signsOf(clause, asked).filter((sign) => isPlain(sign)));
  const needs = kindOf(asking) === 'need' ? clauses.flatMap(withoutOne) : [];
  const alone = clauses
    .filter(isEllipsis)
    .map((clause) => (clause.some((word) => denies(word, asked)) ? 'no' : 'yes'));
  const signs = asked.map((word) => {
    const own = clauses.flatMap((clause) => signOfWord(clause, word, asked));
    return new Set([
      ...plain,
      ...needs,
      ...alone,
      ...(unwanted.has(word) ? own.map((sign) => opposite[sign]) : own),
    ]);
  });
  if (signs.some(({ size }) => size > 1)) return 'both';
  const all = new Set(signs.flatMap((sign) => [...sign]));
  return all.size === 1 ? ([...all][0] ?? null) : null;
}

const opposite = { yes: 'no', no: 'yes' } as const;

/** "It was covered until March": about the past. */
function isOver(clause: readonly string[], asked: readonly string[]): boolean {
  const mention = mentionIn(clause, asked);
  return clause.slice(0, mention < 0 ? clause.length : mention).some((word) => gone.has(word));
}

/** "Out of warranty" */
function isOutOf(clause: readonly string[], word: string): boolean {
  const at = clause.findIndex((said, index) => said === 'of' && clause[index - 1] === 'out');
  return at >= 0 && clause.slice(at).some((said) => isContent(said) && isAkin(said, word));
}

function isPlain(sign: string): sign is 'yes' | 'no' {
  return sign === 'yes' || sign === 'no';
}

/** "You won't get in without one", "she can go without": whether the subject of the question is needed. */
function withoutOne(clause: readonly string[]): ('yes' | 'no')[] {
  const at = clause.indexOf('without');
  const next = clause[at + 1];
  if (at < 0 || !(next === undefined || next === 'one' || next === 'it' || next === 'that')) return [];
  return [clause.slice(0, at).some((word) => negations.has(word)) ? 'yes' : 'no'];
}

function signOfWord(clause: readonly string[], word: string, asked: readonly string[]): ('yes' | 'no')[] {
  if (isTopic(clause) || isPlain(signsOf(clause, asked)[0] ?? '')) return [];
  const isDenied = clause.some((one) => denies(one, asked));
  const isOpposite = (one: string): boolean =>
    clause.some((said) => areOpposite(one, said)) || isOutOf(clause, one);
  if (isOpposite(word)) return [isDenied ? 'yes' : 'no'];
  // "We ain't out of the generic": the opposite of one word decides for the clause.
  const mention = mentionIn(clause, [word]);
  if (mention < 0 || asked.some(isOpposite)) return [];
  // "Not without the order": both denials together require it.
  const isLacking = clause.slice(0, mention).includes('without');
  const isDeniedTwice = isLacking && clause.some((one) => one !== 'without' && denies(one, asked));
  return [isDenied && !isDeniedTwice ? 'no' : 'yes'];
}

/** "We stopped those" denies like "not", unless the question is whether something has stopped. */
function denies(word: string, asked: readonly string[]): boolean {
  return negations.has(word) || (ceased.has(word) && !asked.some((one) => isAkin(one, word)));
}

export function asksBack([first = '', second = '']: readonly string[]): boolean {
  return questionWords.has(first) || (auxiliaries.has(first) && subjects.has(second));
}

function masked(words: readonly string[], asked: readonly string[]): string[] {
  return words.map((word) => (isContent(word) && asked.some((one) => isAkin(one, word)) ? '<asked>' : word));
}

function isContent(word: string): boolean {
  return !frame.has(word) && !negations.has(word);
}

/** "accept", "accepts" and "accepting" are one word. */
export function isAkin(one: string, other: string): boolean {
  const length = Math.max(4, Math.min(one.length, other.length) - 2);
  return (
    one === other || (one.length > 3 && other.length > 3 && one.slice(0, length) === other.slice(0, length))
  );
}

/** The position of a question word, in another form, or of a near synonym: "needed", "required". */
function mentionIn(clause: readonly string[], asked: readonly string[]): number {
  return clause.findIndex(
    (word) => isContent(word) && asked.some((one) => isAkin(one, word) || areAlike(one, word)),
  );
}

function areAlike(one: string, other: string): boolean {
  return opposites.some((sides) => sides.some((side) => side.has(one) && side.has(other)));
}

function kindOf(asking: readonly string[]): string {
  return questionKinds.find(([, words]) => asking.some((word) => words.has(word)))?.[0] ?? asking[0] ?? '';
}

function forKind(kind: string, words: readonly string[]): string[] {
  const denied = new Set(negatedIn(words));
  return [
    ...words.map((word) => `${kind} ${denied.has(`not ${word}`) ? 'not ' : ''}${word}`),
    `${kind} first ${words[0] ?? ''}`,
    `${kind} first ${words.slice(0, 2).join(' ')}`,
  ];
}

const relatives = new Set(['that', 'which', 'who']);
/** They are always replies, wherever they are. */
const interjected = new Set(['nope', 'nah', 'naw', 'yep', 'yup', 'yeah', 'yessir']);

/** The words between punctuation and joining words, each joining word with the clause it starts. */
function clausesOf(answer: readonly Token[]): string[][] {
  const clauses: string[][] = [[]];
  for (const [at, token] of answer.entries()) {
    // "No trouble" denies nothing.
    if (token.norm === 'no' && trouble.has(answer[at + 1]?.norm ?? '')) continue;
    if (token.kind === 'comma' || token.kind === 'stop' || token.kind === 'question') clauses.push([]);
    for (const word of expanded(wordsOf([token]), answer[at + 1])) {
      // "Covered not for massage": after a word other than an auxiliary, a "not" contrasts something else with it.
      const before = clauses.at(-1)?.at(-1);
      const isAgainst = word === 'not' && before !== undefined && !auxiliaries.has(before);
      if (joints.has(word) || interjected.has(word) || isAgainst) clauses.push([]);
      const clause = clauses.at(-1) ?? [];
      // "The only day that isn't …": denying something of a day does not deny the question.
      if (auxiliaries.has(word) && relatives.has(clause.at(-1) ?? '') && clause.length > 1)
        clauses.push([clause.pop() ?? '', word]);
      else clause.push(word);
    }
  }
  return withTopics(clauses.filter((clause) => clause.length > 0));
}

/** "Therapy's covered" is "therapy is covered". */
function expanded(words: readonly string[], next: Token | undefined): readonly string[] {
  const isPassive = next?.kind === 'word' && next.norm.endsWith('ed');
  return isPassive
    ? words.flatMap((word) => (word.endsWith("'s") ? [word.slice(0, -2), 'is'] : [word]))
    : words;
}

/** "Walk-ins, we stopped those": a topic named before the sentence belongs to it. */
function withTopics(clauses: readonly string[][]): string[][] {
  const joined: string[][] = [];
  for (const clause of clauses) {
    const before = joined.at(-1);
    const [first = ''] = clause;
    const isOwn = joints.has(first) || yesWords.has(first) || noWords.has(first) || negations.has(first);
    if (before === undefined || isOwn || !isTopic(before)) joined.push([...clause]);
    else before.push(...clause);
  }
  return joined;
}

function isTopic(clause: readonly string[]): boolean {
  return (
    clause.length <= 3 &&
    !clause.some(
      (word) =>
        joints.has(word) ||
        yesWords.has(word) ||
        noWords.has(word) ||
        negations.has(word) ||
        auxiliaries.has(word),
    )
  );
}

/**
 * The meaning of a clause's form: `yes` or `no` for the plain word; else whether it repeats only the question's
 * auxiliary ("they do"), a word of the question or its opposite, whether it denies, and whether under a condition.
 */
function signsOf(clause: readonly string[], asked: readonly string[]): string[] {
  const [first = '', second = ''] = clause;
  const isNo = noWords.has(first) && !(first === 'no' && second !== '' && isContent(second));
  const plain = yesWords.has(first) ? ['yes'] : isNo ? ['no'] : [];
  const denials = clause.filter((word) => denies(word, asked)).length - (isNo ? 1 : 0);
  const form = formOf(clause, asked);
  if (clause.some((word) => conditions.has(word))) return [...plain, `if ${form} ${denials > 0}`];
  if (form !== '' || denials > 0) return [...plain, `${form} ${denials > 0}`];
  return clause.length > 2 ? [...plain, 'else'] : plain;
}

function formOf(clause: readonly string[], asked: readonly string[]): string {
  if (isEllipsis(clause)) return 'alone';
  if (mentionIn(clause, asked) >= 0) return 'asked';
  return clause.some((word) => asked.some((one) => areOpposite(one, word))) ? 'opposite' : '';
}

function isEllipsis(clause: readonly string[]): boolean {
  // "Isn't now" omits the subject.
  const at = clause.findIndex(
    (word, index) =>
      auxiliaries.has(word) && (index === 0 ? clause[1] === 'not' : subjects.has(clause[index - 1] ?? '')),
  );
  if (at < 0) return false;
  const next = clause[clause[at + 1] === 'not' ? at + 2 : at + 1];
  return next === undefined || afterEllipsis.has(next);
}

function areOpposite(one: string, other: string): boolean {
  return opposites.some(
    ([some, others]) => (some.has(one) && others.has(other)) || (others.has(one) && some.has(other)),
  );
}

function strengthOf(signs: readonly string[]): number {
  if (signs.some((sign) => sign === 'yes' || sign === 'no' || sign.includes('alone'))) return 1;
  return signs.some((sign) => /asked|opposite/.test(sign)) ? strengthOfMention : strengthOfHint;
}
