import { isTollFree } from '#shared/calling-hours/number-zones.ts';
import {
  commonWindow,
  type DirectoryEntry,
  operatorDirectory,
  type WeeklyWindow,
} from '#shared/domain/directory-entry.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import { findDirectoryEntries } from '#shared/table/directory.ts';

/** Default limit of concurrent calls to a number. */
export const usualConcurrentCalls = { ordinary: 1, tollFree: 10 } as const;

/** The terms on which a project may call a number. */
export interface LineTerms {
  /** The line's name; null when no directory has it. */
  readonly name: string | null;
  /** Whether many people answer it. Shared lines have limits of their own, and no single person can opt them out. */
  readonly isShared: boolean;
  /** Concurrent calls of all projects together. */
  readonly maxCalls: number;
  /** Concurrent calls of this project. */
  readonly projectCalls: number;
  /** IANA time zone from the operator's directory. */
  readonly operatorZone: string | null;
  /** IANA time zone from the project's directory. */
  readonly projectZone: string | null;
  /** When it answers; null for the project's calling hours. */
  readonly windows: readonly WeeklyWindow[] | null;
  /** Whether callers queue there: on shared lines, and where the project's directory says so. */
  readonly hasQueue: boolean;
  /** How long to hold; null for the project's policy. */
  readonly maxHoldSeconds: number | null;
  /** When the carrier hangs up; null for the project's policy. */
  readonly maxCallSeconds: number | null;
}

/** Combines the entries. A project's entries can narrow the operator's bounds but never widen them. */
export function lineTerms(
  phoneNumber: string,
  operator: DirectoryEntry | null,
  own: DirectoryEntry | null,
): LineTerms {
  const usual = isTollFree(phoneNumber) ? usualConcurrentCalls.tollFree : usualConcurrentCalls.ordinary;
  const maxCalls = operator?.concurrent_calls ?? usual;
  const isShared = isTollFree(phoneNumber) || (operator !== null && isSharedEntry(operator));
  return {
    name: own?.name ?? operator?.name ?? null,
    isShared,
    maxCalls,
    projectCalls: Math.min(maxCalls, own?.concurrent_calls ?? maxCalls),
    operatorZone: operator?.hours?.time_zone ?? null,
    projectZone: own?.hours?.time_zone ?? null,
    windows: common(windowsOf(operator), windowsOf(own)),
    hasQueue: isShared || (own !== null && isSharedEntry(own)),
    maxHoldSeconds: leastSeconds(operator?.max_hold_minutes, own?.max_hold_minutes),
    maxCallSeconds: leastSeconds(operator?.max_call_minutes, own?.max_call_minutes),
  };
}

/** Reads both directories for a number that the project calls. */
export async function readLineTerms(
  table: Table,
  projectId: string,
  phoneNumber: string,
): Promise<LineTerms> {
  const [operator = null, own = null] = await Promise.all(
    [operatorDirectory, projectId].map(async (owner) =>
      (await findDirectoryEntries(table, owner, [phoneNumber])).get(phoneNumber),
    ),
  );
  return lineTerms(phoneNumber, operator, own);
}

/** The project with the limits that apply on this line: those of the directories, else its own. */
export function withLineLimits<Calling extends Pick<Project, 'call_policy'>>(
  project: Calling,
  {
    hasQueue,
    maxHoldSeconds,
    maxCallSeconds,
  }: Pick<LineTerms, 'hasQueue' | 'maxHoldSeconds' | 'maxCallSeconds'>,
): Calling {
  const { call_policy } = project;
  const usualHold = hasQueue ? call_policy.shared_line_max_hold_seconds : call_policy.max_hold_seconds;
  return {
    ...project,
    call_policy: {
      ...call_policy,
      max_hold_seconds: maxHoldSeconds ?? usualHold,
      max_call_seconds: maxCallSeconds ?? call_policy.max_call_seconds,
    },
  };
}

function isSharedEntry({ kind, concurrent_calls }: DirectoryEntry): boolean {
  return kind === 'payer' || kind === 'call-center' || (concurrent_calls ?? 1) > 1;
}

function windowsOf(entry: DirectoryEntry | null): readonly WeeklyWindow[] | null {
  const weekly = entry?.hours?.weekly ?? [];
  return weekly.length === 0 ? null : weekly;
}

/** The intersection of two lists of windows. */
function common(
  some: readonly WeeklyWindow[] | null,
  others: readonly WeeklyWindow[] | null,
): readonly WeeklyWindow[] | null {
  if (some === null || others === null) return some ?? others;
  return some.flatMap((one) => others.flatMap((other) => commonWindow(one, other) ?? []));
}

function leastSeconds(...minutes: readonly (number | null | undefined)[]): number | null {
  const seconds = minutes.flatMap((value) => (value == null ? [] : value * 60));
  return seconds.length === 0 ? null : Math.min(...seconds);
}
