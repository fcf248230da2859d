import { nameWords } from './names.ts';
import type { Patient } from './patient.ts';
import type { Task } from './task.ts';

/*
 * Search terms of patients and tasks. A term is a kind and a text. A search has a term only if every match has it,
 * too, so one read finds all candidates. `isPatient…` and `isTask…` decide whether they match.
 */

/** The searchable data of a patient. */
export type SearchedPatient = Pick<
  Patient,
  'first_name' | 'last_name' | 'phone_number' | 'date_of_birth' | 'external_id'
>;

/** The searchable data of a task. */
export interface SearchedTask extends Pick<Task, 'task' | 'phone_number' | 'task_outcome'> {
  readonly reference_number: string | null;
}

export function patientTerms(patient: SearchedPatient): Set<string> {
  const reference = toReference(patient.external_id ?? '');
  return new Set([
    ...namesOf(patient).slice(0, wordsAtMost).flatMap(beginnings).map(nameTerm),
    ...numberTerms(patient.phone_number),
    birthTerm(patient.date_of_birth),
    ...(reference === '' ? [] : [referenceTerm(reference)]),
  ]);
}

export function taskTerms(task: SearchedTask): Set<string> {
  const reference = toReference(task.reference_number ?? '');
  return new Set([
    ...wordsOf(task).slice(0, wordsAtMost).map(wordTerm),
    ...numberTerms(task.phone_number),
    ...(reference === '' ? [] : [referenceTerm(reference)]),
  ]);
}

/** @param phoneNumber E.164 */
export function numberTerm(phoneNumber: string): string {
  return `number ${phoneNumber}`;
}

/** What people read off a telephone: a number without its country and area code. */
export const localDigits = 7;

/** @param digits the last seven of a number */
export function localNumberTerm(digits: string): string {
  return `local number ${digits}`;
}

function numberTerms(phoneNumber: string): string[] {
  return [numberTerm(phoneNumber), localNumberTerm(phoneNumber.slice(-localDigits))];
}

/** @param date `YYYY-MM-DD` */
export function birthTerm(date: string): string {
  return `born ${date}`;
}

/** @param reference as `toReference` writes it */
export function referenceTerm(reference: string): string {
  return `reference ${reference}`;
}

/** The term for the beginning of a name, as `nameWords` writes it. */
export function nameTerm(beginning: string): string {
  return `name ${beginnings(beginning).at(-1) ?? beginning}`;
}

/** The term for a word of a task, as `textWords` writes it; longer words with the same stem share it. */
export function wordTerm(word: string): string {
  return `word ${word.slice(0, longestStem)}`;
}

/** Whether each word begins one of the patient's names. */
export function isPatientNamed(patient: SearchedPatient, words: readonly string[]): boolean {
  const names = namesOf(patient);
  return words.every((word) => names.some((name) => name.startsWith(word)));
}

/** Whether the task or its outcome has each word, or, if it is long enough, one that begins with it. */
export function hasTaskWords(task: SearchedTask, words: readonly string[]): boolean {
  const own = new Set(wordsOf(task));
  return words.every(
    (word) =>
      own.has(word) || (word.length >= longestStem && [...own].some((other) => other.startsWith(word))),
  );
}

/** A confirmation number for comparison: without blanks and hyphens, which people omit. */
export function toReference(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** The distinctive words of a text, without case and accents. */
export function textWords(text: string): string[] {
  const words = nameWords(text.replace(/[^\p{L}\p{N}\p{M}'’‘`ʼ]+/gu, ' '));
  return words.filter((word) => (word.length > 2 || /\d/.test(word)) && !commonWords.has(word));
}

/** The most words of a patient's names, or of a task, those of its goal first, in the index. */
const wordsAtMost = 60;

/** Indexed lengths of the beginnings of a name. */
const nameBeginnings = [2, 3, 4, 6];
const longestStem = 6;

/** A name of one letter is its own beginning. */
function beginnings(name: string): string[] {
  const lengths = nameBeginnings.filter((length) => length <= name.length);
  return (lengths.length === 0 ? [name.length] : lengths).map((length) => name.slice(0, length));
}

function namesOf({ first_name, last_name }: SearchedPatient): string[] {
  return nameWords(`${first_name} ${last_name}`);
}

function wordsOf({ task, task_outcome }: SearchedTask): string[] {
  return [...new Set(textWords(`${task} ${task_outcome ?? ''}`))];
}

const commonWords = new Set(
  (
    'all also and any are ask asked been but can could did does for from had has have her his how its not our out ' +
    'she than that the their them then there they this was were what when which who will with would you your'
  ).split(' '),
);
