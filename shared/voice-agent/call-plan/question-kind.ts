import { tokenize, wordSet } from '../entities/tokens.ts';
import type { ItemKind } from './call-plan.ts';
import data from './en-US/question-kinds.json' with { type: 'json' };

/** Words with a space around each, to search for whole phrases. */
type Words = string;

interface KindRule {
  readonly kind: ItemKind;
  /** All given conditions must hold; each needs one of its phrases. */
  readonly starts?: readonly string[];
  readonly ends?: readonly string[];
  readonly has?: readonly string[];
  readonly also?: readonly string[];
  readonly without?: readonly string[];
  /** The maximum words of the question. */
  readonly short: number;
}

const phrases = (list: string): string[] => list.split('|').map((phrase) => ` ${phrase} `);
const leads = phrases(data.leads).toSorted((a, b) => b.length - a.length);
const rules = data.rules.map(
  ({ kind, short, ...conditions }): KindRule => ({
    kind: kind as ItemKind,
    short: short ?? Infinity,
    ...Object.fromEntries(
      Object.entries(conditions).flatMap(([name, list]) => (list ? [[name, phrases(list)]] : [])),
    ),
  }),
);
const maxLength = 1000;

/** The kind of value that answers a client's own question, in any wording. */
export function kindOfQuestion(question: string): ItemKind {
  const clause = mainClauseOf(question.slice(0, maxLength));
  const words = withoutLeads(wordsOf(clause));
  if (listsChoices(clause)) return 'text';
  return rules.find((rule) => holds(rule, words))?.kind ?? 'text';
}

/** "Are the copies mailed, emailed or picked up?", "Is parking free or paid?" are no questions for a yes or no. */
function listsChoices(question: string): boolean {
  const words = withoutLeads(wordsOf(question)).trim().split(' ');
  const [first = '', second = ''] = words;
  const or = question.lastIndexOf(' or ');
  const comma = question.indexOf(',');
  if (!asking.has(first) || question.slice(or).startsWith(' or not')) return false;
  if (comma > 0 && comma < or) return true;
  // "Can it be faxed or emailed?" and "Is there a lift or ramp?" are content with either one.
  const [last = '', ...more] = words.slice(words.lastIndexOf('or') + 1);
  const isOther = or > 0 && more.length < longestChoice && !noChoice.has(last) && !asking.has(last);
  return isOther && choosing.has(first) && second !== 'there';
}

const longestChoice = 3;

/** "If not, which pharmacy does?", "When you mail it, is there a fee?": the clause after the comma is the question. */
function mainClauseOf(question: string): string {
  const comma = question.indexOf(',');
  const [rest = ''] = wordsOf(question.slice(comma + 1))
    .trim()
    .split(' ');
  const isSubordinate = subordinate.some((phrase) => wordsOf(question).startsWith(phrase));
  return comma > 0 && isSubordinate && asking.has(rest) ? question.slice(comma + 1) : question;
}

const subordinate = phrases(data.subordinate);
const asking = wordSet(data.asking);
const choosing = wordSet(data.choosing);
/** "… or more", "… or anything" */
const noChoice = wordSet(data.noChoice);

function wordsOf(text: string): Words {
  const tokens = tokenize(text).filter(
    ({ kind, norm }) => kind === 'word' || kind === 'number' || norm === '%',
  );
  return ` ${tokens.map(({ norm }) => norm).join(' ')} `;
}

function withoutLeads(words: Words): Words {
  const lead = leads.find((phrase) => words.startsWith(phrase) && words.length > phrase.length);
  return lead === undefined ? words : withoutLeads(words.slice(lead.length - 1));
}

function holds({ starts, ends, has, also, without, short }: KindRule, words: Words): boolean {
  const isShort = words.length <= 200 && words.trim().split(' ').length <= short;
  return (
    (short === Infinity || isShort) &&
    (starts?.some((phrase) => words.startsWith(phrase)) ?? true) &&
    (ends?.some((phrase) => words.endsWith(phrase)) ?? true) &&
    (has?.some((phrase) => words.includes(phrase)) ?? true) &&
    (also?.some((phrase) => words.includes(phrase)) ?? true) &&
    without?.some((phrase) => words.includes(phrase)) !== true
  );
}
