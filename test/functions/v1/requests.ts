import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { routes } from '../../../infra/routes.ts';
import {
  type ApiUnderTest,
  createPatientIn,
  createTaskIn,
  distinguishable,
  patientBody,
  send,
  taskBody,
} from '../../support/api-under-test.ts';

const v1Routes = routes.filter((route) => route.path.startsWith('/v1/'));
/** Routes about one thing, identified in the path. */
const thingRoutes = v1Routes.filter((route) => route.path.includes('{'));
const creatingRoutes = v1Routes.filter((route) => route.method === 'POST' && !route.path.includes('{'));
const noun = (path: string): string => /\{(\w+)_id\}/.exec(path)?.[1] ?? '';

/** What every route does with any request, over the route table. */
export function requestSuite(api: () => ApiUnderTest): void {
  describe.each(thingRoutes)('$method $path', ({ method, path }) => {
    const body = method === 'PATCH' ? {} : undefined;
    const ask = (id: string) =>
      send(api().baseUrl, { method, path: path.replace(/\{\w+\}/, id), apiKey: api().mine.apiKey, body });

    test.each([
      'no-id',
      '123',
      '00000000-0000-0000-0000',
      `${uuidv7()}0`,
      '%00',
      '%F0%9F%98%80',
      "'--",
      '%E2%80%AE',
    ])('answers 400 to %s, which is no identifier', async (id) => {
      const reply = await ask(id);
      expect(reply.status).toBe(400);
      expect(reply.json).toEqual({ detail: `Invalid ${noun(path)} ID format` });
    });

    test('answers 404 to an identifier that nothing has', async () => {
      const reply = await ask(uuidv7());
      const name = noun(path);
      expect(reply.status).toBe(404);
      expect(reply.json).toEqual({ detail: `${name.charAt(0).toUpperCase()}${name.slice(1)} not found` });
    });
  });

  test("another project's patient and task are answered byte for byte like unknown ones", async () => {
    const { other, mine, baseUrl } = api();
    const patientId = await createPatientIn(api(), other);
    const taskId = await createTaskIn(api(), other, patientId);
    const ids: Record<string, string> = { patient: patientId, task: taskId };
    for (const { method, path } of thingRoutes.filter((route) => noun(route.path) in ids)) {
      const body = method === 'PATCH' ? {} : undefined;
      const ask = (id: string) =>
        send(baseUrl, { method, path: path.replace(/\{\w+\}/, id), apiKey: mine.apiKey, body });
      const foreign = await ask(String(ids[noun(path)]));
      expect(foreign.status).toBe(404);
      expect(distinguishable(foreign)).toEqual(distinguishable(await ask(uuidv7())));
    }
  });

  test('identifiers may be given in capitals', async () => {
    const { mine, baseUrl } = api();
    const patientId = await createPatientIn(api(), mine);
    const reply = await send(baseUrl, {
      method: 'GET',
      path: `/v1/patient/${patientId.toUpperCase()}`,
      apiKey: mine.apiKey,
    });
    expect(reply.json.id).toBe(patientId);
  });

  describe.each([...new Set(v1Routes.map((route) => route.path))])('%s', (path) => {
    const allowed = v1Routes.filter((route) => route.path === path).map((route) => String(route.method));
    const headers = allowed.includes('GET') ? ['HEAD'] : [];
    test.each(
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !allowed.includes(method)),
    )('answers 405 to %s and says what it allows', async (method) => {
      const reply = await send(api().baseUrl, { method, path: path.replace(/\{\w+\}/, uuidv7()) });
      expect(reply.status).toBe(405);
      expect(reply.json).toEqual({ detail: 'Method not allowed' });
      expect(reply.headers.get('allow')?.split(', ').sort()).toEqual([...allowed, ...headers].sort());
      expect(reply.headers.get('x-request-id')).toBeTruthy();
    });
  });

  describe.each(creatingRoutes)('$method $path', ({ path }) => {
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      send(api().baseUrl, { method: 'POST', path, apiKey: api().mine.apiKey, body, headers });

    test.each([
      ['nothing', ''],
      ['a broken object', '{"task_type":'],
      ['a trailing comma', '{"task_type":"CUSTOM_TASK",}'],
      ['two objects', '{}{}'],
      ['form fields', 'first_name=Ada&last_name=Example'],
      ['XML', '<patient/>'],
      ['NaN', '{"task":NaN}'],
      ['single quotes', "{'task':'x'}"],
      ['UTF-16', Buffer.from('{"task":"x"}', 'utf16le')],
      ['Latin-1', Buffer.from('{"first_name":"Jos\u00e9","task":"Jos\u00e9"}', 'latin1')],
      ['a cut-off character', Buffer.concat([Buffer.from('{"task":"'), Buffer.from([0xf0, 0x9f])])],
    ])('answers 400 to %s', async (_, body) => {
      const reply = await post(body);
      expect([reply.status, reply.json]).toEqual([400, { detail: 'Malformed JSON body' }]);
    });

    test.each(['null', '[]', '[{}]', '"text"', '5', 'true'])(
      'answers 400 to %s, which is no object',
      async (body) => {
        const reply = await post(body);
        expect([reply.status, reply.json]).toEqual([400, { detail: 'body must be a JSON object' }]);
      },
    );

    test('answers 400 to a body nested as deep as it can be', async () => {
      for (const [open, close, count] of [
        ['[', ']', 60_000],
        ['{"a":', '}', 20_000],
      ] as const) {
        const nested = `${open.repeat(count)}0${close.repeat(count)}`;
        const body = `{"first_name":${nested},"task":${nested}}`;
        const reply = await post(body);
        expect([reply.status, reply.json]).toEqual([
          400,
          { detail: 'body must not be nested deeper than 64 levels' },
        ]);
      }
    });

    test.skipIf(path === '/v1/task')('answers 400 to a dry run, which it does not have', async () => {
      const dry = await send(api().baseUrl, {
        method: 'POST',
        path: `${path}?dry_run=true`,
        apiKey: api().mine.apiKey,
        body: patientBody(api().mine.projectId),
      });
      expect([dry.status, dry.json]).toEqual([400, { detail: 'dry_run is only for POST /v1/task' }]);
    });

    const isBatch = path.endsWith('/batch');
    const limit = isBatch
      ? { bytes: 4 * 1024 * 1024, words: '4 MB' }
      : { bytes: 256 * 1024, words: '256 KB' };

    test(`answers 413 above ${limit.words} and takes a body of just that size`, async () => {
      const size = limit.bytes;
      const padded = (bytes: number): string => `{"padding":"${'x'.repeat(bytes - 14)}"}`;
      expect((await post(padded(size))).status).toBe(400);
      const reply = await post(padded(size + 1));
      expect([reply.status, reply.json]).toEqual([
        413,
        { detail: `Request body must not be larger than ${limit.words}` },
      ]);
    });

    test('names every required field of an empty object, and says that they are missing', async () => {
      const reply = await post({});
      expect([reply.status, reply.json]).toEqual([400, { detail: 'Missing required fields' }]);
      const single = path === '/v1/patient' ? patientBody('') : taskBody('', '');
      const fields = reply.headers.get('x-error-fields')?.split(',') ?? [];
      expect(fields.sort()).toEqual(isBatch ? ['tasks'] : Object.keys(single).sort());
    });

    test.skipIf(isBatch)("answers 403 to another project's identifier", async () => {
      const { other } = api();
      const body =
        path === '/v1/patient' ? patientBody(other.projectId) : taskBody(other.projectId, uuidv7());
      const reply = await post(body);
      expect([reply.status, reply.json]).toEqual([
        403,
        { detail: 'API key does not grant access to this project' },
      ]);
    });

    test.each([
      undefined,
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/octet-stream',
    ])('reads JSON sent as %s', async (type) => {
      // Bytes, because the sender would add its own type for text.
      const body = new TextEncoder().encode(JSON.stringify({ project_id: 'Zoë' }));
      const reply = await post(body, type === undefined ? {} : { 'Content-Type': type });
      expect([reply.status, reply.json.detail]).toEqual([400, 'Missing required fields']);
    });

    test('reads a body that begins with a byte order mark', async () => {
      const reply = await post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]));
      expect(reply.json.detail).toBe('Missing required fields');
    });
  });
}
