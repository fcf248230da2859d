import { hasQuestionMark, type Token } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import lexicon from '../language/en-US/polarity-words.json' with { type: 'json' };
import { trouble } from './features.ts';

/* Words that are a yes or a no by themselves, to any question. */

export const yesWords: ReadonlySet<string> = new Set(cues.yes.split(' '));
export const noWords: ReadonlySet<string> = new Set(cues.no.split(' '));
export const vocatives: ReadonlySet<string> = new Set(cues.vocatives.split(' '));

/** "Yes, this is …" */
export function beginsWithYes(tokens: readonly Token[]): boolean {
  return yesWords.has(firstWord(tokens));
}

/** "Cove Corner, yes.", "Cove Corner, yes ma'am." */
export function endsWithYes(tokens: readonly Token[]): boolean {
  const at = tokens.findLastIndex(({ kind, norm }) => kind === 'word' && !vocatives.has(norm));
  return yesWords.has(tokens[at]?.norm ?? '') && tokens[at - 1]?.kind === 'comma' && !hasQuestionMark(tokens);
}

/** "You haven't got the wrong place", "not the wrong number": a denied error. */
export function deniesError(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word').flatMap(({ norm }) => norm.split(' '));
  return words.some((word, at) => {
    const before = words.slice(Math.max(0, at - 3), at);
    const isNamed = word === 'wrong' && (before.at(-1) === 'the' || before.at(-1) === 'a');
    return isNamed && before.slice(0, -1).includes('not');
  });
}

/** "I'm not the recording": who says so is a person, and refuses nothing. */
export function deniesBeingMachine(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word').flatMap(({ norm }) => norm.split(' '));
  return words.some((word, at) => {
    const [subject = '', verb = '', article = ''] = [words[at - 2], words[at - 1], words[at + 1]];
    const isOwn = word === 'not' && firstPerson.has(subject) && being.has(verb);
    return isOwn && articles.has(article) && words.slice(at + 2, at + 4).some((one) => callers.has(one));
  });
}

const firstPerson: ReadonlySet<string> = new Set(['i', 'we']);
const being: ReadonlySet<string> = new Set(['am', 'are']);
const articles: ReadonlySet<string> = new Set(['a', 'an', 'the', 'some', 'one']);
const callers: ReadonlySet<string> = new Set(cues.caller_kinds.split(' '));

/** "It is, claims unit", "you have. Corner Drug", "reckon so": a yes without the word. */
export function affirmsInShort(tokens: readonly Token[]): boolean {
  const begin = tokens.findIndex(({ kind }) => kind === 'word');
  const [first, second, third] = tokens.slice(begin, begin + 3);
  const [subject = '', auxiliary = second?.norm ?? ''] = first?.norm.split(' ') ?? [];
  const next = first?.norm.includes(' ') === true ? second : third;
  const isShort = subjects.has(subject) && auxiliaries.has(auxiliary);
  const isOpinion = auxiliary === 'so' && opinions.has(subject);
  return (isShort || isOpinion) && next?.kind !== 'word' && next?.kind !== 'number';
}

export const subjects: ReadonlySet<string> = new Set(lexicon.subjects.split(' '));
export const auxiliaries: ReadonlySet<string> = new Set(lexicon.auxiliaries.split(' '));
const opinions = new Set(cues.opinions.split(' '));

/** "No, you have …"; "no trouble" is not one. */
export function beginsWithNo(tokens: readonly Token[]): boolean {
  return noWords.has(firstWord(tokens)) && !deniesTrouble(tokens.slice(0, 3));
}

/** "It's no trouble", "no problem at all": the denied word is not part of any question. */
export function deniesTrouble(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
  return words.some((word, at) => word === 'no' && trouble.has(words[at + 1] ?? ''));
}

function firstWord(tokens: readonly Token[]): string {
  return tokens.find(({ kind }) => kind === 'word')?.norm ?? '';
}

/**
 * The plain words among these that are separate: at the start, at the end, or between marks. "No charge"
 * is not one.
 */
export function plainWordsIn(tokens: readonly Token[]): ReadonlySet<'yes' | 'no'> {
  const found = new Set<'yes' | 'no'>();
  const hasMarks = tokens.some(({ kind }) => kind === 'comma' || kind === 'stop');
  for (const [at, { kind, norm }] of tokens.entries()) {
    if (kind !== 'word') continue;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    // Recognizers often give no marks: "walk in no you have to be on the list".
    if (hasMarks && before?.kind === 'word' && after?.kind === 'word') continue;
    if (yesWords.has(norm)) found.add('yes');
    if (isReplyWord(tokens, at)) found.add('no');
  }
  return found;
}

/** "No, it's denied", "yeah no they pay": a separate plain no, unlike "no charge". */
export function isReplyWord(tokens: readonly Token[], at: number): boolean {
  const after = tokens[at + 1];
  if (!noWords.has(tokens[at]?.norm ?? '')) return false;
  return after?.kind !== 'word' || afterNo.has(after.norm.split(' ')[0] ?? '');
}

const afterNo: ReadonlySet<string> = new Set([
  ...`${lexicon.subjects} ${lexicon.auxiliaries} ${lexicon.afterEllipsis}`.split(' '),
  ...noWords,
]);

/** "She's been here before or no": a question without its mark gets one if the other choice closes it. */
export function withMark(tokens: readonly Token[]): readonly Token[] {
  const said = tokens.filter(({ kind }) => kind === 'word');
  const [before, last] = said.slice(-2);
  const isChoice = said.length > 2 && before?.norm === 'or' && otherChoices.has(last?.norm ?? '');
  if (last === undefined || !isChoice || hasQuestionMark(tokens)) return tokens;
  return [...tokens, { ...last, kind: 'question', text: '', norm: '?', start: last.end }];
}

const otherChoices: ReadonlySet<string> = new Set(['no', 'not', 'nope', 'nah', 'what']);
