import type { Call } from '#shared/domain/call.ts';
import { operatorDirectory } from '#shared/domain/directory-entry.ts';
import type { Erasure } from '#shared/domain/erasure.ts';
import type { CallingHours, Project } from '#shared/domain/project.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import type { CarrierCall } from '../carrier/carrier-call.ts';
import type { SimulatedCarrier } from '../carrier/simulated-carrier.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { SimulatedDirectory } from './directory.ts';
import type { Ledger } from './ledger.ts';

export type Report = (invariant: string, detail: string, taskIds: readonly string[]) => void;

/**
 * The latest end of a call, counted from its claim: ringing, the longest talk, the grace for its last
 * report, and then the sweeper's minute with its possible delays (late ticks, returning messages, faults).
 */
const longestOpenCallMs = (45 + 3600 + 5 * 60 + 30 * 60) * 1000;

/** The carrier ends an unwanted call within this time, whatever is lost meanwhile. */
const longestAfterCancelMs = 40 * 60_000;

export interface RulesHarness {
  readonly clock: VirtualClock;
  readonly ledger: () => Ledger;
  readonly projects: ReadonlyMap<string, Project>;
  readonly report: Report;
  readonly directory: SimulatedDirectory;
  readonly carrierLimits: Readonly<Record<'sandbox' | 'live', { maxCalls: number; callsPerSecond: number }>>;
}

/** A call, and how many were open at its number, including it. */
export interface LineCall {
  readonly atMs: number;
  readonly projectId: string;
  /** When its task was created. */
  readonly createdAt: string;
  readonly attempt: number;
  readonly open: number;
}

/** The promises that can be checked at every single event. */
export class Rules {
  readonly #world: RulesHarness;
  /** The calls that the carrier accepted, by our own call. */
  readonly #placed = new Map<string, CarrierCall[]>();
  /** The open calls of each carrier, by the number called. */
  readonly #openByNumber = new Map<string, Set<CarrierCall>>();
  readonly #openByProject = new Map<string, Set<CarrierCall>>();
  readonly #openByCarrier = new Map<string, Set<CarrierCall>>();
  readonly #placedAtMs = new Map<string, number[]>();
  /** The identifiers of the calls that were claimed for each attempt. */
  readonly #attempts = new Map<string, string>();

  /** Every placed call, in order. */
  readonly lineCalls: LineCall[] = [];

  constructor(harness: RulesHarness) {
    this.#world = harness;
  }

  /** How many calls the carriers accepted. */
  get placedCalls(): number {
    return this.#placed.size;
  }

  placedOf(callId: string): readonly CarrierCall[] {
    return this.#placed.get(callId) ?? [];
  }

  onTask(before: Task | null, after: Task): void {
    const { report, projects } = this.#world;
    if (before !== null && isTerminalTaskStatus(before.status)) {
      // A task that was canceled during a call gets the result of that call.
      const isConcluded = before.current_call_id !== null && after.current_call_id === null;
      const isSame =
        before.status === after.status &&
        before.updated_at === after.updated_at &&
        before.attempts === after.attempts &&
        (isConcluded || before.task_outcome === after.task_outcome) &&
        (isConcluded || JSON.stringify(before.result) === JSON.stringify(after.result)) &&
        after.next_attempt_at === null;
      if (!isSame) report('4: terminal tasks never change', `${before.status} → ${after.status}`, [after.id]);
    }
    if (isTerminalTaskStatus(after.status) && (after.task_outcome ?? '') === '') {
      report('4: a task ends with an outcome', `${after.status} without one`, [after.id]);
    }
    const policy = projects.get(after.project_id)?.redial_policy;
    // A call that never reached the carrier is not an attempt.
    if (policy !== undefined && after.attempts > policy.max_attempts) {
      const placed = this.#world
        .ledger()
        .callsOf(after.id)
        .filter(({ submission }) => submission !== 'abandoned').length;
      if (placed > policy.max_attempts) {
        report('attempts stay within the policy', `${placed} of ${policy.max_attempts}`, [after.id]);
      }
    }
    if (
      !isTerminalTaskStatus(after.status) &&
      after.current_call_id === null &&
      after.next_attempt_at === null
    ) {
      report('every wait is a due time', 'an open task waits for nothing', [after.id]);
    }
  }

  onCall(before: Call | null, after: Call): void {
    const { report } = this.#world;
    const taskIds = [after.task_id];
    const attempt = `${after.task_id} ${after.attempt}`;
    const claimed = this.#attempts.get(attempt);
    if (claimed !== undefined && claimed !== after.id && this.#world.ledger().calls.has(claimed)) {
      report('2: one call per attempt', `attempt ${after.attempt} was claimed twice`, taskIds);
    }
    this.#attempts.set(attempt, after.id);
    if (after.completed_at === null && after.due_at === null) {
      report('every wait is a due time', 'an open call waits for nothing', taskIds);
    }
    if (after.completed_at !== null && after.due_at !== null) {
      report('5: a completed call waits for nothing', `due ${after.due_at}`, taskIds);
    }
    if (before === null) return;
    if (before.completed_at === null && after.completed_at !== null) {
      const lost = this.#world.ledger().wordsOfOurs.lost(after.id);
      if (lost.length > 0) {
        report(
          '6: a transcript is whole when the call is completed',
          `turns ${lost.join(', ')} are lost`,
          taskIds,
        );
      }
    }
    if (before.status !== 'IN_PROGRESS') {
      const isSame =
        before.status === after.status &&
        before.call_outcome === after.call_outcome &&
        before.ended_at === after.ended_at &&
        before.completed_at === after.completed_at &&
        JSON.stringify(before.result) === JSON.stringify(after.result);
      if (!isSame) report('4: terminal calls never change', `${before.status} → ${after.status}`, taskIds);
    }
    if (before.ended_at !== null && before.ended_at !== after.ended_at) {
      report('4: the end of a call never changes', 'ended_at was changed', taskIds);
    }
    if (
      before.recording.status === 'stored' &&
      after.recording.status !== 'stored' &&
      !isKeptNoLonger(before, after)
    ) {
      report('7: a stored recording stays', `it became ${after.recording.status}`, taskIds);
    }
  }

  /** A receipt says so only once it is true. */
  onErasure(before: Erasure | null, after: Erasure): void {
    const { ledger, report } = this.#world;
    if (before?.status === 'DONE') report('54: what is erased stays erased', after.status, []);
    if (after.status !== 'DONE') return;
    const { tasks, calls, orphans } = ledger();
    const left = [...tasks.values(), ...calls.values()].filter(({ id, patient_id, project_id }) =>
      [id, patient_id, project_id].includes(after.id),
    );
    if (left.length > 0) report('54: a receipt is true', `${left.length} tasks and calls are left`, []);
    if (orphans.length > 0) report('54: a recording goes with its call', `${orphans.length} are left`, []);
  }

  onTurn(callId: string): void {
    const call = this.#world.ledger().calls.get(callId);
    if (call === undefined || call.completed_at === null) return;
    this.#world.report('6: a transcript is whole when the call is completed', 'a turn came later', [
      call.task_id,
    ]);
  }

  onPlaced(carrier: SimulatedCarrier, placed: CarrierCall): void {
    const { report, ledger, projects } = this.#world;
    const callId = callIdOf(placed);
    const before = this.#placed.get(callId) ?? [];
    this.#placed.set(callId, [...before, placed]);
    if (before.length > 0)
      report('2: one call at the carrier per attempt', 'it was placed again', placed.taskIds);
    const call = ledger().calls.get(callId);
    if (call === undefined) {
      report('3: nobody dials without a claim', 'a call was placed that is not in the table', placed.taskIds);
      return;
    }
    const number = `${carrier.name} ${placed.to}`;
    const others = openIn(this.#openByNumber, number);
    others.add(placed);
    this.#checkLine(call, others, placed.taskIds);
    const ofProject = openIn(this.#openByProject, call.project_id);
    ofProject.add(placed);
    const limit = projects.get(call.project_id)?.max_concurrent_calls ?? Number.POSITIVE_INFINITY;
    if (ofProject.size > limit) {
      report('a project keeps to its lines', `${ofProject.size} of ${limit} calls`, placed.taskIds);
    }
    const ofCarrier = openIn(this.#openByCarrier, carrier.name);
    ofCarrier.add(placed);
    const { maxCalls, callsPerSecond } = this.#world.carrierLimits[carrier.name];
    if (ofCarrier.size > maxCalls) {
      report(
        'a carrier is given no more calls than it takes',
        `${ofCarrier.size} of ${maxCalls}`,
        placed.taskIds,
      );
    }
    this.#checkPace(carrier.name, callsPerSecond, placed.taskIds);
  }

  /** An ordinary number takes one call at a time. */
  #checkLine(call: Call, open: ReadonlySet<CarrierCall>, taskIds: readonly string[]): void {
    const { directory, ledger, report, clock } = this.#world;
    const { phone_number: number, project_id: projectId } = call;
    const limit = directory.limitOf(operatorDirectory, number);
    const ofProject = [...open].filter(
      (other) => ledger().calls.get(callIdOf(other))?.project_id === projectId,
    );
    const ownLimit = directory.limitOf(projectId, number);
    if (open.size > limit || ofProject.length > ownLimit) {
      const detail = `${open.size} of ${limit} calls, ${ofProject.length} of ${ownLimit} of the project`;
      report('a line takes no more calls at once than its directory entry allows', detail, taskIds);
    }
    const createdAt = ledger().tasks.get(call.task_id)?.created_at ?? '';
    this.lineCalls.push({ atMs: clock.nowMs, projectId, createdAt, attempt: call.attempt, open: open.size });
  }

  /** Requests may overtake each other in transit, so the pace is visible only over a minute. */
  #checkPace(carrierName: string, callsPerSecond: number, taskIds: readonly string[]): void {
    const { clock, report } = this.#world;
    const sinceMs = clock.nowMs - 60_000;
    const times = [...(this.#placedAtMs.get(carrierName) ?? []), clock.nowMs].filter(
      (atMs) => atMs > sinceMs,
    );
    this.#placedAtMs.set(carrierName, times);
    if (times.length > 60 * callsPerSecond + 5) {
      report('the pace of a carrier is kept', `${times.length} calls in a minute`, taskIds);
    }
  }

  onRinging(_: SimulatedCarrier, placed: CarrierCall): void {
    const { ledger, report, projects, clock } = this.#world;
    const call = ledger().calls.get(callIdOf(placed));
    if (call === undefined) return;
    const hours = projects.get(call.project_id)?.calling_hours;
    if (hours !== undefined && !isOpen(hours, clock.nowMs)) {
      report('29: calling hours hold', `it rang at ${clock.now.toISOString()}`, placed.taskIds);
    }
    const optOut = ledger().optOuts.get(`${call.project_id} ${call.phone_number}`);
    if (optOut?.status === 'active' && optOut.created_at < call.created_at) {
      report('an opt-out holds', 'a number rang that had opted out', placed.taskIds);
    }
  }

  onEnded(carrier: SimulatedCarrier, placed: CarrierCall): void {
    const call = this.#world.ledger().calls.get(callIdOf(placed));
    openIn(this.#openByNumber, `${carrier.name} ${placed.to}`).delete(placed);
    openIn(this.#openByCarrier, carrier.name).delete(placed);
    if (call !== undefined) openIn(this.#openByProject, call.project_id).delete(placed);
  }

  /** What time alone can break. */
  checkTime(): void {
    const { clock, ledger, report } = this.#world;
    for (const placed of [...this.#openByCarrier.values()].flatMap((calls) => [...calls])) {
      const call = ledger().calls.get(callIdOf(placed));
      const task = call === undefined ? undefined : ledger().tasks.get(call.task_id);
      const cancelledAtMs =
        task?.status === 'CANCELLED' ? Date.parse(task.updated_at) : Number.POSITIVE_INFINITY;
      if (clock.nowMs - cancelledAtMs > longestAfterCancelMs) {
        report('the call of a cancelled task is ended', `cancelled at ${task?.updated_at}`, placed.taskIds);
      }
    }
    for (const call of ledger().calls.values()) {
      if (call.ended_at === null && clock.nowMs - Date.parse(call.created_at) > longestOpenCallMs) {
        report('5: no call stays open past its limit', `open since ${call.created_at}`, [call.task_id]);
      }
    }
  }
}

/** A moment passes between the last look at the clock and the ringing. */
const ringingDelayMs = 3 * 60_000;

/** By the clock of Washington, where all numbers of the simulation are. Computed differently from the service. */
function isOpen({ opens, closes, days }: CallingHours, atMs: number): boolean {
  const isWithin = (timeMs: number): boolean => {
    const parts = new Map(washington.formatToParts(new Date(timeMs)).map(({ type, value }) => [type, value]));
    const time = `${parts.get('hour')}:${parts.get('minute')}`;
    const day = weekdays.indexOf(parts.get('weekday') ?? '') + 1;
    return days.includes(day) && time >= opens && time < closes;
  };
  return isWithin(atMs) || isWithin(atMs - ringingDelayMs);
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const washington = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The project's retention has expired. */
function isKeptNoLonger(before: Call, after: Call): boolean {
  return before.completed_at !== null && after.recording.status === 'none';
}

/** Our call, from the URL that the carrier requests when it is answered. */
export function callIdOf({ answerUrl }: CarrierCall): string {
  return new URL(answerUrl).pathname.split('/').at(-1) ?? '';
}

function openIn(map: Map<string, Set<CarrierCall>>, key: string): Set<CarrierCall> {
  const found = map.get(key) ?? new Set();
  map.set(key, found);
  return found;
}
