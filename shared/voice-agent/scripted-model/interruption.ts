import type { SaidPiece } from './memory.ts';
import type { TurnDraft } from './turn-draft.ts';

/** From this share on, what was said counts as heard: people cut in when they have understood. */
const heardShare = 0.75;

/**
 * The person cut our words: what did not reach them counts as not said. Told facts, the notice, the purpose and the
 * question are open again, to be said when they are still needed.
 */
export function forgetUnheard(draft: TurnDraft, heard: string): void {
  const { memory } = draft;
  const pieces = memory.last_words;
  if (pieces.length === 0) return;
  const reached = reachedLength(pieces, heard);
  let start = 0;
  const unheard: SaidPiece[] = [];
  let isQuestionUnheard = false;
  for (const [index, piece] of pieces.entries()) {
    const end = start + piece.text.length;
    const isHeard = reached >= start + piece.text.length * heardShare;
    const rest = unheardSentences(piece.text, reached - start);
    if (rest !== '') unheard.push({ ...piece, text: rest });
    if (!isHeard) undo(draft, piece, heard);
    if (index === pieces.length - 1)
      isQuestionUnheard = !isLastSentenceUnderstood(piece.text, reached - start);
    start = end + 1;
  }
  memory.cut = unheard.length === 0 ? null : { pieces: unheard, question: isQuestionUnheard };
}

/** How far into our words the person has heard. */
function reachedLength(pieces: readonly SaidPiece[], heard: string): number {
  const words = pieces.map(({ text }) => text).join(' ');
  const normal = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  const found = normal(words).indexOf(normal(heard));
  return heard.trim() === ''
    ? 0
    : found === -1
      ? Math.min(heard.length, words.length)
      : found + normal(heard).length;
}

const sentencePattern = /\S(?:.*?(?:[?!]|[.](?=\s|$)|$))/gs;

/** Whether enough of the last question was heard to answer it. */
function isLastSentenceUnderstood(text: string, reached: number): boolean {
  const last = [...text.matchAll(sentencePattern)].at(-1);
  return last === undefined || !last[0].includes('?') || reached >= last.index + last[0].length * heardShare;
}

/** The sentences of a piece that were not heard to their end. */
function unheardSentences(text: string, reached: number): string {
  if (reached >= text.length) return '';
  const rest: string[] = [];
  for (const match of text.matchAll(sentencePattern)) {
    if (reached < match.index + match[0].length - 2) rest.push(match[0].trim());
  }
  return rest.join(' ');
}

function undo(draft: TurnDraft, { fields, kind }: SaidPiece, heard: string): void {
  const { memory, plan } = draft;
  const { before } = memory;
  switch (kind) {
    case 'notice':
      memory.notice_heard = before.notice_heard && memory.turns > 1;
      break;
    case 'purpose':
      memory.purpose_said = before.purpose_said;
      break;
    case 'reach':
      memory.reach_asked = before.reach_asked;
      break;
    case 'other':
      break;
  }
  const isUntold = (field: string): boolean => {
    const spoken = plan.facts.find((fact) => fact.field === field)?.spoken ?? '';
    return (
      fields.includes(field) && !before.told.includes(field) && !(spoken !== '' && heard.includes(spoken))
    );
  };
  memory.told = memory.told.filter((field) => !isUntold(field));
  memory.last_told = memory.last_told.filter((field) => !isUntold(field));
}
