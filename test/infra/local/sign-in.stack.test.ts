import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { demoPeople } from '../../../infra/local/identity/demo-people.ts';
import { choosePerson } from '../../../infra/local/identity/walk-sign-in.ts';
import { distinguishable, send } from '../../support/api-under-test.ts';
import { newTestClient, signInAtStack, stack, stackTable, type TestClient } from '../../support/stack.ts';
import { invitationLink, signedIn } from '../../support/stack-mail.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient();
  const at = new Date().toISOString();
  await writeTransaction(stackTable(), [
    addMemberItem(stackTable(), {
      project_id: client.projectId,
      email: demoPeople.owner.email,
      role: 'owner',
      created_at: at,
      updated_at: at,
    }),
  ]);
});
afterAll(() => client.stop());

const ask = (method: string, path: string, token: string, body?: unknown) =>
  send(stack().baseUrl, { method, path, apiKey: token, ...(body === undefined ? {} : { body }) });

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as a person does; `onAddress` is what they do with the printed address. */
function signInCommand(
  args: readonly string[],
  onAddress?: (address: string) => Promise<void>,
): Promise<Run> {
  const script = fileURLToPath(new URL('../../../infra/local/sign-in.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    let printed = '';
    child.stderr?.on('data', (chunk) => {
      printed += String(chunk);
      const [address] = /http:\S+(?=\n)/.exec(printed) ?? [];
      if (address === undefined || onAddress === undefined) return;
      child.stderr?.removeAllListeners('data');
      onAddress(address).catch(reject);
    });
  });
}

describe('signing in at the local stack', () => {
  test('an owner admits a viewer, who can read but not change anything', async () => {
    const project = `/admin/projects/${client.projectId}`;
    const [owner, viewer] = await Promise.all([signInAtStack('owner'), signInAtStack('viewer')]);
    const unknown = `/admin/projects/${uuidv7()}`;
    expect(distinguishable(await ask('GET', `${project}/audit-log`, viewer))).toEqual(
      distinguishable(await ask('GET', `${unknown}/audit-log`, viewer)),
    );

    const member = `${project}/members/${demoPeople.viewer.email}`;
    expect(await ask('PUT', member, owner, { role: 'viewer' })).toMatchObject({
      status: 200,
      json: { email: demoPeople.viewer.email, role: 'viewer' },
    });
    const link = await invitationLink(client.projectId, demoPeople.viewer);
    expect((await (await signedIn(demoPeople.viewer)).send(link)).status).toBe(303);
    expect(await ask('GET', `${project}/audit-log`, viewer)).toMatchObject({
      status: 200,
      json: {
        entries: [
          { action: 'member.joined', actor: { kind: 'person', email: demoPeople.viewer.email } },
          { action: 'member.invited', actor: { kind: 'person', email: demoPeople.owner.email } },
          { action: 'project.created', actor: { kind: 'command' } },
        ],
        next_cursor: null,
      },
    });
    expect(await ask('PUT', member, viewer, { role: 'owner' })).toMatchObject({ status: 403 });
    expect(await ask('PUT', member, owner, { role: 'admin' })).toMatchObject({ status: 400 });
    expect(await ask('DELETE', `${project}/members/${demoPeople.owner.email}`, owner)).toMatchObject({
      status: 409,
    });
    expect(await ask('DELETE', member, owner)).toMatchObject({ status: 204, text: '' });
    expect(await ask('GET', `${project}/members`, viewer)).toMatchObject({ status: 404 });
    const refused = await ask('PATCH', `${project}/members`, owner);
    expect(refused).toMatchObject({ status: 405, json: { detail: 'Method not allowed' } });
    expect(refused.headers.get('allow')).toBe('GET');
  });

  test('every invalid token gets the same 401 before any other check', async () => {
    const tokens = ['garbage', client.apiKey, `${await signInAtStack('owner')}x`];
    const answers = await Promise.all(
      tokens.flatMap((token) => [
        ask('GET', `/admin/projects/${client.projectId}/audit-log`, token),
        ask('PUT', '/admin/projects/no-id/members/nobody', token, { role: 'admin' }),
        ask('PATCH', '/admin/projects/no-id/members', token),
      ]),
    );
    expect(answers[0]).toMatchObject({ status: 401, text: '{"detail":"Invalid token"}' });
    expect(answers[0]?.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(new Set(answers.map((answer) => JSON.stringify(distinguishable(answer)))).size).toBe(1);
  });

  test('the command prints only a token, from a browser or for a sample user', async () => {
    const data = await mkdtemp(join(tmpdir(), 'sign-in-'));
    const { SignInIssuer: issuer = '', SignInClientId: clientId = '' } = stack().outputs;
    await writeFile(join(data, 'stack.env'), `SignInIssuer='${issuer}'\nSignInClientId='${clientId}'\n`);
    try {
      const runs = [
        await signInCommand(['--data', data, '--as', 'owner']),
        await signInCommand(['--issuer', issuer, '--client-id', clientId], (address) =>
          choosePerson(address, demoPeople.owner),
        ),
      ];
      for (const { exitCode, stdout } of runs) {
        expect(exitCode).toBe(0);
        const answer = await ask('GET', `/admin/projects/${client.projectId}/members`, stdout.trim());
        expect(answer.status).toBe(200);
      }
      for (const args of [
        [],
        ['--data', tmpdir()],
        ['--data', data, '--as', 'nobody'],
        ['--as', 'owner'],
        ['--issuer', issuer],
        ['--data', data, '--timeout', '0'],
      ]) {
        expect(await signInCommand(args)).toMatchObject({ exitCode: 2, stdout: '' });
      }
      expect(await signInCommand(['--help'])).toMatchObject({ exitCode: 0 });
      expect(await signInCommand(['--data', data, '--timeout', '1'])).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringContaining('no sign-in within 1 s'),
      });
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  });
});
