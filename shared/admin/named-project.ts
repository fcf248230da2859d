import { invalidField } from '#shared/domain/errors.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** The project in the path. Throws `invalid_request` when the body names another one. */
export function checkNamedProject(
  { project }: Pick<ProjectAccess, 'project'>,
  { project_id = project.id }: { readonly project_id?: string | undefined },
): string {
  if (project_id !== project.id) {
    throw invalidField('project_id', 'project_id must match the path');
  }
  return project.id;
}
