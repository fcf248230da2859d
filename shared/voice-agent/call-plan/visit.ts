import { findDates } from '../entities/dates.ts';
import { findEntities } from '../entities/find-entities.ts';
import { normAt, phraseAt, phrasesOf, type Scan, scanOf, touches } from '../entities/readings.ts';
import { findTimes } from '../entities/times.ts';
import { type Token, tokenize, wordSet } from '../entities/tokens.ts';
import data from './en-US/visit.json' with { type: 'json' };
import type { Data, KnownFact } from './facts.ts';
import { maxTextLength, plainWords, withoutStop } from './words.ts';

const because = phrasesOf(data.because.split('|').map((said) => [said, true]));
const verbs = phrasesOf(data.verbs.split('|').map((said) => [said, true]));
const notBecauseBehind = wordSet(data.notBecauseBehind);
const skipped = wordSet(data.skipped);
const ends = wordSet(data.ends);
const placed = wordSet(data.placed);
const notReasons = wordSet(data.notReasons);
const generic = wordSet(data.generic);
const existing = wordSet(data.existing);
const clauseStarts = wordSet(data.clauseStarts);
const maxWords = 12;

/** The client's texts about a visit, most specific first, and the patient. */
export interface VisitText {
  readonly texts: readonly string[];
  /** The patient's first and last name. */
  readonly names: readonly string[];
  readonly today: string;
}

const found = (
  field: string,
  topic: KnownFact['topic'],
  label: string,
  value: string | null,
  spoken: string | null = value,
): KnownFact[] => (value === null || spoken === null ? [] : [{ field, topic, label, value, spoken }]);

/** What the client's words say about a visit: the reason, the provider, and whether the patient is known there. */
export function visitFacts(known: Data, about: VisitText): KnownFact[] {
  const reason = visitReason(about);
  const provider = preferredProvider(about);
  const status = patientStatus(known);
  return [
    ...found('visit.reason', 'visit-reason', 'reason for the visit', reason?.value ?? null, reason?.spoken),
    ...found('task_data.patient_status', 'patient-status', 'patient', status, spokenStatus(status)),
    ...found('visit.preferred_provider', 'preferred-provider', 'preferred doctor', provider),
  ];
}

/** The service or treatment named with the claim or the benefits "for" it. */
export function serviceFact(
  topic: 'service' | 'treatment',
  { texts: [text = ''], names, today }: VisitText,
): KnownFact[] {
  const scan = scanOf(tokenize(text.slice(0, maxTextLength)), { today });
  const named = phraseBehind(scan, because, wordSet(names.join(' ').toLowerCase()), true);
  return found('task.service', topic, topic, named?.value ?? null, named?.spoken);
}

function patientStatus({ patient_status, is_rescheduling, previous_visits }: Data): string | null {
  const text = typeof patient_status === 'string' ? patient_status.trim() : '';
  const words = plainWords(text);
  if (words.some((word) => existing.has(word))) return 'existing';
  if (words.includes('new')) return 'new';
  const wasThere = is_rescheduling === true || (Array.isArray(previous_visits) && previous_visits.length > 0);
  return wasThere ? 'existing' : text === '' ? null : text;
}

/** "The patient is an existing patient." */
function spokenStatus(status: string | null): string | null {
  if (status === 'existing') return 'an existing patient';
  return status === 'new' ? 'a new patient' : status;
}

/** A phrase, and the same with its article. */
interface Said {
  readonly value: string;
  readonly spoken: string;
}

/**
 * The reason for the visit, in words for the front desk: "… because of recurring migraines", else the visit to
 * schedule ("an annual physical"), else a short note without other content.
 */
function visitReason({ texts, names, today }: VisitText): Said | null {
  const scans = texts.map((text) => scanOf(tokenize(text.slice(0, maxTextLength)), { today }));
  const own = wordSet(names.join(' ').toLowerCase());
  for (const scan of scans) {
    const reason = phraseBehind(scan, because, own, false) ?? phraseBehind(scan, verbs, own, true);
    if (reason !== null) return reason;
  }
  return (
    scans
      .slice(1)
      .map(noteOf)
      .find((note) => note !== null) ?? null
  );
}

function phraseBehind(
  scan: Scan,
  cues: typeof because,
  names: ReadonlySet<string>,
  isObject: boolean,
): Said | null {
  const dates = findDates(scan);
  const times = [...dates, ...findTimes(scan, dates)].map(({ from }) => from);
  for (let at = 0; at < scan.tokens.length; at += 1) {
    const cue = phraseAt(scan, at, cues);
    if (cue === null || notBecauseBehind.has(normAt(scan, at - 1))) continue;
    const reason = reasonAt(scan, cue.to, times, names, isObject);
    if (reason !== null) return reason;
  }
  return null;
}

function reasonAt(
  scan: Scan,
  behind: number,
  times: readonly number[],
  names: ReadonlySet<string>,
  isObject: boolean,
): Said | null {
  const isName = (token: Token | undefined): boolean => names.has(withoutOwner(token?.text ?? ''));
  const from = isObject ? behindSkipped(scan, behind, isName) : behind;
  const isPlaced = (at: number): boolean => [at, at + 1, at + 2].some((next) => times.includes(next));
  const tokens: Token[] = [];
  for (let at = from; at < scan.tokens.length; at += 1) {
    const token = scan.tokens[at];
    const isPart =
      token?.kind === 'word' || token?.kind === 'number' || token?.norm === '-' || token?.norm === '/';
    const isEnd =
      ends.has(token?.norm ?? '') ||
      times.includes(at) ||
      (placed.has(token?.norm ?? '') && (isObject || isPlaced(at)));
    if (token === undefined || !isPart || (isEnd && !isTimeNoun(token))) break;
    tokens.push(token);
  }
  const words = tokens.filter(({ norm }) => !skipped.has(norm));
  const [first, second] = words;
  const isOther =
    first === undefined ||
    notReasons.has(first.norm) ||
    isName(first) ||
    (isCapital(first) && second !== undefined && isCapital(second));
  const saysNothing = isObject && words.every(({ norm }) => generic.has(norm));
  if (isOther || saysNothing || tokens.length > maxWords) return null;
  const value = textOf(tokens);
  const article = normAt(scan, from - 1);
  const hasArticle =
    isObject && scan.tokens.slice(behind, from).some(({ norm }) => norm === 'a' || norm === 'an');
  return {
    value,
    spoken:
      article === 'a' || article === 'an' ? `${article} ${value}` : hasArticle ? withArticle(value) : value,
  };
}

/** Skips words that give no reason for the visit: "new-patient" does not, "first-trimester" does. */
function behindSkipped(scan: Scan, at: number, isName: (token: Token | undefined) => boolean): number {
  if (!skipped.has(normAt(scan, at)) && !isName(scan.tokens[at])) return at;
  const isJoined = normAt(scan, at + 1) === '-' && touches(scan, at + 1) && touches(scan, at + 2);
  if (isJoined && !generic.has(normAt(scan, at + 2))) return at;
  return behindSkipped(scan, isJoined ? at + 3 : at + 1, isName);
}

const withoutOwner = (text: string): string => text.toLowerCase().replace(/['’]s$/, '');

/** "Second opinion" and "may" look like dates, but are not without a day. */
const isTimeNoun = ({ kind, norm }: Token): boolean => kind === 'word' && norm.endsWith('ly');

const isCapital = ({ text }: Token): boolean =>
  text.length > 1 && text[0] !== text[0]?.toLowerCase() && text.slice(1) === text.slice(1).toLowerCase();

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text, before }, index) => (index === 0 ? text : before + text)).join('');
}

/** "Annual physical." is a reason for the visit, "She pays herself." is not. */
function noteOf({ tokens }: Scan): Said | null {
  const end = tokens.findIndex(({ kind }) => kind === 'stop' || kind === 'comma');
  const note = tokens.slice(0, end === -1 ? tokens.length : end);
  const first = note[0]?.norm.split(' ')[0] ?? '';
  return note.length === 0 || note.length > 8 || clauseStarts.has(first)
    ? null
    : { value: textOf(note), spoken: textOf(note) };
}

/** "Dr. Lee" or "with Ingrid Sorensen": a person named in the client's words. */
function preferredProvider({ texts, names, today }: VisitText): string | null {
  const own = new Set(names.map((name) => name.toLowerCase()));
  for (const text of texts) {
    const tokens = tokenize(text.slice(0, maxTextLength));
    const provider = findEntities(tokens, { today }).find(({ type }) => type === 'provider');
    if (provider !== undefined) return String(provider.value);
    const at = tokens.findIndex(
      ({ norm }, index) => norm === 'with' && isPerson(tokens.slice(index + 1, index + 3), own),
    );
    if (at !== -1) return textOf(tokens.slice(at + 1, at + 3));
  }
  return null;
}

export function isPerson(tokens: readonly Token[], own: ReadonlySet<string> = new Set()): boolean {
  return (
    tokens.length === 2 &&
    tokens.every((token) => token.kind === 'word' && isCapital(token) && !own.has(token.text.toLowerCase()))
  );
}

/**
 * "cardiologist" → with a cardiologist; "Cardiology" → in cardiology; a longer text becomes its own
 * sentence.
 */
export function specialityPhrase(speciality: string | undefined): { wish: string; sentence: string } {
  const text = withoutStop(speciality ?? '');
  const tokens = tokenize(text);
  const isShort =
    tokens.length > 0 && tokens.length <= 5 && tokens.every(({ kind }) => kind === 'word' || kind === 'sign');
  const endsIn = (endings: string): boolean =>
    isShort && endings.split('|').some((ending) => text.toLowerCase().endsWith(ending));
  if (text === '') return { wish: '', sentence: '' };
  const isTitled = data.titles.split('|').includes(tokens[0]?.norm ?? '') && tokens.length <= 4;
  if (isTitled || isPerson(tokens)) return { wish: ` with ${text}`, sentence: '' };
  const lowered =
    tokens[0] !== undefined && isCapital(tokens[0]) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
  if (endsIn(data.practitioners)) return { wish: ` with ${withArticle(lowered)}`, sentence: '' };
  return endsIn(data.fields)
    ? { wish: ` in ${lowered}`, sentence: '' }
    : { wish: '', sentence: ` The preference is: ${text}.` };
}

export function withArticle(text: string): string {
  return `${'aeiou'.includes(text.slice(0, 1).toLowerCase()) ? 'an' : 'a'} ${text}`;
}
