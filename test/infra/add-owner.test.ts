import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Member } from '#shared/domain/person.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { addMemberItem, listMembers } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type CommandRun, runCommandOn, runProcessOn } from '../support/command-run.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { forThisFile } from '../support/lifetime.ts';
import { sampleProject, sampleTime } from '../support/sample-tasks.ts';

const embedded = await forThisFile(startEmbeddedTable());

const run = (...args: string[]): Promise<CommandRun> => runCommandOn(embedded, 'add-owner', args);
const email = 'olive@clinic.example.com';

/** A project with these members. */
async function projectOf(...members: Pick<Member, 'email' | 'role'>[]): Promise<string> {
  const { id } = sampleProject({ id: uuidv7() });
  await writeTransaction(embedded.table, [
    putProject(embedded.table, sampleProject({ id })),
    ...members.map((member) =>
      addMemberItem(embedded.table, {
        ...member,
        project_id: id,
        created_at: sampleTime,
        updated_at: sampleTime,
      }),
    ),
  ]);
  return id;
}

const rolesIn = async (projectId: string) =>
  (await listMembers(embedded.table, projectId)).map((member) => [member.email, member.role]);
const auditOf = async (projectId: string) =>
  (await listAuditEntries(embedded.table, projectId, { limit: 10, before: null })).items;

describe('add-owner', () => {
  test('adds an owner to a project without one and audits the command', async () => {
    const projectId = await projectOf();
    const named = ['--project', projectId, '--email', 'Olive@Clinic.example.com'];
    const args = ['--table', embedded.table.name, ...named];
    const { exitCode, stdout } = await runProcessOn(embedded, 'add-owner', args);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { project_id: projectId, email, role: 'owner' }]);
    expect(await rolesIn(projectId)).toEqual([[email, 'owner']]);
    expect(await auditOf(projectId)).toMatchObject([
      {
        actor: { kind: 'command' },
        action: 'member.added',
        target: { type: 'member', id: email },
        before: null,
        after: { role: 'owner' },
        request_id: null,
      },
    ]);
  });

  test('promotes a viewer, and leaves an existing owner and other members unchanged', async () => {
    const other = { email: 'victor@clinic.example.com', role: 'viewer' } as const;
    const projectId = await projectOf({ email, role: 'viewer' }, other);
    for (let runs = 1; runs <= 2; runs += 1) {
      const { exitCode } = await run(
        ...['--table', embedded.table.name, '--project', projectId, '--email', email],
      );
      expect(exitCode).toBe(0);
    }
    expect(await rolesIn(projectId)).toEqual([
      [email, 'owner'],
      [other.email, 'viewer'],
    ]);
    expect(await auditOf(projectId)).toMatchObject([
      { action: 'member.changed', before: { role: 'viewer' }, after: { role: 'owner' } },
    ]);
  });

  test('explains its usage', async () => {
    const { exitCode, stdout } = await run('--help');
    expect(exitCode).toBe(0);
    for (const option of ['--table', '--project', '--email']) expect(stdout).toContain(option);
  });

  const unknown = '01a1fc97-4c1e-7b0a-9d51-3f8f0b6c2a10';
  test.each([
    [['--project', unknown, '--email', email], '--table is required'],
    [['--table', 'x', '--email', email], '--project is required'],
    [['--table', 'x', '--project', 'clinic', '--email', email], '--project must be a UUID'],
    [['--table', 'x', '--project', unknown], '--email is required'],
    [['--table', 'x', '--project', unknown, '--email', 'olive'], '--email must be an email address'],
    [['--tabel', 'x'], "Unknown option '--tabel'"],
  ])('explains what is wrong with %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('npm run add-owner -- --help');
  });

  test('reports a missing project or table', async () => {
    const named = (table: string) => run('--table', table, '--project', unknown, '--email', email);
    const noProject = await named(embedded.table.name);
    expect(noProject).toMatchObject({ exitCode: 2, stdout: '' });
    expect(noProject.stderr).toContain('Project not found');
    expect(await listMembers(embedded.table, unknown)).toEqual([]);
    const noTable = await named('no-such-table');
    expect(noTable.exitCode).toBe(1);
    expect(noTable.stderr).toMatch(/^The owner could not be added: .*(not found|non-existent)/i);
  });
});
