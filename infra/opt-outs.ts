import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { commandAuditItem } from '../shared/admin/audit.ts';
import type { AuditAction } from '../shared/domain/audit-entry.ts';
import { type OptOutList, operatorList } from '../shared/domain/opt-out.ts';
import { phoneNumberPattern } from '../shared/domain/values.ts';
import { addOptOut, confirmOptOut, liftOptOut, numbersOfCsv } from '../shared/opt-outs/change-opt-outs.ts';
import { openTable, type Table } from '../shared/table/client.ts';
import { listOptOuts } from '../shared/table/opt-out.ts';
import { getProject } from '../shared/table/project.ts';
import { given, givenId, runCommand, UsageError, type Values } from './command.ts';

const help = `Lists the numbers that must not be called, or changes that list.

  npm run opt-outs -- --table NAME (--project ID | --operator)
                      [--add NUMBER | --import FILE | --confirm NUMBER | --lift NUMBER] [--reason TEXT]

  --table NAME      the service's table (output TableName of the stack)
  --project ID      the list of this project
  --operator        the list that applies to all live projects (parameter OptOutScope)
  --add NUMBER      add this number to the list, E.164
  --import FILE     add the numbers in the first column of this CSV file
  --confirm NUMBER  confirm an opt-out from a shared line that is waiting for review
  --lift NUMBER     allow calls to this number again; tasks that failed meanwhile stay failed
  --reason TEXT     why; required for every change and stored with the entry
  --help            this text

Region, credentials and endpoint come from the environment, as for the AWS command line.
Prints JSON: opt_outs with phone_number, status (active, review, lifted), source, created_at, call_id and task_id of the
call it was made in, who added it, and who reviewed it; or what changed.`;

interface Change {
  readonly kind: 'add' | 'import' | 'confirm' | 'lift';
  /** The number, or the file. */
  readonly value: string;
  readonly reason: string;
}

interface Arguments {
  readonly tableName: string;
  readonly list: OptOutList;
  /** Null to list. */
  readonly change: Change | null;
}

const changeKinds = ['add', 'import', 'confirm', 'lift'] as const;

const options = {
  table: { type: 'string' },
  project: { type: 'string' },
  operator: { type: 'boolean', default: false },
  add: { type: 'string' },
  import: { type: 'string' },
  confirm: { type: 'string' },
  lift: { type: 'string' },
  reason: { type: 'string' },
} as const;

function readArguments(values: Values<typeof options>): Arguments {
  const tableName = given('--table', values.table);
  if (values.operator && values.project !== undefined) {
    throw new UsageError('Either --project or --operator, not both');
  }
  const list = values.operator ? operatorList : givenId('--project', values.project);
  const [kind, ...others] = changeKinds.filter((name) => values[name] !== undefined);
  if (kind === undefined) return { tableName, list, change: null };
  if (others.length > 0) throw new UsageError(`Either --${kind} or --${others[0]}, not both`);
  const value = given(`--${kind}`, values[kind]);
  if (kind !== 'import' && !phoneNumberPattern.test(value)) {
    throw new UsageError(`--${kind} must match ${phoneNumberPattern.source}`);
  }
  return { tableName, list, change: { kind, value, reason: given('--reason', values.reason) } };
}

async function show(table: Table, list: OptOutList): Promise<object> {
  const optOuts = await listOptOuts(table, list);
  return { opt_outs: optOuts.map(({ project_id: _, ...shown }) => shown) };
}

const actions: Readonly<Record<Change['kind'], AuditAction>> = {
  add: 'opt-out.added',
  import: 'opt-out.added',
  confirm: 'opt-out.confirmed',
  lift: 'opt-out.lifted',
};

async function carryOut(table: Table, list: OptOutList, { kind, value, reason }: Change): Promise<object> {
  const now = new Date();
  // Does not name the number, which may be a patient's own. The list has it, with who, when and why.
  const action = { action: actions[kind], target: { type: 'project', id: list } };
  const alongside = () => (list === operatorList ? [] : [commandAuditItem(table, list, action, now)]);
  const change = { list, by: userInfo().username, reason, now, alongside };
  switch (kind) {
    case 'add':
      return (await addOptOut(table, value, 'command', change)) ? { added: value } : { already: value };
    case 'import': {
      const numbers = numbersOfCsv(await readFile(value, 'utf8'));
      let added = 0;
      for (const number of numbers) if (await addOptOut(table, number, 'import', change)) added += 1;
      return { added, already: numbers.length - added };
    }
    case 'confirm':
      return { confirmed: (await confirmOptOut(table, value, change)).phone_number };
    case 'lift':
      return { lifted: (await liftOptOut(table, value, change)).phone_number };
  }
}

await runCommand(
  'opt-outs',
  'The opt-outs could not be read or changed',
  { help, options },
  async (values) => {
    const args = readArguments(values);
    const { tableName, list, change } = args;
    const table = openTable(tableName);
    if (list !== operatorList && (await getProject(table, list)) === null) {
      throw new UsageError(`There is no project ${list}`);
    }
    const result = change === null ? await show(table, list) : await carryOut(table, list, change);
    return JSON.stringify(result, null, 2);
  },
);
