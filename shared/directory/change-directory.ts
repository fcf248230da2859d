import * as z from 'zod/mini';
import {
  type DirectoryEntry,
  type DirectoryOwner,
  directoryLimits,
  LineHours,
  LineKind,
  operatorDirectory,
} from '#shared/domain/directory-entry.ts';
import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { givenName } from '#shared/domain/names.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import { TimeZone, wholeNumber } from '#shared/projects/setting-values.ts';
import type { Table } from '#shared/table/client.ts';
import {
  deleteDirectoryEntryItem,
  listDirectory,
  nextDirectoryVersionItem,
  putDirectoryEntryItem,
  readDirectoryVersion,
} from '#shared/table/directory.ts';
import { retry } from '#shared/table/retry.ts';
import {
  isTransactionConflict,
  refusedAs,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';

/** The hours of a line as a person enters them. */
export const NewLineHours = z.extend(LineHours, { time_zone: TimeZone });

/** What a person enters about a line; omitted fields are unknown. */
export const DestinationBody = z.object({
  last_phone_number: z.optional(z.nullable(PhoneNumber)),
  name: givenName(directoryLimits.nameLength),
  kind: LineKind,
  hours: z.optional(z.nullable(NewLineHours)),
  max_hold_minutes: z.optional(z.nullable(wholeNumber(1, directoryLimits.callMinutes))),
  max_call_minutes: z.optional(z.nullable(wholeNumber(1, directoryLimits.callMinutes))),
  concurrent_calls: z.optional(z.nullable(wholeNumber(1, directoryLimits.concurrentCalls))),
});
export type DestinationBody = z.infer<typeof DestinationBody>;

/** An entry before and after a change; null when it does not exist. */
export interface DirectoryChanged {
  readonly before: DirectoryEntry | null;
  readonly after: DirectoryEntry | null;
}

/** The changed directory, the actor, and other writes of the transaction. */
export interface DirectoryWriter {
  readonly owner: DirectoryOwner;
  readonly by: string;
  readonly now?: Date;
  /** When the writer last saw the entry changed, null for none; absent to skip the check. */
  readonly readAt?: string | null;
  readonly alongside: (changed: DirectoryChanged, now: Date) => readonly TransactionItem[];
}

/**
 * Adds an entry or replaces the one with the same first number. Throws `invalid_request` for invalid input,
 * and `conflict` for an entry that overlaps another or was changed concurrently.
 */
export async function saveDestination(
  table: Table,
  phoneNumber: string,
  body: DestinationBody,
  writer: DirectoryWriter,
): Promise<DirectoryEntry> {
  checkLine(phoneNumber, body);
  // Whether entries overlap depends on all of them, so what another save read is read again.
  return retry(() => saveUnlessOverlapping(table, phoneNumber, body, writer), {
    tries: 8,
    firstWaitMs: 40,
    longestWaitMs: 400,
    isTransient: (error) => error instanceof StaleDirectory || isTransactionConflict(error),
  });
}

class StaleDirectory extends ServiceError {
  constructor() {
    super('conflict', 'Others keep changing the directory; try again');
  }
}

async function saveUnlessOverlapping(
  table: Table,
  phoneNumber: string,
  body: DestinationBody,
  { owner, by, now = new Date(), readAt, alongside }: DirectoryWriter,
): Promise<DirectoryEntry> {
  const version = await readDirectoryVersion(table, owner);
  const entries = await listDirectory(table, owner);
  const before = entries.find(({ phone_number }) => phone_number === phoneNumber) ?? null;
  if (readAt !== undefined && readAt !== (before?.updated_at ?? null)) throw changedByOthers();
  const after: DirectoryEntry = {
    project_id: owner === operatorDirectory ? null : owner,
    phone_number: phoneNumber,
    last_phone_number: body.last_phone_number ?? null,
    name: body.name,
    kind: body.kind,
    hours: body.hours ?? null,
    max_hold_minutes: body.max_hold_minutes ?? null,
    max_call_minutes: body.max_call_minutes ?? null,
    concurrent_calls: body.concurrent_calls ?? null,
    updated_by: by,
    updated_at: now.toISOString(),
  };
  const others = entries.filter((entry) => entry !== before);
  const overlapped = others.find((other) => overlap(other, after));
  if (overlapped !== undefined) {
    throw new ServiceError('conflict', `The numbers overlap the entry of ${overlapped.phone_number}`);
  }
  if (before === null && entries.length >= directoryLimits.entriesPerOwner) {
    throw new ServiceError('conflict', `A directory has at most ${directoryLimits.entriesPerOwner} entries`);
  }
  await writeTransaction(table, [
    refusedAs(putDirectoryEntryItem(table, before, after), changedByOthers),
    refusedAs(nextDirectoryVersionItem(table, owner, version), () => new StaleDirectory()),
    ...alongside({ before, after }, now),
  ]);
  return after;
}

/** Removes the entry whose first number this is. Throws `not_found`. */
export async function removeDestination(
  table: Table,
  phoneNumber: string,
  { owner, now = new Date(), alongside }: DirectoryWriter,
): Promise<void> {
  const entries = await listDirectory(table, owner);
  const before = entries.find(({ phone_number }) => phone_number === phoneNumber);
  if (before === undefined) throw new ServiceError('not_found', 'Destination not found');
  await writeTransaction(table, [
    refusedAs(deleteDirectoryEntryItem(table, before), changedByOthers),
    ...alongside({ before, after: null }, now),
  ]);
}

/** The attributes of an entry that go into the audit log. */
export function auditedEntry(entry: DirectoryEntry | null): Record<string, unknown> | null {
  if (entry === null) return null;
  const { project_id: _, updated_by: __, updated_at: ___, ...said } = entry;
  return said;
}

function changedByOthers(): ServiceError {
  return new ServiceError('conflict', 'Someone else changed the destination; reload it');
}

function checkLine(phoneNumber: string, { last_phone_number: last, hours }: DestinationBody): void {
  if (last != null && (last.length !== phoneNumber.length || last.localeCompare(phoneNumber) < 0)) {
    throw invalidField(
      'last_phone_number',
      'last_phone_number must have as many digits as the first number and must not precede it',
    );
  }
  for (const [index, { opens, closes }] of (hours?.weekly ?? []).entries()) {
    if (opens.localeCompare(closes) < 0) continue;
    const path = `hours.weekly[${index}].closes`;
    throw invalidField(path, `${path} must be later than opens`);
  }
}

function overlap(one: DirectoryEntry, other: DirectoryEntry): boolean {
  const lastOf = ({ phone_number, last_phone_number }: DirectoryEntry): string =>
    last_phone_number ?? phone_number;
  return (
    one.phone_number.length === other.phone_number.length &&
    one.phone_number.localeCompare(lastOf(other)) <= 0 &&
    other.phone_number.localeCompare(lastOf(one)) <= 0
  );
}
