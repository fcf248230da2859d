import * as z from 'zod/mini';
import { rateMs } from '../../../infra/local/event-sources/schedule.ts';
import type { Deployment } from '../../../infra/local/template/deployment.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { FunctionFleet } from './function-fleet.ts';

const ruleSchema = z.object({
  ScheduleExpression: z.string(),
  Targets: z.array(z.object({ Arn: z.string() })),
});

export interface Schedules {
  /** Nothing more is started. */
  stop(): void;
}

interface ScheduledHarness {
  readonly fleet: FunctionFleet;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  /** Whether anything in the table is due by then. */
  readonly isAnythingDue: (byMs: number) => boolean;
}

/** The longest delay of a tick. */
const latestMs = 90_000;

/**
 * The template's schedules. A tick may be skipped, late or duplicated, because EventBridge promises no better. Skips
 * ticks that would find nothing: at night, where people are called, there are thousands of them.
 */
export function startSchedules(deployment: Deployment, harness: ScheduledHarness): Schedules {
  const { fleet, clock, random, faults, isAnythingDue } = harness;
  let isStopped = false;
  for (const resource of deployment.ofType('AWS::Events::Rule')) {
    const rule = deployment.properties(resource, ruleSchema);
    const everyMs = rateMs(rule.ScheduleExpression, resource.logicalId);
    const functionNames = rule.Targets.map(({ Arn }) => Arn.split(':').at(-1) ?? '');
    const tick = (meantAtMs: number): void => {
      if (isStopped) return;
      const event = { time: new Date(meantAtMs).toISOString(), resources: [], detail: {} };
      const isIdle = !isAnythingDue(meantAtMs + latestMs);
      const times =
        isIdle || faults.strikes('schedule: left out', 0.02)
          ? 0
          : faults.strikes('schedule: twice', 0.02)
            ? 2
            : 1;
      for (let time = 0; time < times; time += 1) {
        const lateMs = faults.strikes('schedule: late', 0.02)
          ? random.between(1_000, latestMs)
          : random.between(10, 2_000);
        for (const name of functionNames) clock.after(lateMs, () => fleet.invoke(name, event, () => {}));
      }
      // By the world's clock, so that time skipped by a jump is not made up for.
      const nextAtMs = Math.max(meantAtMs + everyMs, clock.nowMs + 1);
      clock.at(nextAtMs, () => tick(nextAtMs));
    };
    const firstAtMs = Math.ceil(clock.nowMs / everyMs) * everyMs;
    clock.at(firstAtMs, () => tick(firstAtMs));
  }
  return {
    stop: () => {
      isStopped = true;
    },
  };
}
