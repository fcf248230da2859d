import type { Heard } from './understanding.ts';

/** Endings after which something must still come, by what they are. */
const openEndings: readonly RegExp[] = [
  // articles, possessives, conjunctions
  /\b(?:the|a|an|my|our|your|her|his|their|and|or|because|um|uh)$/,
  // "the copay is", but not "yes it is"
  /\b(?:the|her|his|their|your|our|our next|and the) (?:[a-z'-]+ ){1,4}(?:is|was|are|would be|will be)$/,
  /\b(?:that's going to be|that would be|it would be|it comes to|it's about|let me see it's|there's an?|i have an?|we have an?)$/,
  // "we paid", "i have tuesday at"
  /\b(?:\w+day|today|tomorrow|\d+(?:st|nd|rd|th)?|available|opening|openings) (?:at|on|for|from|with|between)$/,
  // "thank you for calling"
  /^(?:hi |hello |good \w+ )?thank(?:s| you) for (?:calling|holding and)$/,
  /\b(?:this is|my name is|you've reached|you have reached|reference number|confirmation number)$/,
];

/** Speech recognition sometimes ends a turn where the person only takes a breath: "the copay is" … "forty dollars". */
export function breaksOff({ said, sentences, questions }: Heard): boolean {
  if (/[.?!]["')]?\s*$/.test(said) && !/(?:\.\.\.|…)\s*$/.test(said)) return false;
  const last = sentences.at(-1);
  if (last === undefined || last.isQuestion || questions.length > 0) return false;
  const plain = last.plain.replace(/[,\s.…-]+$/, '');
  return openEndings.some((ending) => ending.test(plain));
}
