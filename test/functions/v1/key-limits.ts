import { describe, expect, test } from 'vitest';
import { issueApiKey } from '#shared/api-keys/new-api-key.ts';
import { Scope } from '#shared/domain/api-key.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { createApiKeyItems } from '#shared/table/api-key.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import {
  type ApiReply,
  type ApiUnderTest,
  patientBody,
  send,
  taskBody,
} from '../../support/api-under-test.ts';

/** Each operation with its scope. */
const operations: readonly (readonly [method: string, path: string, scope: Scope])[] = [
  ['POST', '/v1/patient', 'patients:write'],
  ['GET', '/v1/patient', 'patients:read'],
  ['GET', '/v1/patient/{id}', 'patients:read'],
  ['PATCH', '/v1/patient/{id}', 'patients:write'],
  ['POST', '/v1/task', 'tasks:write'],
  ['GET', '/v1/task', 'tasks:read'],
  ['GET', '/v1/task/{id}', 'tasks:read'],
  ['POST', '/v1/task/{id}/cancel', 'tasks:write'],
  ['POST', '/v1/task/batch', 'tasks:write'],
  ['GET', '/v1/task/batch/{id}', 'tasks:read'],
  ['POST', '/v1/task/batch/{id}/cancel', 'tasks:write'],
  ['GET', '/v1/call/{id}/recording', 'recordings:read'],
  ['DELETE', '/v1/patient/{id}', 'erasures:write'],
  ['DELETE', '/v1/task/{id}', 'erasures:write'],
  ['GET', '/v1/erasure/{id}', 'erasures:read'],
];

/** Limited keys. */
export function keyLimitSuite(api: () => ApiUnderTest): void {
  const keyWith = async (limits: { scopes?: Scope[]; allowedAddresses?: string[] }): Promise<string> => {
    const { mine, table } = api();
    const wishes = { name: 'Limited', expiresAt: null, createdBy: null, ...limits };
    const { key, apiKey } = issueApiKey({ id: mine.projectId, carrier: 'sandbox' }, wishes, new Date());
    await writeTransaction(table, createApiKeyItems(table, apiKey));
    return key;
  };
  const ask = (apiKey: string, method: string, path: string): Promise<ApiReply> => {
    const { baseUrl, mine } = api();
    const bodies: Record<string, unknown> = {
      '/v1/patient': patientBody(mine.projectId),
      '/v1/task': taskBody(mine.projectId, uuidv7()),
      '/v1/task/batch': { tasks: [taskBody(mine.projectId, uuidv7())] },
    };
    const body = ['POST', 'PATCH'].includes(method) ? { body: bodies[path] ?? {} } : {};
    return send(baseUrl, { method, path: path.replace('{id}', uuidv7()), apiKey, ...body });
  };

  describe('a key with scopes', () => {
    test.each(operations)('may %s %s only with %s', async (method, path, scope) => {
      const refused = await ask(
        await keyWith({ scopes: Scope.options.filter((other) => other !== scope) }),
        method,
        path,
      );
      expect([refused.status, refused.json.detail]).toEqual([403, `API key lacks the scope ${scope}`]);
      expect(refused.headers.get('x-error-code')).toBe('insufficient_scope');
      const letIn = await ask(await keyWith({ scopes: [scope] }), method, path);
      expect([200, 201, 202, 404]).toContain(letIn.status);
    });
  });

  describe('a key with addresses', () => {
    test('opens from these, and is no key at all from elsewhere', async () => {
      const here = await keyWith({ allowedAddresses: ['127.0.0.0/8', '::1'] });
      expect((await ask(here, 'GET', '/v1/patient')).status).toBe(200);
      const elsewhere = await keyWith({ allowedAddresses: ['198.51.100.0/24'] });
      const refused = await ask(elsewhere, 'GET', '/v1/patient');
      expect([refused.status, refused.json.detail]).toEqual([401, 'Invalid API key']);
    });
  });
}
