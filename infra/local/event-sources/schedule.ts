import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { InvocableFunction } from '../functions/function-pool.ts';
import { LocalStackError } from '../local-stack-error.ts';
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

/** Starts the template's schedules; each fires for the first time one period after the start. */
export function startSchedules(deployment: Deployment, functions: readonly InvocableFunction[]): Schedule[] {
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
    return [
      startSchedule(everyMs, (at) => {
        for (const { function: target, input } of targets) {
          void target.invoke(input === undefined ? scheduledEvent(arn, at) : JSON.parse(input));
        }
      }),
    ];
  });
}

/** Fires at whole periods after the start, however long the firing before takes. */
export function startSchedule(everyMs: number, fire: (at: Date) => void): Schedule {
  const startedAtMs = Date.now();
  let timer: NodeJS.Timeout;
  const arm = (period: number): void => {
    const atMs = startedAtMs + period * everyMs;
    timer = setTimeout(() => {
      fire(new Date(atMs));
      // A machine that was asleep goes on with the next period and does not make up for those it missed.
      arm(Math.floor((Date.now() - startedAtMs) / everyMs) + 1);
    }, atMs - Date.now());
  };
  arm(1);
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
