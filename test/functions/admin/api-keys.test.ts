import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { type ApiReply, send } from '../../support/api-under-test.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { startManagementApi } from '../../support/management-api.ts';

const api = await forThisFile(startManagementApi());

const ask = (method: string, path: string, body?: unknown, token = api.mine.owner): Promise<ApiReply> =>
  api.ask(method, `/admin/projects/${api.mine.projectId}/api-keys${path}`, token, body);
const statusWith = async (apiKey: string): Promise<number> =>
  (await send(api.baseUrl, { method: 'GET', path: '/v1/patient', apiKey })).status;

const dateTimeRule = 'must be a date-time with its offset, such as 2026-11-20T15:00:00Z';

describe('the API keys of a project', () => {
  test('are created, listed, rotated and revoked by the owner; only the first response contains the key', async () => {
    const created = await ask('POST', '', { name: 'Scheduler' });
    expect([created.status, await statusWith(created.json.key)]).toEqual([201, 200]);
    const rotated = await ask('POST', `/${created.json.id}/rotate`, { overlap_hours: 1 });
    expect([rotated.status, await statusWith(rotated.json.key)]).toEqual([201, 200]);
    expect(await statusWith(created.json.key)).toBe(200);
    const unused = await ask('POST', '', { name: 'Unused', expires_at: null });
    const revoked = await ask('POST', `/${unused.json.id}/revoke`);
    expect([revoked.status, await statusWith(unused.json.key)]).toEqual([200, 401]);
    const listed = await ask('GET', '', undefined, api.mine.viewer);
    expect(listed.json.api_keys.map(({ name }: { name: string }) => name).sort()).toEqual([
      'First key',
      'Scheduler',
      'Scheduler',
      'Unused',
    ]);
    for (const reply of [rotated, revoked, listed]) expect(reply.text).not.toContain(created.json.key);
    expect(listed.text).not.toContain('key_hash');
  });

  test('are listed in pages', async () => {
    for (const name of ['One', 'Two', 'Three']) await ask('POST', '', { name });
    const all = (await ask('GET', '?limit=100')).json.api_keys;
    const paged: unknown[] = [];
    let cursor = '';
    do {
      const page = await ask('GET', `?limit=2${cursor}`);
      paged.push(...page.json.api_keys);
      cursor = page.json.next_cursor === null ? '' : `&cursor=${page.json.next_cursor}`;
    } while (cursor !== '');
    expect(paged).toEqual(all);
  });

  test.each([
    [{}, 'Missing required fields'],
    [{ name: '' }, 'Missing required fields'],
    [{ name: 'x'.repeat(101) }, 'name must have at most 100 characters'],
    [{ name: ' \t' }, 'name must not be blank'],
    [{ name: 'a\u0007b' }, 'name must not contain control or invisible characters'],
    [{ name: 'x', expires_at: 'tomorrow' }, `expires_at ${dateTimeRule}`],
    [{ name: 'x', expires_at: '2036-01-01T00:00:00' }, `expires_at ${dateTimeRule}`],
    // The year 10000 in UTC.
    [{ name: 'x', expires_at: '9999-12-31T23:59:59-01:00' }, `expires_at ${dateTimeRule}`],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at must be in the future'],
  ])('cannot be created by %j', async (body, detail) => {
    const reply = await ask('POST', '', body);
    expect([reply.status, reply.json]).toEqual([400, { detail }]);
  });

  test.each([
    [{ overlap_hours: -1 }, 'overlap_hours must be at least 0'],
    [{ overlap_hours: 169 }, 'overlap_hours must be at most 168'],
    [{ overlap_hours: 1.5 }, 'overlap_hours must be an integer'],
    [{ expires_at: '9999-12-31T23:59:59-01:00' }, `expires_at ${dateTimeRule}`],
  ])('cannot be rotated by %j', async (body, detail) => {
    const { id } = (await ask('POST', '', { name: 'Rotated' })).json;
    const reply = await ask('POST', `/${id}/rotate`, body);
    expect([reply.status, reply.json]).toEqual([400, { detail }]);
  });

  test('are not found by an unknown or invalid ID', async () => {
    for (const action of ['revoke', 'rotate']) {
      const unknown = await ask('POST', `/${uuidv7()}/${action}`, {});
      expect([unknown.status, unknown.json]).toEqual([404, { detail: 'API key not found' }]);
      const malformed = await ask('POST', `/no-id/${action}`, {});
      expect([malformed.status, malformed.json]).toEqual([400, { detail: 'Invalid API key ID format' }]);
    }
  });

  test('leave no secrets in the log', async () => {
    let key = '';
    const text = await capturedLog(async () => {
      key = (await ask('POST', '', { name: 'Logged' })).json.key;
      await statusWith(key);
    });
    expect(text).toContain('"event":"request"');
    expect(text).not.toContain(key.slice(9, 25));
  });
});
