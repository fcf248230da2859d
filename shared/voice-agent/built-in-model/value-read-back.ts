import type { ItemKind, PlanItem } from '../call-plan/call-plan.ts';
import { type Evidence, entityTypes } from '../core/clause-value.ts';
import { evidenceIn } from '../core/evidence.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { Entity } from '../entities/entity.ts';
import { spelledIdentifier, spokenPhoneNumber } from '../language/speech.ts';
import { type Heard, likelihood } from '../understanding/understand.ts';
import { beginsWithYes, plainWordsIn } from '../understanding/yes-and-no.ts';
import type { TurnDraft } from './turn-draft.ts';

/*
 * A value that is easily misheard is read back once: numbers that are spelled, amounts that may mean another, and
 * values that were put right or told beside others.
 */

/** Recorded values wait here for the next turn of ours. */
export function noteForReadBack(draft: TurnDraft, item: PlanItem, evidence: Evidence, heard: Heard): void {
  if (isEasilyMisheard(item, evidence, heard)) noteItem(draft, item);
}

/** Another value was told after the recorded one, which is read back if it can be. */
export function readBackAmong(draft: TurnDraft, item: PlanItem): boolean {
  return counted.has(item.kind) && noteItem(draft, item);
}

/** False when it was read back before. */
function noteItem({ memory }: TurnDraft, { key }: PlanItem): boolean {
  const { done, pending } = memory.read_back;
  if (done.includes(key)) return pending === key;
  memory.read_back = { pending: key, done: [...done, key] };
  return true;
}

const spelled: ReadonlySet<ItemKind> = new Set(['identifier', 'phone-number']);
const counted: ReadonlySet<ItemKind> = new Set(['money', 'percentage', 'number', 'date', 'date-time']);

const valued: ReadonlySet<Entity['type']> = new Set([...counted].flatMap((kind) => entityTypes[kind] ?? []));

function isEasilyMisheard({ kind }: PlanItem, evidence: Evidence, heard: Heard): boolean {
  if (spelled.has(kind)) return true;
  if (!counted.has(kind)) return false;
  const values = heard.entities.filter(({ type }) => valued.has(type));
  return (
    evidence.corrects ||
    new Set(values.map(({ value }) => JSON.stringify(value))).size > 1 ||
    // "Twelve fifty"
    values.some((entity) => entity.type === 'money' && entity.alternatives !== undefined)
  );
}

/** Says the value that waits, if one does. */
export function readBackValue(draft: TurnDraft): boolean {
  const { memory } = draft;
  const { pending } = memory.read_back;
  const item = pending === null ? undefined : draft.item(pending);
  const answer = pending === null ? undefined : draft.answers.get(pending);
  if (item === undefined || answer === undefined || answer.value === null) {
    memory.read_back.pending = null;
    return false;
  }
  draft.say(`${leadFor(item)} ${spokenValue(item, answer)}. Is that right?`, { kind: 'question' });
  memory.pending = valueReadBack;
  return true;
}

const valueReadBack = 'value-read-back';
const named = 'What is the ';

function leadFor({ kind, question }: PlanItem): string {
  if (spelled.has(kind)) return 'Let me read that back:';
  return question.startsWith(named)
    ? `So the ${question.slice(named.length).replace('?', '')} is`
    : 'So that is';
}

function spokenValue({ kind }: PlanItem, { value, answer }: RecordedAnswer): string {
  if (kind === 'phone-number') return spokenPhoneNumber(String(value));
  return kind === 'identifier' ? spelledIdentifier(String(value)) : (answer ?? String(value));
}

/** "I'd have to look", "that's not showing": no confirmation either. */
const unconfirming = ['does-not-know', 'withholds', 'not-found', 'wrong-department'] as const;

/** "Correct as can be": a plain yes, and no plain no beside it. */
function saysYes({ moves }: Heard): boolean {
  return (
    moves.some(({ tokens }) => beginsWithYes(tokens)) &&
    !moves.some(({ tokens }) => plainWordsIn(tokens).has('no'))
  );
}

/**
 * Takes the reply to a value that was read back: confirmed, put right, or denied without the right one. False when
 * nothing was read back.
 */
export function settleReadBack(draft: TurnDraft, heard: Heard): boolean {
  const { memory } = draft;
  const { pending } = memory.read_back;
  if (memory.pending !== valueReadBack || pending === null) return false;
  memory.read_back.pending = null;
  const item = draft.item(pending);
  const known = draft.answers.get(pending);
  if (item === undefined || known === undefined) return true;
  const said = evidenceIn(heard, draft.plan, item).find(
    ({ key, value }) => key === pending && value !== null,
  );
  const isDenied =
    !saysYes(heard) &&
    likelihood(heard, 'no', 'corrects', ...unconfirming) >= 0.6 &&
    likelihood(heard, 'yes') < 0.4;
  if (said !== undefined && said.value !== known.value) {
    const { key, value, answer, quote, turn } = said;
    draft.record({ key, value, answer, quote, turn, needs_review: false });
  } else if (isDenied && said === undefined) {
    draft.record({ ...known, value: null, answer: known.quote, needs_review: true });
  }
  return true;
}
