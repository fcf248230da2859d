import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { sampleTime } from './sample-tasks.ts';

/** The member with each role in the projects of `storeProject`. */
export function memberEmail(role: Role): string {
  return `${role}@clinic.example.com`;
}

/** Stores a project with one member for each role. */
export async function storeProject(table: Table, project: Project, roles: readonly Role[]): Promise<void> {
  const member = { project_id: project.id, created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(table, [
    putProject(table, project),
    ...roles.map((role) => addMemberItem(table, { ...member, email: memberEmail(role), role })),
  ]);
}
