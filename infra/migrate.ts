import { openProjectKeyMaker } from '../shared/encryption/kms-data-key.ts';
import { type MigrationProgress, migrate } from '../shared/migrations/migrate.ts';
import { openTable } from '../shared/table/client.ts';
import { given, runCommand } from './command.ts';

const help = `Migrates stored data to this version after a deployment, while the service runs.

  npm run migrate -- --table NAME [--dry-run]

  --table NAME   the service's table (output TableName of the stack)
  --dry-run      changes nothing, and counts what would change
  --help         this text

It creates a key in AWS KMS, at a dollar a month, for each project without one, and seals the project's data.
After an interruption, run it again: it resumes, and does nothing twice. It sends no events. Region, credentials and
endpoints come from the environment, as for the AWS command line. Reports progress on standard error and prints JSON:
version_before, version, and how many projects each migration visited and how many items it changed.`;

/** Often enough to show progress. */
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

await runCommand('migrate', 'The data was not fully migrated', { help, options }, async (values) => {
  const tableName = given('--table', values.table);
  const report = await migrate(openTable(tableName), {
    isDry: values['dry-run'],
    keys: openProjectKeyMaker(tableName),
    tell: progressTeller(),
  });
  return JSON.stringify(report, null, 2);
});
