import * as z from 'zod/mini';
import { CallResult, Obstacle } from '#shared/domain/call-result.ts';
import { FollowUp } from '#shared/domain/follow-up.ts';
import { isTerminalTaskStatus, needsReview, type Task } from '#shared/domain/task.ts';

const Listed = z.object({
  result: z.nullable(
    z.extend(z.pick(CallResult, { follow_up: true, reference_number: true }), {
      obstacle: z.nullable(z.pick(Obstacle, { reason: true })),
      goal_reached: z.optional(CallResult.shape.goal_reached),
      ending: z.optional(CallResult.shape.ending),
    }),
  ),
  follow_up_work: z.nullable(z.pick(FollowUp, { version: true, assignee: true, due: true, done_at: true })),
});

/** What the table stores for lists, besides the task itself. */
export const TaskNeeds = z.object({
  needs_review: z._default(z.boolean(), false),
  needs_follow_up: z._default(z.boolean(), false),
  follow_up_assignee: z.optional(z.string()),
  listed: z._default(Listed, { result: null, follow_up_work: null }),
});
export type TaskNeeds = z.infer<typeof TaskNeeds>;

/** Excerpts for filtering and lists, without reading results. Missing in tasks that ended before they existed. */
export function needsOf({ status, result, follow_up_work }: Task): TaskNeeds {
  const isOpen = isTerminalTaskStatus(status) && (follow_up_work?.done_at ?? null) === null;
  const assignee = follow_up_work?.assignee ?? null;
  return {
    needs_review: isOpen && needsReview(result),
    needs_follow_up:
      isOpen &&
      (assignee !== null || (result !== null && (result.follow_up !== null || result.obstacle !== null))),
    ...(isOpen && assignee !== null ? { follow_up_assignee: assignee } : {}),
    listed: {
      result:
        result === null
          ? null
          : {
              follow_up: result.follow_up,
              reference_number: result.reference_number,
              obstacle: result.obstacle === null ? null : { reason: result.obstacle.reason },
              goal_reached: result.goal_reached,
              ending: result.ending,
            },
      follow_up_work:
        follow_up_work === undefined || follow_up_work === null
          ? null
          : {
              version: follow_up_work.version,
              assignee: follow_up_work.assignee,
              due: follow_up_work.due,
              done_at: follow_up_work.done_at,
            },
    },
  };
}
