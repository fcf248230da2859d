import { parseArgs } from 'node:util';
import { type MigrationProgress, migrate } from '../shared/migrations/migrate.ts';
import { openTable } from '../shared/table/client.ts';
import { given, runCommand } from './command.ts';

const help = `Brings stored data into the form of this version, after a deployment. The service works meanwhile.

  npm run migrate -- --table NAME [--dry-run]

  --table NAME   the service's table (output TableName of the stack)
  --dry-run      changes nothing, and counts what would be changed
  --help         this text

After an interruption, run it again: it resumes, and does nothing twice. It sends no events. Region, credentials and
endpoints come from the environment, as for the AWS command line. Tells its progress on standard error and prints JSON:
version_before, version, and of each migration how many projects were looked at and how many items changed.`;

/** Often enough to see that it goes on. */
const tellEveryMs = 2_000;

function progressTeller(): (progress: MigrationProgress) => void {
  let toldAt = performance.now();
  return ({ name, projects, changed }) => {
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    console.error(`${name}: ${projects} projects, ${changed} items`);
  };
}

await runCommand('migrate', 'The data is not migrated yet', async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      table: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return help;
  const table = openTable(given('--table', values.table));
  const report = await migrate(table, { isDry: values['dry-run'], tell: progressTeller() });
  return JSON.stringify(report, null, 2);
});
