import type { CarrierName } from '#shared/domain/project.ts';

/** Global secondary indexes of the table and the attributes that put an item into them. */
export const indexNames = {
  /** Everything of a project, newest first, with the few attributes that lists read by the thousand. */
  rows: 'rows-index',
  /** As above, for finished tasks that still need a person: a small, sparse index. */
  work: 'work-index',
  /** The tasks of a patient, newest first; sparse. */
  patient: 'patient-index',
  /** A call by ID. */
  call: 'call-index',
  /** Items with a due time, and tasks and calls by when they ended; sparse. */
  due: 'due-index',
  /** Tasks waiting for a slot, by what they wait for, longest waiting first; sparse. */
  waitQueue: 'lane-index',
} as const;

/** The newest items may be missing for a moment. */
export const indexLagMs = 60_000;

/** Shards per project, so that a large client does not make one partition hot. */
export const projectShardCount = 8;
/** Shards of the due items of all projects; the sweeper queries each. */
export const dueShardCount = 4;

/** The attributes that list an item under its project; `id` is a UUIDv7, so the sort key is creation order. */
export function projectIndexAttributes(
  projectId: string,
  type: string,
  id: string,
): { project_pk: string; project_sk: string } {
  return { project_pk: projectPartition(projectId, type, shardOf(id, projectShardCount)), project_sk: id };
}

/** The attribute that lists a task in its project's to-do list, ordered by `project_sk`. */
export function workIndexAttributes(projectId: string): { work_pk: string } {
  return { work_pk: workPartition(projectId) };
}

/** One partition per project: the to-do list is short and grows at the pace of finished calls. */
export function workPartition(projectId: string): string {
  return `PROJECT#${projectId}#WORK`;
}

/** Everything of one type of a project lies in these partitions. */
export function projectPartitions(projectId: string, type: string): string[] {
  return Array.from({ length: projectShardCount }, (_, shard) => projectPartition(projectId, type, shard));
}

export function projectPartition(projectId: string, type: string, shard: number): string {
  return `PROJECT#${projectId}#${type}#${shard}`;
}

/** The task attributes in lists, and everything the patient index has. */
export const listedTaskAttributes = [
  'id',
  'project_id',
  'patient_id',
  'status',
  'task_type',
  'task',
  'task_outcome',
  'next_attempt_at',
  'next_attempt_reason',
  'waiting_for_line_since',
  'created_at',
  'updated_at',
] as const;

/**
 * More attributes of the index of rows. `listed` has the list's excerpt of results and follow-ups, which are too large
 * for reading by the thousand.
 */
export const taskRowAttributes = [
  ...listedTaskAttributes,
  'phone_number',
  'current_call_id',
  'needs_review',
  'needs_follow_up',
  'follow_up_assignee',
  'listed',
] as const;

/** The attributes that list a task under its patient. */
export function patientIndexAttributes(task: {
  readonly project_id: string;
  readonly patient_id: string;
  readonly id: string;
}): { patient_pk: string; patient_sk: string } {
  return { patient_pk: patientPartition(task.project_id, task.patient_id), patient_sk: task.id };
}

/** Includes the project, so that a lookup never finds another project's items. */
export function patientPartition(projectId: string, patientId: string): string {
  return `PROJECT#${projectId}#PATIENT#${patientId}`;
}

/** The attributes that make an item due at `dueAt`, or none if it waits for nothing. */
export function dueIndexAttributes(
  id: string,
  dueAt: string | null,
): { due_pk: string; due_at: string } | Record<string, never> {
  return dueAt === null ? {} : { due_pk: duePartition(shardOf(id, dueShardCount)), due_at: dueAt };
}

/** The attributes that list a finished task or call by its end. */
export function endedIndexAttributes(id: string, endedAt: string): { due_pk: string; due_at: string } {
  return { due_pk: endedPartition(shardOf(id, dueShardCount)), due_at: endedAt };
}

export function endedPartition(shard: number): string {
  return `ENDED#${shard}`;
}

export function duePartition(shard: number): string {
  return `DUE#${shard}`;
}

/** The last hexadecimal digits of a UUIDv7 are random, so they spread evenly. */
function shardOf(id: string, count: number): number {
  return Number.parseInt(id.slice(-4), 16) % count;
}

/** What a task waits for: a slot of its project at the carrier or at the number. */
export type WaitQueue =
  | { readonly kind: 'project'; readonly projectId: string }
  | {
      readonly kind: 'number';
      readonly carrier: CarrierName;
      readonly phoneNumber: string;
      readonly projectId: string;
    };

/** The attributes that put a task into a wait queue, behind longer-waiting ones. */
export function waitQueueAttributes(
  waitQueue: WaitQueue,
  waitingSince: string,
  taskId: string,
): { lane_pk: string; lane_sk: string } {
  return { lane_pk: waitQueuePartition(waitQueue), lane_sk: `${waitingSince}#${taskId}` };
}

export function waitQueuePartition(waitQueue: WaitQueue): string {
  switch (waitQueue.kind) {
    case 'project':
      return `LANE#PROJECT#${waitQueue.projectId}`;
    case 'number':
      return `LANE#NUMBER#${waitQueue.carrier}#${waitQueue.phoneNumber}#${waitQueue.projectId}`;
  }
}
