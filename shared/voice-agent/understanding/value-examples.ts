import * as z from 'zod/mini';
import { expectedTypes, valueTypesOf } from '../call-plan/item-values.ts';
import { kindOfQuestion } from '../call-plan/question-kind.ts';
import type { EntityType } from '../entities/entity.ts';
import { findEntities } from '../entities/find-entities.ts';
import { isSameValue, plainValue } from '../entities/same-value.ts';
import { type Token, tokenize } from '../entities/tokens.ts';
import { correctionFeatures } from './correction-features.ts';
import type { Example } from './train-linear-model.ts';
import { valueFeatures } from './value-features.ts';

/* Examples of replies with values: which of them answers a question, and which corrects an earlier answer. */

/** Replies after an earlier question, with the value that was given to it. */
const CorrectionFamily = z.object({
  voice: z.string(),
  known: z.string(),
  /** Of the values that answer it. */
  types: z.array(z.string()),
  cases: z.array(
    z.object({
      /** As it was said. */
      value: z.string(),
      asked: z.string(),
      reply: z.string(),
      /** The new value, as it is said; null if the reply corrects nothing. */
      corrected: z.nullable(z.string()),
    }),
  ),
});
export type CorrectionFamily = z.infer<typeof CorrectionFamily>;
export const CorrectionFile = z.object({ families: z.array(CorrectionFamily) });
/** Replies to a question that contain values. */
const ValueFamily = z.object({
  voice: z.string(),
  question: z.string(),
  /** The patient's provider is out of network. */
  is_outside: z.optional(z.boolean()),
  replies: z.array(
    z.object({
      reply: z.string(),
      /** Each as it is said: the answer, what holds for a part only, or something else, like any value not named. */
      values: z.record(z.string(), z.enum(['answer', 'limited', 'other'])),
    }),
  ),
});
export type ValueFamily = z.infer<typeof ValueFamily>;
export const ValueFile = z.object({ families: z.array(ValueFamily) });

/** The day on which every example is said. */
const today = '2026-06-01';

/** Each value of a reply that might correct the earlier answer. */
export function correctionExamples(families: readonly CorrectionFamily[]): Example[] {
  return families.flatMap(({ voice, known, types, cases }) => {
    const context = { today, expecting: types as EntityType[] };
    const valuesIn = (tokens: readonly Token[]) =>
      findEntities(tokens, context).filter(({ type }) => types.includes(type));
    return cases.flatMap(({ value: said, asked, reply, corrected }) => {
      const [old] = valuesIn(tokenize(said));
      if (old === undefined) return [];
      const right = corrected === null ? undefined : valuesIn(tokenize(corrected))[0];
      const tokens = tokenize(reply);
      const values = valuesIn(tokens);
      const wanted = valueTypesOf({ kind: kindOfQuestion(asked), question: asked });
      const earlier = { question: known, value: plainValue(old.value) };
      return values
        .filter((value) => !isSameValue(value, earlier.value))
        .map((value) => ({
          label: right !== undefined && isSameValue(value, plainValue(right.value)) ? 'corrects' : 'other',
          family: `${voice} ${known}`,
          features: correctionFeatures({
            earlier,
            asked,
            fitsAsked: wanted.includes(value.type),
            tokens,
            values,
            value,
          }),
        }));
    });
  });
}

/** Each value of a reply that could answer the question. */
export function valueExamples({ voice, question, is_outside, replies }: ValueFamily): Example[] {
  const kind = kindOfQuestion(question);
  const types = valueTypesOf({ kind, question });
  const expected = expectedTypes(kind);
  const context = { today, expecting: expected.length > 0 ? expected : types };
  const valuesIn = (tokens: readonly Token[]) =>
    findEntities(tokens, context).filter(({ type }) => types.includes(type));
  return replies.flatMap(({ reply, values: labels }) => {
    const tokens = tokenize(reply);
    const values = valuesIn(tokens);
    const known = Object.entries(labels).map(([text, label]) => ({
      label,
      places: placesOf(text, reply),
      value: valuesIn(tokenize(text))[0],
    }));
    return values.map((value) => {
      const isAt = (place: { readonly start: number; readonly end: number }): boolean =>
        value.start < place.end && value.end > place.start;
      const own =
        known.find(({ places }) => places.some(isAt)) ??
        known.find((one) => one.value !== undefined && isSameValue(value, plainValue(one.value.value)));
      return {
        label: own?.label ?? 'other',
        family: `${voice} ${question}`,
        features: valueFeatures({ question, tokens, values, value, isOutside: is_outside === true }),
      };
    });
  });
}

/** Where a text is said. */
function placesOf(text: string, reply: string): { readonly start: number; readonly end: number }[] {
  const start = reply.indexOf(text);
  return start < 0 ? [] : [{ start, end: start + text.length }];
}
