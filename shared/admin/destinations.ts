import * as z from 'zod/mini';
import {
  auditedEntry,
  type DestinationBody,
  type DirectoryWriter,
  removeDestination,
  saveDestination,
} from '#shared/directory/change-directory.ts';
import { DirectoryEntry, operatorDirectory } from '#shared/domain/directory-entry.ts';
import type { Table } from '#shared/table/client.ts';
import { listDirectory } from '#shared/table/directory.ts';
import { auditItem } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** An operator's entry as projects see it. */
export const OperatorDestination = z.omit(DirectoryEntry, { updated_by: true, project_id: true });

export const Destinations = z.object({
  destinations: z.array(DirectoryEntry),
  operator: z.array(OperatorDestination),
});

/** The project's directory and the operator's, sorted by number. */
export async function readDestinations(
  table: Table,
  { project }: ProjectAccess,
): Promise<z.infer<typeof Destinations>> {
  const [destinations, operator] = await Promise.all([
    listDirectory(table, project.id),
    listDirectory(table, operatorDirectory),
  ]);
  return { destinations, operator: operator.map((entry) => OperatorDestination.parse(entry)) };
}

/** Adds or replaces an entry of the project's directory. Throws what `saveDestination` throws. */
export function saveDestinationOf(
  table: Table,
  access: ProjectAccess,
  phoneNumber: string,
  body: DestinationBody,
  seen: Pick<DirectoryWriter, 'readAt'> = {},
): Promise<DirectoryEntry> {
  return saveDestination(table, phoneNumber, body, { ...writerOf(table, access), ...seen });
}

/** Throws `not_found`. */
export function removeDestinationOf(table: Table, access: ProjectAccess, phoneNumber: string): Promise<void> {
  return removeDestination(table, phoneNumber, writerOf(table, access));
}

function writerOf(table: Table, access: ProjectAccess): DirectoryWriter {
  return {
    owner: access.project.id,
    by: access.caller.person.email,
    alongside: ({ before, after }, now) => [
      auditItem(
        table,
        access,
        {
          action: after === null ? 'destination.removed' : 'destination.saved',
          target: { type: 'project', id: access.project.id },
          before: auditedEntry(before),
          after: auditedEntry(after),
        },
        now,
      ),
    ],
  };
}
