import { parseArgs } from 'node:util';
import { phoneNumberPattern } from '../shared/domain/values.ts';
import { openTable, type Table } from '../shared/table/client.ts';
import { deleteOptOut, listOptOuts } from '../shared/table/opt-out.ts';
import { getProject } from '../shared/table/project.ts';
import { given, givenId, runCommand, UsageError } from './command.ts';

const help = `Lists the numbers that asked a project not to call them again, or lifts the opt-out of one of them.

  npm run opt-outs -- --table NAME --project ID [--lift NUMBER]

  --table NAME   the service's table (output TableName of the stack)
  --project ID   the project that was told so; other projects may call the number
  --lift NUMBER  let the project call this number again, E.164; tasks that failed meanwhile stay as they are
  --help         this text

Region, credentials and endpoint come from the environment, as for the AWS command line.
Prints JSON: opt_outs with phone_number, created_at, task_id and call_id of each, or the number as lifted.`;

interface Arguments {
  readonly tableName: string;
  readonly projectId: string;
  /** The number to lift; null to list. */
  readonly lift: string | null;
}

function readArguments(args: string[]): Arguments | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      table: { type: 'string' },
      project: { type: 'string' },
      lift: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const tableName = given('--table', values.table);
  const projectId = givenId('--project', values.project);
  if (values.lift !== undefined && !phoneNumberPattern.test(values.lift)) {
    throw new UsageError(`--lift must match ${phoneNumberPattern.source}`);
  }
  return { tableName, projectId, lift: values.lift ?? null };
}

async function list(table: Table, projectId: string): Promise<object> {
  const optOuts = await listOptOuts(table, projectId);
  return {
    opt_outs: optOuts.map(({ phone_number, created_at, task_id, call_id }) => ({
      phone_number,
      created_at,
      task_id,
      call_id,
    })),
  };
}

async function lift(table: Table, projectId: string, phoneNumber: string): Promise<object> {
  if (await deleteOptOut(table, projectId, phoneNumber)) return { lifted: phoneNumber };
  throw new UsageError(`${phoneNumber} has not opted out of project ${projectId}`);
}

await runCommand('opt-outs', 'The opt-outs could not be read or lifted', async (argv) => {
  const args = readArguments(argv);
  if (args === 'help') return help;
  const table = openTable(args.tableName);
  if ((await getProject(table, args.projectId)) === null) {
    throw new UsageError(`There is no project ${args.projectId}`);
  }
  const result =
    args.lift === null ? await list(table, args.projectId) : await lift(table, args.projectId, args.lift);
  return JSON.stringify(result, null, 2);
});
