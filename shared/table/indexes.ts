import type { CarrierName } from '#shared/domain/project.ts';

/** Global secondary indexes of the table and the attributes that put an item into them. */
export const indexNames = {
  /** Everything of a project, newest first. */
  project: 'project-index',
  /** A call by its identifier alone. */
  call: 'call-index',
  /** Whatever must happen later, by its due time; sparse. */
  due: 'due-index',
  /** Tasks that wait for a line, by what they wait for, the longest waiting first; sparse. */
  lane: 'lane-index',
} as const;

/** One project's items are spread over this many partitions, so that a big client does not make one hot. */
export const projectShardCount = 8;
/** The due items of all projects are spread over this many partitions; the sweeper asks each. */
export const dueShardCount = 4;

/** The attributes that list an item under its project; `id` is a UUIDv7, so the sort key is creation order. */
export function projectIndexAttributes(
  projectId: string,
  type: string,
  id: string,
): { project_pk: string; project_sk: string } {
  return { project_pk: projectPartition(projectId, type, shardOf(id, projectShardCount)), project_sk: id };
}

export function projectPartition(projectId: string, type: string, shard: number): string {
  return `PROJECT#${projectId}#${type}#${shard}`;
}

/** The attributes that make an item due at `dueAt`, or none when it waits for nothing. */
export function dueIndexAttributes(
  id: string,
  dueAt: string | null,
): { due_pk: string; due_at: string } | Record<string, never> {
  return dueAt === null ? {} : { due_pk: duePartition(shardOf(id, dueShardCount)), due_at: dueAt };
}

export function duePartition(shard: number): string {
  return `DUE#${shard}`;
}

/** The last hexadecimal digits of a UUIDv7 are random, so they spread evenly. */
function shardOf(id: string, count: number): number {
  return Number.parseInt(id.slice(-4), 16) % count;
}

/** What a task waits for: a line of its project, or the end of the call that is under way to its number. */
export type Lane =
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'number'; readonly carrier: CarrierName; readonly phoneNumber: string };

/** The attributes that put a task into a lane, behind those who have waited for longer. */
export function laneIndexAttributes(
  lane: Lane,
  waitingSince: string,
  taskId: string,
): { lane_pk: string; lane_sk: string } {
  return { lane_pk: lanePartition(lane), lane_sk: `${waitingSince}#${taskId}` };
}

export function lanePartition(lane: Lane): string {
  switch (lane.kind) {
    case 'project':
      return `LANE#PROJECT#${lane.projectId}`;
    case 'number':
      return `LANE#NUMBER#${lane.carrier}#${lane.phoneNumber}`;
  }
}
