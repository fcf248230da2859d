import { bucketAuditCopies } from '../shared/audit/audit-copies.ts';
import { type AuditVerdict, verifyChain } from '../shared/audit/verify-chain.ts';
import { listChains } from '../shared/table/audit-chain.ts';
import { openTable } from '../shared/table/client.ts';
import { given, givenId, runCommand } from './command.ts';

const help = `Verifies that no audit log was changed, shortened or extended.

  npm run verify-audit -- --table NAME [--bucket NAME] [--project ID]

  --table NAME   the service's table (output TableName of the stack)
  --bucket NAME  the bucket of the copies (output AuditBucketName); without it, only the chain is checked, which
                 anyone with write access to the whole table could forge
  --project ID   this project only; default: all that have a chain
  --help         this text

Region, credentials and endpoint come from the environment, as for the AWS command line.
Prints JSON with entries, blocks, copies and problems of each project. Exits with 1 on any problem.`;

const options = {
  table: { type: 'string' },
  bucket: { type: 'string' },
  project: { type: 'string' },
} as const;

await runCommand(
  'verify-audit',
  'The audit logs could not be verified',
  { help, options },
  async (values) => {
    const table = openTable(given('--table', values.table));
    const only = values.project === undefined ? null : givenId('--project', values.project);
    const copies = values.bucket === undefined ? null : bucketAuditCopies(values.bucket);
    const projects: AuditVerdict[] = [];
    for (const projectId of only === null ? await listChains(table) : [only]) {
      projects.push(await verifyChain({ table, copies }, projectId));
    }
    if (projects.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
    return JSON.stringify({ projects }, null, 2);
  },
);
