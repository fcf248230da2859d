/** Something found in a text, with the place where it stands. */
export interface Placed {
  readonly start: number;
  readonly end: number;
}

/** A pattern and what its matches mean; `null` when a match means nothing after all. */
export interface Rule<Mention> {
  readonly pattern: RegExp;
  readonly read: (
    groups: Readonly<Record<string, string | undefined>>,
    match: RegExpExecArray,
  ) => Mention | null;
}

/** Applies all rules everywhere; of matches that overlap, the one that starts first and then the longest counts. */
export function findMentions<Mention extends object>(
  text: string,
  rules: readonly Rule<Mention>[],
): (Mention & Placed)[] {
  const found: (Mention & Placed)[] = [];
  for (const { pattern, read } of rules) {
    for (const match of text.matchAll(pattern)) {
      const mention = read(match.groups ?? {}, match);
      if (mention !== null)
        found.push({ ...mention, start: match.index, end: match.index + match[0].length });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: (Mention & Placed)[] = [];
  for (const mention of found) {
    if (mention.start >= (kept.at(-1)?.end ?? 0)) kept.push(mention);
  }
  return kept;
}

/** The text with some places made unreadable, all other places unmoved. */
export function masked(text: string, places: readonly Placed[]): string {
  let result = text;
  for (const { start, end } of places) {
    result = result.slice(0, start) + '·'.repeat(end - start) + result.slice(end);
  }
  return result;
}
