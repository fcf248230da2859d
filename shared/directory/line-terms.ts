import { isTollFree } from '#shared/calling-hours/number-zones.ts';
import { commonWindow, type DirectoryEntry, type WeeklyWindow } from '#shared/domain/directory-entry.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import { findDirectoryEntries } from '#shared/table/directory.ts';

/** Calls at once that a number takes of which the operator says nothing else. */
export const usualConcurrentCalls = { ordinary: 1, tollFree: 10 } as const;

/** On what terms a project may call a number. */
export interface LineTerms {
  /** What the line is called; null when no directory has it. */
  readonly name: string | null;
  /** Whether many people answer it: other limits hold for such a line, and nobody speaks for all who answer. */
  readonly isShared: boolean;
  /** Calls at once, of all projects together. */
  readonly maxCalls: number;
  /** Calls at once, of this project. */
  readonly projectCalls: number;
  /** Where the operator says that it answers, as an IANA name. */
  readonly operatorZone: string | null;
  /** Where the project says that it answers. */
  readonly projectZone: string | null;
  /** When it answers; null for whenever the project calls. */
  readonly windows: readonly WeeklyWindow[] | null;
  /** How long to hold; null for as long as the project's policy says. */
  readonly maxHoldSeconds: number | null;
}

/** What the entries come to: those of a project narrow the operator's and never lift them. */
export function lineTerms(
  phoneNumber: string,
  operator: DirectoryEntry | null,
  own: DirectoryEntry | null,
): LineTerms {
  const usual = isTollFree(phoneNumber) ? usualConcurrentCalls.tollFree : usualConcurrentCalls.ordinary;
  const maxCalls = operator?.concurrent_calls ?? usual;
  const minutes = [operator?.max_hold_minutes ?? null, own?.max_hold_minutes ?? null];
  return {
    name: own?.name ?? operator?.name ?? null,
    isShared: isTollFree(phoneNumber) || (operator !== null && isSharedEntry(operator)),
    maxCalls,
    projectCalls: Math.min(maxCalls, own?.concurrent_calls ?? maxCalls),
    operatorZone: operator?.hours?.time_zone ?? null,
    projectZone: own?.hours?.time_zone ?? null,
    windows: common(windowsOf(operator), windowsOf(own)),
    maxHoldSeconds: least(minutes.flatMap((value) => (value === null ? [] : value * 60))),
  };
}

/** What the directories of operator and project say of a number that the project calls. */
export async function readLineTerms(
  table: Table,
  projectId: string,
  phoneNumber: string,
): Promise<LineTerms> {
  const { operator, own } = await findDirectoryEntries(table, projectId, phoneNumber);
  return lineTerms(phoneNumber, operator, own);
}

/** The project, which holds on the line for as long as its directory or the operator's says. */
export function withHoldLimit<Holding extends Pick<Project, 'call_policy'>>(
  project: Holding,
  { maxHoldSeconds }: Pick<LineTerms, 'maxHoldSeconds'>,
): Holding {
  if (maxHoldSeconds === null) return project;
  return { ...project, call_policy: { ...project.call_policy, max_hold_seconds: maxHoldSeconds } };
}

function isSharedEntry({ kind, concurrent_calls }: DirectoryEntry): boolean {
  return kind === 'payer' || kind === 'call-center' || (concurrent_calls ?? 1) > 1;
}

function windowsOf(entry: DirectoryEntry | null): readonly WeeklyWindow[] | null {
  const weekly = entry?.hours?.weekly ?? [];
  return weekly.length === 0 ? null : weekly;
}

/** The times that lie in a window of each list. */
function common(
  some: readonly WeeklyWindow[] | null,
  others: readonly WeeklyWindow[] | null,
): readonly WeeklyWindow[] | null {
  if (some === null || others === null) return some ?? others;
  return some.flatMap((one) => others.flatMap((other) => commonWindow(one, other) ?? []));
}

function least(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values);
}
