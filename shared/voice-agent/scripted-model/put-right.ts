import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { takesBack } from '../language/polarity.ts';
import type { PlanItem } from '../plan/call-plan.ts';
import { saysUndecided } from './answers/claim-status.ts';
import type { FoundAnswer, Reply } from './answers/reply.ts';
import { findAnswers } from './find-answers.ts';
import { figureKinds, isPlausible, recordAnswer, withoutMarks } from './record-answer.ts';
import { contentWords } from './statements.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/**
 * "I read that the wrong way around, the fee is 18.50. Please allow 15 days": the first figure puts an earlier answer
 * right, the rest answers the question. Gives the rest.
 */
export function correctEarlier(draft: TurnDraft, heard: Heard, reply: Reply): Reply {
  const last = draft.memory.last_answered;
  const item = last === null ? undefined : draft.item(last);
  if (item === undefined || item.key === draft.memory.pending || !figureKinds.has(item.kind)) return reply;
  const start = reply.sentences.findIndex(({ plain }) => takesBack(plain));
  // Figures ahead of it in the same breath are what is taken back.
  const isInOneBreath = reply.sentences.slice(0, Math.max(0, start)).some(({ plain }) => /\d/.test(plain));
  if (start === -1 || isInOneBreath) return reply;
  const words = new Set(
    contentWords(`${item.question} ${draft.answers.get(item.key)?.quote ?? ''}`.toLowerCase()),
  );
  const index = reply.sentences.findIndex(
    ({ plain }, at) => at >= start && /\d/.test(plain) && contentWords(plain).some((word) => words.has(word)),
  );
  const sentence =
    reply.sentences[index] ?? reply.sentences.find(({ plain }, at) => at >= start && /\d/.test(plain));
  if (sentence === undefined) return reply;
  const corrected = findAnswers({ ...reply, sentences: [sentence] }, draft.plan, item).find(
    ({ key, value }) => key === item.key && value !== null,
  );
  if (corrected === undefined) return reply;
  recordAnswer(draft, corrected, heard.turn);
  return { ...reply, sentences: reply.sentences.filter((other) => other !== sentence) };
}

/**
 * The question of the client's that the words speak of, when it is one asked before and not the one asked now: whoever
 * pauses within an answer goes on after our next question.
 */
export function earlierMeant(draft: TurnDraft, heard: Heard, asked: PlanItem): PlanItem | null {
  if (!asked.key.startsWith('question_') || heard.statements.length === 0) return null;
  const said = new Set(heard.statements.flatMap(({ plain }) => contentWords(plain)));
  const shared = (item: PlanItem): number =>
    new Set(contentWords(item.question.toLowerCase()).filter((word) => said.has(word))).size;
  const own = shared(asked);
  if (own > 0) return null;
  const others = draft.plan.items
    .filter(({ key }) => key !== asked.key && (draft.memory.attempts[key] ?? 0) > 0)
    .map((item) => ({ item, count: shared(item) }))
    .sort((a, b) => b.count - a.count);
  const [best] = others;
  return best === undefined || best.count < 2 ? null : best.item;
}

/** Words that belong to an earlier question answer it if it is still open. */
export function noteForEarlier(draft: TurnDraft, heard: Heard, reply: Reply, item: PlanItem): void {
  const known = draft.answers.get(item.key);
  const answer = findAnswers(reply, draft.plan, item).find(({ key }) => key === item.key);
  // A figure is worth more than the words that stood in for it.
  if (known !== undefined && (known.value !== null || (answer?.value ?? null) === null)) return;
  if (answer === undefined || !isPlausible(item, { ...withoutMarks(answer), turn: heard.turn })) return;
  const { pending } = draft.memory;
  recordAnswer(draft, answer, heard.turn);
  draft.memory.pending = pending;
}

/** "I told you six hours, but it is eight": the earlier answer that has the named figure gets the new one. */
export function putRightWhatIsNamed(draft: TurnDraft, heard: Heard): void {
  for (const { plain, text } of heard.sentences) {
    const { old, right } = contrasted.exec(plain)?.groups ?? {};
    if (old === undefined || right === undefined || unitOf(old) !== unitOf(right)) continue;
    const known = [...draft.answers.values()].filter(({ value }) => value === figureOf(old));
    const [answer] = known;
    if (answer === undefined || known.length > 1) continue;
    draft.record({ ...answer, answer: text, value: figureOf(right), quote: text, turn: heard.turn });
  }
}

/** A figure told before, a word of contrast, and what it is; no other figure in between. */
const contrasted =
  /\b(?:i|we) (?:told|gave|said|mentioned|quoted|read)\b[^\d$]*(?<old>\$?\d[\d,]*(?:\.\d+)?%?)(?=[^\d$]*\b(?:but|actually|should|make that|meant|sorry)\b)[^\d$]*\b(?:is|it's|be|been|that|meant)\b[^\d$]{0,12}(?<right>\$?\d[\d,]*(?:\.\d+)?%?)/;

function figureOf(figure: string): number {
  return Number(figure.replaceAll(/[$,%]/g, ''));
}

function unitOf(figure: string): string {
  return figure.replaceAll(/[\d,.]/g, '');
}

/**
 * Answers to what was not asked now. One that speaks against an earlier answer without putting it right leaves a doubt,
 * which is returned.
 */
export function recordVolunteered(
  draft: TurnDraft,
  heard: Heard,
  found: readonly FoundAnswer[],
  asked: PlanItem | null,
): Doubt | null {
  let doubt: Doubt | null = null;
  for (const answer of found) {
    if (answer.key === asked?.key || answer.isVague) continue;
    const known = draft.answers.get(answer.key);
    if (known !== undefined && !heard.isCorrection && contradicts(draft, known, answer)) {
      doubt = { known, other: { ...withoutMarks(answer), turn: heard.turn } };
    }
    if (
      known !== undefined &&
      !heard.isCorrection &&
      !isMoreDefinite(known, answer) &&
      !undoesDenial(heard, known, answer)
    )
      continue;
    recordAnswer(draft, answer, heard.turn);
  }
  // "Sorry, it's 45": a correction that does not say of what is one of the last answer.
  const last = draft.memory.last_answered;
  if (heard.isCorrection && found.length === 0 && last !== null) {
    const corrected = findAnswers(heard.reply, draft.plan, draft.item(last) ?? null).find(
      ({ key }) => key === last,
    );
    if (corrected !== undefined && corrected.value !== null) recordAnswer(draft, corrected, heard.turn);
  }
  return doubt;
}

/** Two answers to one item of which it is not clear which holds. */
export interface Doubt {
  readonly known: RecordedAnswer;
  readonly other: RecordedAnswer;
}

function contradicts(draft: TurnDraft, known: RecordedAnswer, found: FoundAnswer): boolean {
  return (
    (typeof found.value === 'number' || typeof found.value === 'boolean') &&
    typeof known.value === typeof found.value &&
    known.value !== found.value &&
    !draft.memory.doubted.includes(found.key) &&
    draft.item(found.key)?.asked === true
  );
}

/** How far a claim has come: what is said later outweighs what is less definite. */
const definiteness = ['received', 'processed', 'pending', 'approved', 'partially paid', 'paid', 'denied'];

function isMoreDefinite(known: RecordedAnswer, { key, value }: FoundAnswer): boolean {
  // A figure outweighs words in place of one.
  if ((key.startsWith('question_') || key === 'plan_name') && known.value === null && value !== null)
    return true;
  return (
    key === 'claim_status' &&
    definiteness.indexOf(String(value)) > definiteness.indexOf(String(known.value)) &&
    definiteness.includes(String(known.value)) &&
    definiteness.indexOf(String(known.value)) < definiteness.indexOf('partially paid')
  );
}

/** "Nothing to appeal, it hasn't been decided": it was no denial after all. */
function undoesDenial({ sentences }: Heard, known: RecordedAnswer, { key, value }: FoundAnswer): boolean {
  return (
    key === 'claim_status' &&
    known.value === 'denied' &&
    value !== 'denied' &&
    sentences.some(({ plain }) => saysUndecided(plain))
  );
}
