import * as z from 'zod/mini';

/**
 * Characters that a name cannot need: controls, line separators, overrides of the writing direction, invisible ones, and
 * the mark that stands for what was no text. The joiners U+200C and U+200D stay: Persian and Indian scripts write with them.
 */
const foreign = /[\p{Cc}\p{Zl}\p{Zp}\u00AD\u200B\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\uFFFD]/u;

/** The name of a person, in the composed form (NFC), so that equal names are equal. */
export const PersonName = z.string().check(
  z.overwrite((name) => name.normalize('NFC')),
  z.refine((name) => name.trim() !== '', 'must not be blank'),
  z.refine((name) => !foreign.test(name), 'must not contain control or invisible characters'),
);
