import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { InvocableFunction } from '../functions/function-pool.ts';
import { LocalStackError } from '../local-stack-error.ts';
import type { StackState } from '../stack-state.ts';
import type { Deployment } from '../template/deployment.ts';
import { localAccountId, localRegion } from '../template/physical-names.ts';
import { ruleArn } from '../template/resource-types.ts';

const ruleSchema = z.object({
  EventPattern: z.optional(z.undefined('rules on events are not supported locally, only schedules')),
  ScheduleExpression: z.string(),
  State: z._default(z.string(), 'ENABLED'),
  Targets: z.array(z.object({ Arn: z.string(), Input: z.optional(z.string()) })),
});

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export interface Schedule {
  stop(): void;
}

/** `rate(5 minutes)` in milliseconds. */
export function rateMs(expression: string, where: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count === undefined || unit === undefined || Number(count) === 0) {
    throw new LocalStackError(
      `${where} has the schedule ${expression}; only rate(…) is supported locally, such as rate(1 minute)`,
    );
  }
  return Number(count) * (unitMs[unit] ?? 0);
}

/**
 * Starts the template's schedules. On new data each fires first one period after the start; a restart keeps the rhythm
 * and makes up at once for one missed firing.
 */
export function startSchedules(
  deployment: Deployment,
  functions: readonly InvocableFunction[],
  state: StackState,
): Schedule[] {
  return deployment.ofType('AWS::Events::Rule').flatMap((resource) => {
    const rule = deployment.properties(resource, ruleSchema);
    const everyMs = rateMs(rule.ScheduleExpression, resource.logicalId);
    const arn = ruleArn(resource);
    const targets = rule.Targets.map(({ Arn: target, Input: input }) => {
      const found = functions.find(({ definition }) => definition.arn === target);
      if (found === undefined) {
        throw new LocalStackError(`${resource.logicalId} has the target ${target}, which is no function`);
      }
      return { function: found, input };
    });
    if (rule.State !== 'ENABLED') return [];
    const startedAt = new Date();
    const lastAt = state.lastFiring(arn) ?? startedAt;
    // The rhythm starts here, also for a stack stopped before the first firing.
    if (lastAt === startedAt) state.saveFiring(arn, startedAt);
    return [
      startSchedule(everyMs, lastAt, (at) => {
        state.saveFiring(arn, at);
        for (const { function: target, input } of targets) {
          void target.invoke(input === undefined ? scheduledEvent(arn, at) : JSON.parse(input));
        }
      }),
    ];
  });
}

/** Fires at whole periods after `lastAt`, however long the firing before takes; at once if one is overdue. */
export function startSchedule(everyMs: number, lastAt: Date, fire: (at: Date) => void): Schedule {
  let timer: NodeJS.Timeout;
  const arm = (atMs: number): void => {
    timer = setTimeout(
      () => {
        fire(new Date(atMs));
        // After sleep, the machine continues with the next period without making up for missed ones.
        const missed = Math.floor((Date.now() - atMs) / everyMs);
        arm(atMs + (missed + 1) * everyMs);
      },
      Math.max(0, atMs - Date.now()),
    );
  };
  arm(Math.max(lastAt.getTime() + everyMs, Date.now()));
  return { stop: () => clearTimeout(timer) };
}

function scheduledEvent(arn: string, at: Date): Record<string, unknown> {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: localAccountId,
    time: at.toISOString().replace(/\.\d+Z$/, 'Z'),
    region: localRegion,
    resources: [arn],
    detail: {},
  };
}
