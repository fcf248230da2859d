import { isCapitalized, type Token, tokenize, wordSet } from '../entities/tokens.ts';
import words from '../language/en-US/entities/words.json' with { type: 'json' };
import data from './en-US/called-place.json' with { type: 'json' };
import { maxTextLength } from './words.ts';

const cues = wordSet(data.cues);
const articles = wordSet(data.articles);
const joining = wordSet(data.joining);
const shortened = wordSet(data.shortened);
const ends = wordSet(`${data.ends} ${words.titles}`);
/** A town or a company may have one word, and a doctor two: "with Jane Lind". */
const leastWords = 2;
const leastBehindWith = 3;
const mostWords = 7;

/**
 * The name of the place to call in a client's description, as in "Schedule a checkup at Cove Family Clinic"; null if
 * it names none, or only the patient or a doctor.
 *
 * @param names the patient's
 */
export function calledPlace(text: string, names: readonly string[]): string | null {
  const tokens = tokenize(text.slice(0, maxTextLength));
  const own = wordSet(names.join(' ').toLowerCase());
  for (const [at, { norm }] of tokens.entries()) {
    if (!cues.has(norm)) continue;
    const from = articles.has(tokens[at + 1]?.norm ?? '') ? at + 2 : at + 1;
    const name = nameAt(tokens, from, own);
    const least = norm === 'with' ? leastBehindWith : leastWords;
    const count = name.filter(isWord).length;
    if (count >= least && count <= mostWords) return textOf(name);
  }
  return null;
}

function nameAt(tokens: readonly Token[], from: number, own: ReadonlySet<string>): Token[] {
  let to = from;
  let end = from;
  for (let token = tokens[to]; token !== undefined; token = tokens[++to]) {
    const isShort = token.norm === '.' && shortened.has(tokens[to - 1]?.norm ?? '');
    if ((joining.has(token.norm) || isShort) && to > from) continue;
    const isPart = isWord(token) && isCapitalized(token.text) && !ends.has(token.norm);
    if (!isPart || own.has(withoutOwner(token.text).toLowerCase())) break;
    end = to + 1;
  }
  return tokens.slice(from, end);
}

/** "Seven Elms" begins with a number in words. */
const isWord = ({ kind }: Token): boolean => kind === 'word' || kind === 'number';

const withoutOwner = (text: string): string => text.replace(/['’]s$/, '');

/** "Cove Hospital's billing office" is the hospital's. */
function textOf(name: readonly Token[]): string {
  const text = name.map(({ text, before }, at) => (at === 0 ? text : before + text)).join('');
  return withoutOwner(text);
}
