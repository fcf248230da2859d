import { ServiceError } from '#shared/domain/errors.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import type { Table } from '#shared/table/client.ts';
import { authorizeProject } from './authorize-project.ts';

export const onlyForOperators = 'Only an operator of this service may do this';

/**
 * Admits operators to any project. Throws `forbidden` for its members, and `not_found` for everybody else, so that
 * nobody learns which projects there are.
 *
 * @param operators email addresses in lower case, named by who deploys the service
 */
export async function authorizeOperator(
  table: Table,
  operators: readonly string[],
  caller: AdminCaller,
  projectId: string,
): Promise<void> {
  if (operators.includes(caller.person.email)) return;
  await authorizeProject(table, caller, projectId, 'project.read');
  throw new ServiceError('forbidden', onlyForOperators);
}
