import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { OptOut, operatorList } from '#shared/domain/opt-out.ts';
import type { Project } from '#shared/domain/project.ts';
import { addOptOutItem, getOptOut, listOptOuts } from '#shared/table/opt-out.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type CommandRun, runCommandOn } from '../support/command-run.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { forThisFile } from '../support/lifetime.ts';
import { sampleProject, sampleTime } from '../support/sample-tasks.ts';

const embedded = await forThisFile(startEmbeddedTable());

function run(...args: string[]): Promise<CommandRun> {
  return runCommandOn(embedded, 'opt-outs', args);
}

/** A project that these numbers do not want to hear from again. */
async function projectWithout(...numbers: string[]): Promise<{ project: Project; optOuts: OptOut[] }> {
  const project = sampleProject();
  const optOuts = numbers.map((phone_number) =>
    OptOut.parse({
      project_id: project.id,
      phone_number,
      call_id: uuidv7(),
      task_id: uuidv7(),
      created_at: sampleTime,
    }),
  );
  await writeTransaction(embedded.table, [
    putProject(embedded.table, project),
    ...optOuts.map((optOut) => addOptOutItem(embedded.table, optOut)),
  ]);
  return { project, optOuts };
}

describe('opt-outs', () => {
  test('lists only the numbers of the project', async () => {
    await projectWithout('+12025550162');
    const { project, optOuts } = await projectWithout('+12025550160', '+12025550161');
    const { exitCode, stdout } = await run('--table', embedded.table.name, '--project', project.id);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      opt_outs: optOuts.map(({ project_id: _, ...shown }) => shown),
    });
  });

  test('lists nothing without opt-outs', async () => {
    const { project } = await projectWithout();
    const { stdout } = await run('--table', embedded.table.name, '--project', project.id);
    expect(JSON.parse(stdout)).toEqual({ opt_outs: [] });
  });

  test('lifts the opt-out of one number in one project', async () => {
    const { project } = await projectWithout('+12025550160', '+12025550161');
    const other = await projectWithout('+12025550160');
    const why = ['--reason', 'They called back.'];
    const args = ['--table', embedded.table.name, '--project', project.id, '--lift', '+12025550160', ...why];
    const { exitCode, stdout } = await run(...args);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { lifted: '+12025550160' }]);
    const left = await listOptOuts(embedded.table, project.id);
    expect(left.map(({ phone_number, status }) => [phone_number, status])).toEqual([
      ['+12025550160', 'lifted'],
      ['+12025550161', 'active'],
    ]);
    expect(left[0]?.decision).toMatchObject({ by: userInfo().username, reason: 'They called back.' });
    expect(await getOptOut(embedded.table, other.project.id, '+12025550160')).not.toBeNull();

    const again = await run(...args);
    expect([again.exitCode, again.stdout]).toEqual([2, '']);
    expect(again.stderr).toContain('Opt-out not found');
  });

  test("adds and imports numbers to the operator's list, each once", async () => {
    const where = ['--table', embedded.table.name, '--operator', '--reason', 'From the old system.'];
    const directory = await mkdtemp(join(tmpdir(), 'opt-outs-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, 'list.csv');
    await writeFile(
      file,
      'number,since\r\n+12025550160,2025\r\n"+12025550161",2024\r\n+12025550160,2023\r\n',
    );
    expect(JSON.parse((await run(...where, '--add', '+12025550161')).stdout)).toEqual({
      added: '+12025550161',
    });
    expect(JSON.parse((await run(...where, '--import', file)).stdout)).toEqual({ added: 1, already: 1 });
    const list = await listOptOuts(embedded.table, operatorList);
    expect(list.map(({ phone_number, source, status }) => [phone_number, source, status])).toEqual([
      ['+12025550160', 'import', 'active'],
      ['+12025550161', 'command', 'active'],
    ]);
    await writeFile(file, '+12025550160\n202-555-0161\n');
    const wrong = await run(...where, '--import', file);
    expect([wrong.exitCode, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain('Line 2 must begin with a number such as');
    expect(wrong.stderr).not.toContain('202-555-0161');
  });

  test('explains its usage', async () => {
    const { exitCode, stdout } = await run('--help');
    expect(exitCode).toBe(0);
    for (const option of [
      '--table',
      '--project',
      '--operator',
      '--add',
      '--import',
      '--lift',
      '--reason',
      '--help',
    ])
      expect(stdout).toContain(option);
  });

  const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
  test.each([
    [['--project', unknown], '--table is required'],
    [['--table', 'x'], '--project is required'],
    [['--table', 'x', '--project', 'mine'], '--project must be a UUID'],
    [['--table', 'x', '--project', unknown, '--lift', '202-555-0160'], '--lift must match'],
    [['--table', 'x', '--project', unknown, '--lift', '+12025550160'], '--reason is required'],
    [['--table', 'x', '--project', unknown, '--operator'], 'Either --project or --operator'],
    [['--table', 'x', '--project', unknown, '--lift'], "Option '--lift <value>' argument missing"],
    [['--table', 'x', '--list'], "Unknown option '--list'"],
  ])('explains what is wrong with %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('npm run opt-outs -- --help');
  });

  test('reports a missing project or table', async () => {
    const noProject = await run('--table', embedded.table.name, '--project', unknown);
    expect([noProject.exitCode, noProject.stdout]).toEqual([2, '']);
    expect(noProject.stderr).toContain(`There is no project ${unknown}`);
    const noTable = await run('--table', 'no-such-table', '--project', unknown);
    expect(noTable.exitCode).toBe(1);
    expect(noTable.stderr).toMatch(/^The opt-outs could not be read or changed: .*(not found|non-existent)/i);
  });
});
