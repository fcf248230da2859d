import data from '../language/en-US/entities/names.json' with { type: 'json' };
import { isBoundary, normAt, phraseAt, phrasesOf, type Reading, type Scan, touches } from './readings.ts';
import { wordSet } from './tokens.ts';

/*
 * People are recognized by their introduction, never by a capital letter, which speech recognition may
 * omit. After "my name is" almost any word is a name; after "this is" only an unusual one.
 */

const strong = phrasesOf(data.strong.map((phrase) => [phrase, true]));
const weak = phrasesOf(data.weak.map((phrase) => [phrase, true]));
const located = phrasesOf(data.located.map((phrase) => [phrase, true]));
const closings = phrasesOf(Object.entries(data.after));
const leads = phrasesOf(data.replyLeads.map((phrase) => [phrase, true]));
const places = wordSet(data.places);
const followers = wordSet(data.followers);
const functionWords = wordSet(data.function);
const organizations = wordSet(data.organizations);
/** Words that are rarely names or codes. */
export const commonWords = wordSet(data.common);
const wordNames = wordSet(data.wordNames);
const titles = new Map(Object.entries(data.titles));

const objects = wordSet('it the a an her him them his');

/** A name and the positions of its first token and after its last one. */
interface Named {
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly certainty: number;
}

/** The names in speakers' introductions. */
export function findNames(scan: Scan): Reading<'name'>[] {
  const isCased = hasCapitals(scan);
  const found: Reading<'name'>[] = [];
  for (let at = 0; at < scan.tokens.length; at += 1) {
    const named = introducedAt(scan, at, isCased) ?? closedAt(scan, at, isCased);
    if (named === null || named.from < (found.at(-1)?.to ?? 0)) continue;
    found.push({ type: 'name', ...named });
    at = Math.max(at, named.to - 1);
  }
  const isAsked = found.length === 0 && scan.context.expecting?.includes('name') === true;
  const reply = isAsked ? nameInReply(scan, isCased) : null;
  return reply === null ? found : [{ type: 'name', ...reply }];
}

/** Whether the text has capitals, so a word without one is not a name. */
function hasCapitals({ tokens }: Scan): boolean {
  return tokens.some(
    ({ kind, text, norm }, at) =>
      kind === 'word' &&
      at > 0 &&
      tokens[at - 1]?.kind !== 'stop' &&
      norm !== 'i' &&
      !norm.startsWith('i ') &&
      isCapital(text) &&
      text !== text.toUpperCase(),
  );
}

const isCapital = (text: string): boolean => text.slice(0, 1) !== text.slice(0, 1).toLowerCase();

/** "my name is Robin Vance", "you're speaking with Marcus", "this is dana", "it's tom in billing" */
function introducedAt(scan: Scan, at: number, isCased: boolean): Named | null {
  const sure = phraseAt(scan, at, strong);
  if (sure !== null) return nameAt(scan, sure.to, { isCased, isSure: true, certainty: 0.95 });
  const place = phraseAt(scan, at, located);
  const there = place === null ? null : nameAt(scan, place.to, { isCased, isSure: false, certainty: 0.85 });
  const isGreeted = there !== null && leadsIn(scan, at - 1) && isBoundary(scan, there.to);
  if (there !== null && (isGreeted || places.has(normAt(scan, there.to)))) return there;
  const unsure = phraseAt(scan, at, weak);
  const isInside = normAt(scan, at) === 'name' && !isBoundary(scan, at - 1);
  if (unsure === null || isInside || asks(scan, at)) return null;
  return nameAt(scan, unsure.to, { isCased, isSure: false, certainty: 0.75 });
}

/** "if this is Dana", "I see this is Medicare": about someone else. */
const asks = (scan: Scan, at: number): boolean => ['if', 'whether', 'that'].includes(normAt(scan, at - 1));

interface Introduction {
  readonly isCased: boolean;
  /** After an introduction that only a name can follow. */
  readonly isSure: boolean;
  readonly certainty: number;
}

function nameAt(scan: Scan, from: number, introduction: Introduction): Named | null {
  const title = titles.get(normAt(scan, from));
  const first = title === undefined ? from : from + 1;
  const isSure = introduction.isSure || title !== undefined;
  if (!isFirstName(scan, first, { ...introduction, isSure })) return null;
  const to = behindSurname(scan, first, introduction.isCased);
  if (!introduction.isSure && (isOrganization(scan, first) || !endsWell(scan, to, first))) return null;
  const value = `${title === undefined ? '' : `${title} `}${written(scan, first, to)}`;
  return { value, from, to, certainty: introduction.certainty };
}

/** A possible name, which after an uncertain introduction must not be an ordinary word. */
function isFirstName(scan: Scan, at: number, { isCased, isSure }: Introduction): boolean {
  const token = scan.tokens[at];
  if (token?.kind !== 'word' || token.number !== null || token.norm.includes(' ') || token.norm.length < 2)
    return false;
  if (isCased && !isCapital(token.text)) return false;
  if (isCutShort(scan, at)) return false;
  if (functionWords.has(token.norm) || titles.has(token.norm)) return false;
  if (isSure) return !organizations.has(token.norm) || isBoundary(scan, at + 1);
  return wordNames.has(token.norm) || (!organizations.has(token.norm) && !isOrdinary(token.norm));
}

/** "I'm lookin' at it" */
function isCutShort({ tokens }: Scan, at: number): boolean {
  return tokens[at]?.norm.endsWith('in') === true && "'’‘`".includes(tokens[at + 1]?.before[0] ?? ' ');
}

/** An ordinary word, or one with an ending rare in names: "harassment", "typing". */
export function isOrdinary(word: string): boolean {
  return (
    commonWords.has(word) || (word.length > 5 && data.commonEndings.some((ending) => word.endsWith(ending)))
  );
}

/** After up to two further names and an initial, and the second half of "Mary-Jane". */
function behindSurname(scan: Scan, first: number, isCased: boolean): number {
  let to = first + 1;
  for (let words = 1; words < 4; ) {
    const isHyphen = normAt(scan, to) === '-' && touches(scan, to) && touches(scan, to + 1);
    if (!isSurname(scan, isHyphen ? to + 1 : to, isCased)) break;
    to += isHyphen ? 2 : 1;
    words += isHyphen ? 0 : 1;
  }
  return to;
}

function isSurname(scan: Scan, at: number, isCased: boolean): boolean {
  const token = scan.tokens[at];
  if (token?.kind !== 'word' || token.number !== null || token.norm.includes(' ')) return false;
  if (isCased && !isCapital(token.text)) return false;
  const { norm } = token;
  if (norm.length === 1)
    return norm !== 'i' && norm !== 'a' && (isBoundary(scan, at + 1) || followers.has(normAt(scan, at + 1)));
  if (functionWords.has(norm) || organizations.has(norm) || hasOrganizationEnding(norm)) return false;
  return isCased ? !followers.has(norm) : !commonWords.has(norm) && !followers.has(norm);
}

/** "Lakeside Family Practice" continues as a place. */
function isOrganization(scan: Scan, first: number): boolean {
  for (let at = first; at < first + 4; at += 1) {
    const token = scan.tokens[at];
    if (token?.kind !== 'word' || (at > first && followers.has(token.norm))) return false;
    if (organizations.has(token.norm) || hasOrganizationEnding(token.norm)) return true;
  }
  return false;
}

const hasOrganizationEnding = (word: string): boolean =>
  data.organizationEndings.some((ending) => word.endsWith(ending));

/** An uncertain name ends its clause, or words follow that can follow an introduction. */
function endsWell(scan: Scan, to: number, first: number): boolean {
  const next = normAt(scan, to).split(' ')[0] ?? '';
  // "This is Dana, Lakeside Clinic" introduces; "this is Lakeside, Dana speaking" does not.
  const isOther = scan.tokens[to]?.kind === 'comma' && phraseAt(scan, to + 2, closings) !== null;
  if (isOther && isFirstName(scan, to + 1, { isCased: false, isSure: true, certainty: 0 })) return false;
  const isWord = wordNames.has(normAt(scan, first)) && commonWords.has(normAt(scan, first));
  // "With Tammy Oakes or with Dr. Feld"
  return isBoundary(scan, to) || next === 'or' || (followers.has(next) && !(isWord && next === 'to'));
}

/** "Grace speaking", "Tom here.", "robin vance on the line" */
function closedAt(scan: Scan, at: number, isCased: boolean): Named | null {
  const closing = phraseAt(scan, at, closings);
  // "The chart's here" is about something else.
  if (closing === null || at === 0 || isOwner(scan, at - 1)) return null;
  const isSure = closing.value === 'strong';
  const next = normAt(scan, closing.to).split(' ')[0] ?? '';
  if (!isBoundary(scan, closing.to) && !followers.has(next)) return null;
  for (const from of [at - 2, at - 1]) {
    const introduction = { isCased, isSure: isSure && from === at - 1, certainty: isSure ? 0.9 : 0.7 };
    if (from < 0 || !isFirstName(scan, from, introduction) || behindSurname(scan, from, isCased) !== at)
      continue;
    if (isSure || isBoundary(scan, from - 1) || leadsIn(scan, from - 1)) {
      return { value: written(scan, from, at), from, to: at, certainty: introduction.certainty };
    }
  }
  return null;
}

const leadsIn = (scan: Scan, at: number): boolean =>
  ['hi', 'hello', 'hey', 'yes', 'yeah', 'it is'].includes(normAt(scan, at));

/**
 * A name in reply to a question for it: "Dana", "sure it's dana reyes", "they call me Will", or with a title or a lead
 * in a clause of its own: "Give it to Mrs. Holt.", "Refills, that's Imre."
 */
function nameInReply(scan: Scan, isCased: boolean): Named | null {
  const clauses = scan.tokens.flatMap((_, at) => (at > 0 && isBoundary(scan, at - 1) ? [at] : []));
  const led = clauses.map((at) => nameAfterLeads(scan, at, isCased)).find((named) => named !== null);
  return led ?? titledName(scan, isCased) ?? bareReply(scan, isCased);
}

function bareReply(scan: Scan, isCased: boolean): Named | null {
  const at = behindLeads(scan, 0);
  const isBare = scan.tokens.length - at <= 3;
  return endingName(scan, at, isCased && !isBare);
}

function nameAfterLeads(scan: Scan, from: number, isCased: boolean): Named | null {
  const at = behindLeads(scan, from);
  return at === from ? null : endingName(scan, at, isCased);
}

/** After words like "that's", "ask for". */
function behindLeads(scan: Scan, from: number): number {
  const lead = phraseAt(scan, from, leads);
  if (lead !== null) return behindLeads(scan, lead.to);
  return scan.tokens[from]?.kind === 'comma' ? behindLeads(scan, from + 1) : from;
}

/** "Mr. Boone handles those": anything may follow, so without capitals the surname is one word. */
function titledName(scan: Scan, isCased: boolean): Named | null {
  const at = scan.tokens.findIndex(({ norm }) => titles.has(norm));
  const named = at < 0 ? null : nameAt(scan, at, { isCased, isSure: true, certainty: 0.7 });
  if (named === null || isCased) return named;
  return { ...named, to: at + 2, value: `${titles.get(normAt(scan, at))} ${written(scan, at + 1, at + 2)}` };
}

/** An uncertain name, if nothing behind it says otherwise. */
function endingName(scan: Scan, at: number, isCased: boolean): Named | null {
  const named = nameAt(scan, at, { isCased, isSure: false, certainty: 0.7 });
  return named !== null &&
    (isBoundary(scan, named.to) || places.has(normAt(scan, named.to)) || normAt(scan, named.to) === 'and')
    ? named
    : null;
}

/** Providers by their title: "Dr. Amara Lee", "doctor feld". */
export function findProviders(scan: Scan): Reading<'provider'>[] {
  const isCased = hasCapitals(scan);
  const found: Reading<'provider'>[] = [];
  for (let at = 0; at < scan.tokens.length; at += 1) {
    const word = normAt(scan, at);
    const isCompanion = companions.has(word) && (isCased || endsTime(scan, at - 1));
    const companion = isCompanion ? companionAt(scan, at + 1, isCased) : null;
    if (companion !== null && !isOwner(scan, companion.to - 1))
      found.push({ type: 'provider', ...companion });
    if (word !== 'dr' && word !== 'doctor') continue;
    // "The doctor will call" names no one.
    const isPlain = ['the', 'a', 'your', 'her', 'his'].includes(normAt(scan, at - 1));
    // "Doctor faxes it" says what the doctor does.
    const isVerb = !isCased && objects.has(normAt(scan, at + 2));
    const isSure = word === 'dr' || isCased || isBoundary(scan, at + 2);
    const first = scan.tokens[at + 1]?.norm.length === 1 ? at + 2 : at + 1;
    if (isPlain || isVerb || !isFirstName(scan, first, { isCased, isSure, certainty: 0.9 })) continue;
    const to = behindSurname(scan, first, isCased);

    found.push({ type: 'provider', value: `Dr. ${written(scan, at + 1, to)}`, certainty: 0.9, from: at, to });
    at = to - 1;
  }
  return found;
}

/** "… with Ingrid Sorensen", "… with PA Sorensen" */
function companionAt(scan: Scan, at: number, isCased: boolean): Named | null {
  const credential = phraseAt(scan, at, credentials);
  if (credential === null) return nameAt(scan, at, { ...untitledName, isCased });
  const named = nameAt(scan, credential.to, { ...untitledName, isSure: true, isCased });
  return named === null ? null : { ...named, from: at, value: `${credential.value} ${named.value}` };
}

const credentials = phrasesOf(Object.entries(data.credentials));

/** "… at 9:20 with Ingrid Sorensen" */
const companions: ReadonlySet<string> = new Set(['with', 'under']);
const untitledName = { isSure: false, certainty: 0.7 };

/** "At 9:30 am with tammy slone": without capitals, the time before it marks the name. */
function endsTime({ tokens }: Scan, at: number): boolean {
  const token = tokens[at];
  return token !== undefined && (token.number !== null || halvesOfDay.has(token.norm));
}

const halvesOfDay: ReadonlySet<string> = new Set(['am', 'pm', 'morning', 'afternoon', "o'clock", 'noon']);

/** "With Nora's chart", "the chart's here" */
function isOwner({ tokens }: Scan, at: number): boolean {
  return tokens[at]?.text.endsWith("'s") === true;
}

function written({ tokens }: Scan, from: number, to: number): string {
  return tokens
    .slice(from, to)
    .map(({ text, before }, index) => `${index > 0 && before !== '' ? ' ' : ''}${capitalized(text)}`)
    .join('');
}

function capitalized(text: string): string {
  const plain = text.replaceAll('’', "'");
  const owner = plain.endsWith("'s") ? plain.slice(0, -2) : plain;
  return owner.slice(0, 1).toUpperCase() + owner.slice(1);
}
