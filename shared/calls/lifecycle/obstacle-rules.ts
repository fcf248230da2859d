import type { CallResult, Obstacle, ObstacleReason } from '#shared/domain/call-result.ts';

/**
 * What a call means for the ones after it, when something stood in the way of the goal:
 * - `over`: another call would meet the same; the task is settled as by any definite answer
 * - `turned-away`: they do not speak with us; the task fails
 * - `review`: another call may succeed, but only after a person has reviewed what went wrong
 * - `named-time`: they are called again when they asked to be
 * - `once-more`: one more attempt, and no second one after the same obstacle
 */
type AfterObstacle = 'over' | 'turned-away' | 'review' | 'named-time' | 'once-more';

const rules: Record<ObstacleReason, AfterObstacle> = {
  needs_referral: 'over',
  portal_only: 'over',
  needs_member: 'over',
  not_accepting: 'over',
  waitlisted: 'over',
  no_ai: 'turned-away',
  withheld: 'review',
  member_not_found: 'review',
  wrong_department: 'review',
  no_availability: 'review',
  call_back_at: 'named-time',
  not_verified: 'once-more',
};

/** What follows from the obstacle of a call; null when there was none. */
export function afterObstacle(result: CallResult | null): AfterObstacle | null {
  const obstacle = obstacleIn(result);
  return obstacle === null ? null : rules[obstacle.reason];
}

/** What stood in the way, unless the goal was reached all the same. */
export function obstacleIn(result: CallResult | null): Obstacle | null {
  return result === null || result.goal_reached ? null : result.obstacle;
}
