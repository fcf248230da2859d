import { ServiceError } from '#shared/domain/errors.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import type { Table } from '#shared/table/client.ts';
import { authorizeProject } from './authorize-project.ts';

export const onlyForOperators = 'Only an operator of this service may do this';

/**
 * Admits operators to any project. Throws `forbidden` for its members and `not_found` for everyone else, so that
 * project IDs cannot be probed.
 *
 * @param operators email addresses in lower case, configured by the deployment
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
