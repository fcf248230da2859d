import type * as z from 'zod/mini';
import { type FormProblems, fieldErrors } from '../forms/form-values.ts';
import { attempt, type Outcome } from './request-context.ts';

/**
 * Does what a form asks for if its schema accepts it. Shows fixable errors at their fields, whether from the schema or
 * the service.
 */
export async function submitForm<Body, Result>(
  schema: z.ZodMiniType<Body>,
  sent: unknown,
  { fieldOf = ([member]) => String(member), sentences, refusedAt, refusedFieldOf }: FormProblems,
  work: (body: Body) => Promise<Result>,
): Promise<Outcome<Result>> {
  const body = schema.safeParse(sent);
  return body.success
    ? attempt(
        () => work(body.data),
        refusedAt,
        (path) => {
          const field = refusedFieldOf?.(path) ?? null;
          return field === null ? null : { [field]: sentences[field] ?? path };
        },
      )
    : { done: false, errors: fieldErrors(body.error, fieldOf, sentences) };
}
