import { addOwner } from '../shared/admin/members.ts';
import { EmailAddress } from '../shared/domain/person.ts';
import { openTable } from '../shared/table/client.ts';
import { given, givenId, runCommand, UsageError } from './command.ts';

const help = `Adds an owner to a project, for example one that has none left.

  npm run add-owner -- --table NAME --project ID --email EMAIL

  --table NAME   the service's table (output TableName of the stack)
  --project ID   the project; its other owners stay
  --email EMAIL  address that the new owner signs in with; a viewer becomes an owner
  --help         this text

Region, credentials and endpoint come from the environment, as for the AWS command line.
Prints JSON with project_id, email and role. The project's audit log records it.`;

const options = {
  table: { type: 'string' },
  project: { type: 'string' },
  email: { type: 'string' },
} as const;

await runCommand('add-owner', 'The owner could not be added', { help, options }, async (values) => {
  const table = openTable(given('--table', values.table));
  const projectId = givenId('--project', values.project);
  const address = EmailAddress.safeParse(given('--email', values.email));
  if (!address.success) throw new UsageError('--email must be an email address');
  const { email, role } = await addOwner(table, projectId, address.data);
  return JSON.stringify({ project_id: projectId, email, role }, null, 2);
});
