import * as z from 'zod/mini';

/**
 * Characters that no name needs: controls, line separators, overrides of the writing direction, invisible ones, and
 * the replacement character. The joiners U+200C and U+200D stay: Persian and Indian scripts use them.
 */
const foreign = /[\p{Cc}\p{Zl}\p{Zp}\u00AD\u200B\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\uFFFD]/u;

const nameChecks = [
  // The composed form, so that equal names are equal.
  z.overwrite<string>((name) => name.normalize('NFC')),
  z.refine<string>((name) => name.trim() !== '', { error: 'must not be blank', abort: true }),
  z.refine<string>((name) => !foreign.test(name), 'must not contain control or invisible characters'),
];

/** The name of a person. Its least length only tells readers of the schema that it must not be blank. */
export const PersonName = z.string().check(...nameChecks, z.minLength(1), z.maxLength(200));

/** The name that people give to something, such as a project or an API key; without outer spaces. */
export function givenName(maxCharacters: number) {
  return z
    .string()
    .check(
      z.trim(),
      ...nameChecks,
      z.maxLength(maxCharacters, `must have at most ${maxCharacters} characters`),
    );
}

/** Letters that Unicode does not decompose into a base letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/**
 * The form in which names are compared, without case, accents or apostrophes: `O’Brien` is `obrien` and `Müller` is
 * `muller`.
 */
export function nameWords(text: string): string[] {
  return text
    .toLocaleLowerCase('en')
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’‘`ʼ]/g, '')
    .replace(/[ßøæœłđı]/g, (letter) => plainLetters[letter] ?? letter)
    .split(/[\s,-]+/)
    .filter((word) => word !== '');
}

interface FullName {
  readonly first_name: string;
  readonly last_name: string;
}

/** Equal for the same name in any order and spelling. */
export function sameNameKey({ first_name, last_name }: FullName): string {
  return nameWords(`${first_name} ${last_name}`).sort().join(' ');
}

/** Equal for patients with the same date of birth and the same name. */
export function samePersonKey(patient: FullName & { readonly date_of_birth: string }): string {
  return `${patient.date_of_birth} ${sameNameKey(patient)}`;
}
