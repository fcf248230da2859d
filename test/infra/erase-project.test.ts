import { expect, test } from 'vitest';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type CommandRun, runCommandOn, runProcessOn } from '../support/command-run.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { forThisFile } from '../support/lifetime.ts';
import { sampleProject } from '../support/sample-tasks.ts';

const embedded = await forThisFile(startEmbeddedTable());

const table = ['--table', embedded.table.name];

function run(...args: string[]): Promise<CommandRun> {
  return runCommandOn(embedded, 'erase-project', [...table, ...args]);
}

test('erase-project erases the project that its name confirms, shows the receipt, and is audited', async () => {
  const project = sampleProject({ name: 'Riverside' });
  await writeTransaction(embedded.table, [putProject(embedded.table, project)]);
  for (const confirm of [[], ['--confirm', 'Lakeside']]) {
    const refused = await run('--project', project.id, ...confirm);
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('--confirm must be the name of the project');
  }
  expect(await getErasure(embedded.table, project.id)).toBeNull();
  const named = ['--project', project.id, '--confirm', 'Riverside'];
  const ordered = await runProcessOn(embedded, 'erase-project', [...table, ...named]);
  expect(ordered.exitCode).toBe(0);
  const receipt = JSON.parse(ordered.stdout);
  expect(receipt).toMatchObject({ id: project.id, target: 'project', status: 'PENDING' });
  expect(JSON.parse((await run('--project', project.id)).stdout)).toEqual(receipt);
  const { items } = await listAuditEntries(embedded.table, project.id, { limit: 10, before: null });
  expect(items).toMatchObject([{ action: 'erasure.ordered', actor: { kind: 'command' } }]);
});

test('erase-project explains its usage and reports a missing project', async () => {
  const { exitCode, stdout } = await run('--help');
  expect(exitCode).toBe(0);
  for (const option of ['--table', '--project', '--confirm']) expect(stdout).toContain(option);
  const unknown = await run('--project', '01890a5d-ac96-774b-bcce-b302099a8057');
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain('There is no project 01890a5d-ac96-774b-bcce-b302099a8057');
});
