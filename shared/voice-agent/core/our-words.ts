const asking = [
  'have i reached',
  'did i reach',
  'is this ',
  'am i speaking with',
  'am i talking to',
] as const;

/** Whether our words ask whom we have reached, in any model's wording. */
export function asksWhomWeReached(words: string): boolean {
  return words
    .toLowerCase()
    .split(/[.!]/)
    .some((sentence) => sentence.includes('?') && asking.some((start) => sentence.includes(start)));
}

/** Before the keys that we pressed, which the transcript has as `[pressed 1 2]`. */
export const keysPressed = '[pressed ';
