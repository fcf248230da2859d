import { parseArgs } from 'node:util';
import { addOwner } from '../shared/admin/members.ts';
import { EmailAddress } from '../shared/domain/person.ts';
import { openTable } from '../shared/table/client.ts';
import { given, givenId, runCommand, UsageError } from './command.ts';

const help = `Makes somebody an owner of a project, such as one that was created without or whose last owner is gone.

  npm run add-owner -- --table NAME --project ID --email EMAIL

  --table NAME   the service's table (output TableName of the stack)
  --project ID   the project; it keeps the owners that it has
  --email EMAIL  who may manage the project after signing in with this address; a viewer becomes an owner
  --help         this text

Region, credentials and endpoint come from the environment, as for the AWS command line.
Prints JSON with project_id, email and role. The project's audit log tells of it.`;

interface Arguments {
  readonly tableName: string;
  readonly projectId: string;
  readonly email: string;
}

function readArguments(args: string[]): Arguments | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      table: { type: 'string' },
      project: { type: 'string' },
      email: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const tableName = given('--table', values.table);
  const projectId = givenId('--project', values.project);
  const email = EmailAddress.safeParse(given('--email', values.email));
  if (!email.success) throw new UsageError('--email must be an email address');
  return { tableName, projectId, email: email.data };
}

await runCommand('add-owner', 'The owner could not be added', async (argv) => {
  const args = readArguments(argv);
  if (args === 'help') return help;
  const { email, role } = await addOwner(openTable(args.tableName), args.projectId, args.email);
  return JSON.stringify({ project_id: args.projectId, email, role }, null, 2);
});
