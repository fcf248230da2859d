import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import * as z from 'zod/mini';
import {
  DestinationBody,
  type DirectoryWriter,
  removeDestination,
  saveDestination,
} from '../shared/directory/change-directory.ts';
import { operatorDirectory } from '../shared/domain/directory-entry.ts';
import { uuidv7 } from '../shared/domain/identifiers.ts';
import { PhoneNumber, phoneNumberPattern } from '../shared/domain/values.ts';
import { openTable, type Table } from '../shared/table/client.ts';
import { directoryChangeItem, listDirectory, listDirectoryChanges } from '../shared/table/directory.ts';
import { given, runCommand, UsageError, type Values } from './command.ts';

const help = `Lists or changes the operator's directory of destinations, which applies to all projects.

  npm run destinations -- --table NAME [--save FILE | --remove NUMBER | --history]

  --table NAME     the service's table (output TableName of the stack)
  --save FILE      add or replace these entries, one by one: a JSON file with a list of objects
                   {phone_number, last_phone_number, name, kind, hours, max_hold_minutes, max_call_minutes,
                   concurrent_calls}; the first and last number of a range are E.164 and have as many digits, kind is
                   payer, call-center, clinic, pharmacy, lab or other, hours are
                   {time_zone, weekly: [{days: [1], opens: "08:00", closes: "17:00"}]}; what is left out is unknown
  --remove NUMBER  remove the entry starting with this number
  --history        print who changed what, newest first
  --help           this text

concurrent_calls limits the calls to a number at one time, of all projects together: one by default, ten if it is
toll-free. Region, credentials and endpoint come from the environment, as for the AWS command line. Prints JSON.`;

const FileEntry = z.extend(DestinationBody, { phone_number: PhoneNumber });

const options = {
  table: { type: 'string' },
  save: { type: 'string' },
  remove: { type: 'string' },
  history: { type: 'boolean', default: false },
} as const;

function readArguments(values: Values<typeof options>) {
  const { save, remove, history } = values;
  if ([save !== undefined, remove !== undefined, history].filter(Boolean).length > 1) {
    throw new UsageError('Use one of --save, --remove and --history');
  }
  if (remove !== undefined && !phoneNumberPattern.test(remove)) {
    throw new UsageError(`--remove must match ${phoneNumberPattern.source}`);
  }
  return { tableName: given('--table', values.table), save, remove, history };
}

function writerTo(table: Table): DirectoryWriter {
  const by = userInfo().username;
  return {
    owner: operatorDirectory,
    by,
    alongside: ({ before, after }, now) => [
      directoryChangeItem(table, uuidv7(now.getTime()), {
        at: now.toISOString(),
        by,
        action: after === null ? 'destination.removed' : 'destination.saved',
        before,
        after,
      }),
    ],
  };
}

async function saveFile(table: Table, path: string): Promise<object> {
  const read: unknown = JSON.parse(await readFile(path, 'utf8'));
  const parsed = z.array(FileEntry).safeParse(read);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UsageError(
      `${path}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not a directory of destinations'}`,
    );
  }
  const saved: string[] = [];
  for (const { phone_number, ...body } of parsed.data) {
    saved.push((await saveDestination(table, phone_number, body, writerTo(table))).phone_number);
  }
  return { saved };
}

await runCommand(
  'destinations',
  'The directory could not be read or changed',
  { help, options },
  async (values) => {
    const args = readArguments(values);
    const table = openTable(args.tableName);
    const perform = async (): Promise<object> => {
      if (args.save !== undefined) return saveFile(table, args.save);
      if (args.history) return { changes: await listDirectoryChanges(table) };
      if (args.remove === undefined) return { destinations: await listDirectory(table, operatorDirectory) };
      await removeDestination(table, args.remove, writerTo(table));
      return { removed: args.remove };
    };
    return JSON.stringify(await perform(), null, 2);
  },
);
