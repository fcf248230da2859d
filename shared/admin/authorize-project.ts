import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { may, type Permission, whoMay } from '#shared/domain/permissions.ts';
import type { AdminCaller, Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import { getMember } from '#shared/table/member.ts';
import { getProject } from '#shared/table/project.ts';

/** A person in a project, with their role there. */
export interface ProjectAccess {
  readonly caller: AdminCaller;
  readonly project: Project;
  readonly role: Role;
}

/**
 * Authorizes a member of a project. Throws `not_found` for others, exactly as for an unknown project, and
 * `forbidden` when their role lacks the permission.
 *
 * @param projectId as received; anything but a UUID is an unknown project
 */
export async function authorizeProject(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  needed: Permission,
): Promise<ProjectAccess> {
  const id = Uuid.safeParse(projectId);
  if (!id.success) throw projectNotFound();
  const [member, project] = await Promise.all([
    getMember(table, id.data, caller.person.email),
    // A caller who has just created or changed the project must read its own write.
    getProject(table, id.data, { consistently: true }),
  ]);
  if (member === null || project === null) throw projectNotFound();
  if (!may(member.role, needed)) {
    throw new ServiceError('forbidden', `Only ${whoMay(needed)} of the project may do this`);
  }
  return { caller, project, role: member.role };
}

function projectNotFound(): ServiceError {
  return new ServiceError('not_found', 'Project not found');
}
