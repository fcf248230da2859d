import { commandAuditItem } from '../shared/admin/audit.ts';
import { erasureOrdered } from '../shared/audit/actions.ts';
import { getErasureReceipt, orderProjectErasure } from '../shared/erasure/order-erasure.ts';
import { openTable } from '../shared/table/client.ts';
import { getErasure } from '../shared/table/erasure.ts';
import { getProject } from '../shared/table/project.ts';
import { given, givenId, runCommand, UsageError } from './command.ts';

const help = `Erases a project for good: keys, tasks, calls, transcripts, recordings, patients, webhooks and members.

  npm run erase-project -- --table NAME --project ID [--confirm NAME]

  --table NAME    the service's table (output TableName of the stack)
  --project ID    the project
  --confirm NAME  the project's name, to confirm; without it, prints the receipt of an earlier order
  --help          this text

Region, credentials and endpoint come from the environment, as for the AWS command line.
The sweeper starts the erasure within a minute; run the command again to see its progress. The audit log and the
receipts stay. Prints the receipt as JSON.`;

const options = {
  table: { type: 'string' },
  project: { type: 'string' },
  confirm: { type: 'string' },
} as const;

await runCommand('erase-project', 'The project could not be erased', { help, options }, async (values) => {
  const table = openTable(given('--table', values.table));
  const projectId = givenId('--project', values.project);
  if ((await getErasure(table, projectId)) === null) {
    const project = await getProject(table, projectId);
    if (project === null) throw new UsageError(`There is no project ${projectId}`);
    if (values.confirm !== project.name) {
      throw new UsageError('--confirm must be the name of the project');
    }
    const now = new Date();
    await orderProjectErasure(table, {
      projectId,
      now,
      alongside: (thing) => [commandAuditItem(table, projectId, erasureOrdered(thing), now)],
    });
  }
  const { id, target, status, waiting_for, requested_at, completed_at } = await getErasureReceipt(
    table,
    projectId,
    projectId,
  );
  return JSON.stringify({ id, target, status, waiting_for, requested_at, completed_at }, null, 2);
});
