import type { CallResult, Obstacle, ObstacleReason } from '#shared/domain/call-result.ts';

/**
 * What an obstacle in a call means for the next ones:
 * - `over`: another call would meet the same; the task is settled as by any definite answer
 * - `turned-away`: they refuse to speak with us; the task fails
 * - `review`: another call may succeed, but only after a person has reviewed what went wrong
 * - `named-time`: call again when they asked to be called
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

/** The consequence of a call's obstacle; null if there was none. */
export function afterObstacle(result: CallResult | null): AfterObstacle | null {
  const obstacle = obstacleIn(result);
  return obstacle === null ? null : rules[obstacle.reason];
}

/** The obstacle, unless the goal was reached nevertheless. */
export function obstacleIn(result: CallResult | null): Obstacle | null {
  return result === null || result.goal_reached ? null : result.obstacle;
}
