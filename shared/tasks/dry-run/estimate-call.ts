import type { CarrierName } from '#shared/domain/project.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Table } from '#shared/table/client.ts';
import { listCallTalk } from '#shared/table/progress-list.ts';
import { findTasks } from '#shared/table/task.ts';

/** Seconds of a call on the sandbox phone, as `infra/cost/call-counts.json` has them measured; a test compares. */
export const measuredSeconds: Readonly<Record<TaskType, number>> = {
  SCHEDULE_APPOINTMENT: 114,
  VERIFY_INSURANCE: 171,
  REIMBURSEMENT: 183,
  CUSTOM_TASK: 66,
};

/** US dollars, the assumed prices of `infra/cost/prices.json`: line, relay and recording a minute, detection a call. */
export const carrierPrices = { minute: 0.0865, call: 0.0075 } as const;

/** The newest calls that are looked at, and how many of them must have been of the type. */
const looksAt = 100;
const enough = 5;

export interface CallEstimate {
  readonly minutes: number;
  readonly cost_usd: number;
  readonly basis: string;
}

/** How long a call of the type takes, and what the carrier charges for it: by the project's own calls if there are any. */
export async function estimateCall(
  table: Table,
  { id, carrier }: { readonly id: string; readonly carrier: CarrierName },
  taskType: TaskType,
): Promise<CallEstimate> {
  const own = await ownSeconds(table, id, taskType);
  const seconds = own.length >= enough ? median(own) : measuredSeconds[taskType];
  const minutes = Math.round(seconds / 6) / 10;
  const source =
    own.length >= enough
      ? `the median of the project's last ${own.length} answered calls of this type`
      : 'measured on the sandbox phone, as the project has had too few calls of this type; time on hold comes on top';
  // A minute that has begun is billed.
  const charged = Math.ceil(minutes) * carrierPrices.minute + carrierPrices.call;
  return {
    minutes,
    cost_usd: carrier === 'sandbox' ? 0 : Math.round(charged * 10_000) / 10_000,
    basis: `Minutes: ${source}. Cost: ${
      carrier === 'sandbox'
        ? 'calls of the sandbox cost nothing at the carrier'
        : `$${carrierPrices.minute} for each minute begun and $${carrierPrices.call} for each call, which are assumed list prices of the carrier, without this service's own part`
    }.`,
  };
}

/** Of the project's newest calls that were answered, those of the type: how long each was talked on. */
async function ownSeconds(table: Table, projectId: string, taskType: TaskType): Promise<number[]> {
  const calls = await listCallTalk(table, projectId, looksAt);
  const tasks = await findTasks(
    table,
    calls.map(({ task_id }) => task_id),
  );
  return calls.flatMap(({ task_id, talk_seconds }) =>
    tasks.get(task_id)?.task_type === taskType ? (talk_seconds ?? []) : [],
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
