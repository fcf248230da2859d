import * as z from 'zod/mini';
import { CallAnswer, CallEnding, Disclosure, Obstacle } from '#shared/domain/call-result.ts';
import { FarewellId } from './farewells.ts';

/** Why our side ended the conversation. */
export const EndReason = z.enum(
  CallEnding.options.filter((ending) => ending !== 'hung-up' && ending !== 'no-speech'),
);
export type { ObstacleReason } from '#shared/domain/call-result.ts';
export type EndReason = z.infer<typeof EndReason>;

/** The finding for one item of the plan. `quote` and `turn` name the person's words that support it. */
export const RecordedAnswer = z.object({
  key: z.string(),
  answer: z.string(),
  value: CallAnswer.shape.value,
  quote: z.string(),
  turn: z.int(),
  /** Not certain enough to rely on; then `value` is null. */
  needs_review: z._default(z.boolean(), false),
  /** The turn of their yes to our read-back. */
  confirmed_at: z.optional(z.int()),
});
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

/** The findings of a conversation so far, the same for every dialogue model. */
export const DialogueRecord = z.object({
  answers: z.array(RecordedAnswer),
  disclosures: z.array(Disclosure),
  /** The name from the person's introduction; the newest one after a transfer. */
  person_name: z.nullable(z.string()),
  /** Remaining work for a person, as readable sentences. */
  follow_ups: z.array(z.string()),
  /** The last obstacle to the goal. */
  obstacle: z._default(z.nullable(Obstacle), null),
  ending: z.nullable(z.object({ reason: EndReason, farewell: FarewellId })),
});
export type DialogueRecord = z.infer<typeof DialogueRecord>;

export const emptyRecord: DialogueRecord = {
  answers: [],
  disclosures: [],
  person_name: null,
  follow_ups: [],
  obstacle: null,
  ending: null,
};

/** Records an answer; a later answer to the same item replaces it. */
export function withAnswer(record: DialogueRecord, answer: RecordedAnswer): DialogueRecord {
  return { ...record, answers: [...record.answers.filter(({ key }) => key !== answer.key), answer] };
}

export function withoutAnswer(record: DialogueRecord, key: string): DialogueRecord {
  return { ...record, answers: record.answers.filter((answer) => answer.key !== key) };
}

export function withDisclosures(
  record: DialogueRecord,
  fields: readonly string[],
  turn: number,
): DialogueRecord {
  const known = new Set(
    record.disclosures.filter((entry) => entry.turn === turn).map((entry) => entry.field),
  );
  const added = [...new Set(fields)]
    .filter((field) => !known.has(field))
    .map((field): Disclosure => ({ field, turn }));
  return { ...record, disclosures: [...record.disclosures, ...added] };
}

export function withFollowUp(record: DialogueRecord, followUp: string): DialogueRecord {
  return record.follow_ups.includes(followUp)
    ? record
    : { ...record, follow_ups: [...record.follow_ups, followUp] };
}
