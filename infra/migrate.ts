import { openProjectKeyMaker } from '../shared/encryption/kms-data-key.ts';
import { type MigrationProgress, migrate } from '../shared/migrations/migrate.ts';
import { openTable } from '../shared/table/client.ts';
import { given, runCommand } from './command.ts';

const help = `Brings stored data into the form of this version, after a deployment. The service works meanwhile.

  npm run migrate -- --table NAME [--dry-run]

  --table NAME   the service's table (output TableName of the stack)
  --dry-run      changes nothing, and counts what would be changed
  --help         this text

It makes a key in AWS KMS, at a dollar a month, for each project that has none, and seals what the project has.
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

const options = {
  table: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const;

await runCommand('migrate', 'The data is not migrated yet', { help, options }, async (values) => {
  const tableName = given('--table', values.table);
  const report = await migrate(openTable(tableName), {
    isDry: values['dry-run'],
    keys: openProjectKeyMaker(tableName),
    tell: progressTeller(),
  });
  return JSON.stringify(report, null, 2);
});
