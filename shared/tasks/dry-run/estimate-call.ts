import { callCounts } from '#shared/cost/call-counts.ts';
import { priceList } from '#shared/cost/prices.ts';
import { wasAnswered } from '#shared/domain/call.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Table } from '#shared/table/client.ts';
import { listCallProgress } from '#shared/table/progress-list.ts';
import { findTasks } from '#shared/table/task.ts';

/** The measured call that represents each type. */
const measuredAs: Readonly<Record<TaskType, string>> = {
  SCHEDULE_APPOINTMENT: 'appointment',
  VERIFY_INSURANCE: 'insurance',
  REIMBURSEMENT: 'reimbursement',
  CUSTOM_TASK: 'questions',
};

/** Seconds of a call of the type on the sandbox phone. */
function measuredSeconds(taskType: TaskType): number {
  const measured = callCounts.calls.find(({ label }) => label === measuredAs[taskType]);
  if (measured === undefined) throw new Error(`no call of ${taskType} was measured`);
  return measured.connected_seconds;
}

const { carrier_minute, relay_minute, recording_minute, detection } = priceList.assumptions;
/** US dollars: line, relay and recording per minute, detection per call. */
const carrierPrices = {
  minute: carrier_minute.price + relay_minute.price + recording_minute.price,
  call: detection.price,
};

/** How many of the newest calls to read, and how many of them must be of the type. */
const looksAt = 100;
const enough = 5;

export interface CallEstimate {
  readonly minutes: number;
  readonly cost_usd: number;
  readonly basis: string;
}

/**
 * How long a call of the type takes and what the carrier charges, based on the project's own calls if it has
 * enough.
 */
export async function estimateCall(
  table: Table,
  { id, carrier }: { readonly id: string; readonly carrier: CarrierName },
  taskType: TaskType,
): Promise<CallEstimate> {
  const own = await ownSeconds(table, id, taskType);
  const seconds = own.length >= enough ? median(own) : measuredSeconds(taskType);
  const minutes = Math.round(seconds / 6) / 10;
  const source =
    own.length >= enough
      ? `the median of the project's last ${own.length} answered calls of this type`
      : 'measured on the sandbox phone, because the project has had too few calls of this type; time on hold is extra';
  // Started minutes are billed.
  const charged = Math.ceil(minutes) * carrierPrices.minute + carrierPrices.call;
  return {
    minutes,
    cost_usd: carrier === 'sandbox' ? 0 : Math.round(charged * 10_000) / 10_000,
    basis: `Minutes: ${source}. Cost: ${
      carrier === 'sandbox'
        ? 'sandbox calls cost nothing at the carrier'
        : `$${carrierPrices.minute.toFixed(4)} per started minute and $${carrierPrices.call} per call, ` +
          "at assumed list prices of the carrier, without this service's own costs"
    }.`,
  };
}

/** Talk times of the project's newest answered calls of the type. */
async function ownSeconds(table: Table, projectId: string, taskType: TaskType): Promise<number[]> {
  const page = await listCallProgress(table, projectId, { limit: looksAt, before: null }, 'without-numbers');
  const calls = page.items.filter(wasAnswered);
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
