import * as z from 'zod/mini';
import { Timestamp } from '#shared/domain/values.ts';

/** The response to `POST /v1/task?dry_run=true`: what would happen now, without any of the patient's data. */
export const TaskForecast = z.object({
  call: z.object({
    will_be_made: z.boolean(),
    reason: z.nullable(z.string()),
    at: z.nullable(Timestamp),
    calling_hours: z.string(),
    time_zones: z.array(z.string()),
  }),
  line: z.object({ is_free: z.boolean(), reason: z.nullable(z.string()) }),
  limits: z.nullable(
    z.object({
      number_calls_per_day: z.int(),
      number_gap_minutes: z.number(),
      project_calls_left: z.int(),
      project_minutes_left: z.int(),
    }),
  ),
  questions: z.array(z.object({ key: z.string(), question: z.string(), required: z.boolean() })),
  facts: z.array(z.object({ field: z.string(), label: z.string() })),
  estimate: z.object({
    minutes: z.number(),
    cost_usd: z.number(),
    most_calls: z.int(),
    basis: z.string(),
  }),
});
export type TaskForecast = z.infer<typeof TaskForecast>;
