import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { sampleProject, sampleTime } from './sample-tasks.ts';

/** The member with each role in the projects of `storeProjectOf`. */
export function memberOf(role: Role) {
  return { subject: role, email: `${role}@clinic.example.com`, name: null };
}

/** Stores a project with one member for each role. */
export async function storeProjectOf(table: Table, roles: readonly Role[]): Promise<Project> {
  const project = sampleProject();
  const times = { created_at: sampleTime, updated_at: sampleTime };
  await writeTransaction(table, [
    putProject(table, project),
    ...roles.map((role) =>
      addMemberItem(table, { project_id: project.id, ...times, email: memberOf(role).email, role }),
    ),
  ]);
  return project;
}
