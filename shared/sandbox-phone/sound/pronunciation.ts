/**
 * Rewrites a text for the synthesizer: IDs character by character (it would read "48213" as a quantity), times and
 * degrees in words. Transcripts use the original text.
 */
export function pronunciation(text: string): string {
  return text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/(?:\+?1[ -])?\(?\d{3}\)?[ -]\d{3}-\d{4}\b/g, spelled)
    .replace(
      /(?<![\d$.,:/-])\b(?=[A-Za-z-]*\d)[A-Za-z]*-?[A-Za-z\d]*\d[A-Za-z\d]*(?:-[A-Za-z\d]+)*\b(?![\d:/]|[.,]\d)/g,
      (word) => (isIdentifier(word) ? spelled(word) : word),
    )
    .replace(/\b(\d{1,2}):00\b/g, '$1')
    .replace(/\b([AaPp])\.?[Mm]\b\.?/g, (_, letter: string) => `${letter.toUpperCase()} M`)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}\s.,;:!?'$%/-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether the text has anything to speak. */
export function isSpeakable(text: string): boolean {
  return /[a-z0-9]/i.test(pronunciation(text));
}

function isIdentifier(word: string): boolean {
  if (/^\d{1,2}(st|nd|rd|th|s)$/i.test(word) || /^\d{1,2}(am|pm)$/i.test(word)) return false;
  if (/[a-z]/i.test(word)) return true;
  const digits = word.replaceAll('-', '');
  // Four digits are more often a year or a house number than an identifier.
  return digits.length >= 5;
}

function spelled(word: string): string {
  const groups = word.split(/[^A-Za-z\d]+/).filter((group) => group !== '');
  return groups.map((group) => [...group].join(' ')).join(', ');
}
