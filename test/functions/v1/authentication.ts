import { describe, expect, test } from 'vitest';
import { generateApiKey } from '#shared/api-keys/key-format.ts';
import { issueApiKey } from '#shared/api-keys/new-api-key.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { createApiKeyItems } from '#shared/table/api-key.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { routes } from '../../../infra/routes.ts';
import { type ApiUnderTest, distinguishable, send } from '../../support/api-under-test.ts';

const keyRoutes = routes.filter((route) => route.authentication === 'api-key');

/** Who may send requests, over every route that takes an API key. */
export function authenticationSuite(api: () => ApiUnderTest): void {
  describe.each(keyRoutes)('authentication of $method $path', ({ method, path }) => {
    const hasBody = method === 'POST';
    /** A request that is refused for its content, if it has any, after authentication. */
    const malformed = {
      path: `${path.replaceAll(/\{\w+\}/g, 'no-id')}?cursor=no-cursor`,
      body: hasBody ? '{"malformed' : undefined,
    };
    const targets = [
      { path: path.replaceAll(/\{\w+\}/g, uuidv7()), body: hasBody ? {} : undefined },
      malformed,
    ];

    test('refuses every unusable key before it looks at anything else, always with the same words', async () => {
      const { mine, baseUrl } = api();
      const credentials: (string | undefined)[] = [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        mine.apiKey,
        `Basic ${mine.apiKey}`,
        `Bearer ${mine.apiKey} ${mine.apiKey}`,
        `Bearer ${mine.apiKey}, Bearer ${mine.apiKey}`,
        `Bearer ${mine.apiKey.slice(0, -1)}`,
        `Bearer ${mine.apiKey.toLowerCase()}`,
        `Bearer ${generateApiKey('sandbox')}`,
        `Bearer ${await storedKey(api(), { revoked_at: new Date().toISOString() })}`,
        `Bearer ${await storedKey(api(), { expires_at: new Date(Date.now() - 1000).toISOString() })}`,
        'Bearer ../../etc/passwd',
        'Bearer {"$ne":null}',
        `Bearer${mine.apiKey}`,
        `Bearer\t${mine.apiKey}`,
        `Bearer: ${mine.apiKey}`,
        `Bearer "${mine.apiKey}"`,
        `Bearer ${mine.apiKey}=`,
        `Bearer Bearer ${mine.apiKey}`,
        `Digest response="${mine.apiKey}"`,
        `Bearer ${mine.apiKey.replace('vat_test_', 'vat_live_')}`,
        `Bearer ${Buffer.from(mine.apiKey).toString('base64')}`,
        'Bearer \u00fc\u00ff',
        `Bearer ${'a'.repeat(4000)}`,
        ...mistyped(mine.apiKey).map((key) => `Bearer ${key}`),
      ];
      const answers = new Set<string>();
      for (const target of targets) {
        for (const authorization of credentials) {
          const reply = await send(baseUrl, {
            method,
            ...target,
            headers: authorization === undefined ? {} : { Authorization: authorization },
          });
          expect(reply.headers.get('x-request-id')).toBeTruthy();
          answers.add(JSON.stringify(distinguishable(reply)));
        }
      }
      expect([...answers]).toHaveLength(1);
      const [answer = ''] = answers;
      expect(JSON.parse(answer)).toMatchObject({ status: 401, text: '{"detail":"Invalid API key"}' });
      expect(answer).toContain('["www-authenticate","Bearer"]');
    });

    test('takes a usable key, however the scheme is spelled', async () => {
      const { mine, baseUrl } = api();
      for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
        const reply = await send(baseUrl, {
          method,
          ...malformed,
          headers: { authorization: `${scheme} ${mine.apiKey}` },
        });
        expect([200, 400]).toContain(reply.status);
      }
    });

    test('goes by the key alone and finds a key that expires later', async () => {
      const key = await storedKey(api(), { expires_at: new Date(Date.now() + 3_600_000).toISOString() });
      const reply = await send(api().baseUrl, {
        method,
        ...malformed,
        apiKey: key,
      });
      expect([200, 400]).toContain(reply.status);
    });
  });
}

async function storedKey(
  { table, mine }: ApiUnderTest,
  limits: { revoked_at?: string; expires_at?: string },
): Promise<string> {
  const { key, apiKey } = issueApiKey(
    { id: mine.projectId, carrier: 'sandbox' },
    { name: 'test', expiresAt: limits.expires_at ?? null, createdBy: null },
    new Date(),
  );
  await writeTransaction(
    table,
    createApiKeyItems(table, { ...apiKey, revoked_at: limits.revoked_at ?? null }),
  );
  return key;
}

/** Keys with one character mistyped, left out, doubled or inserted. */
function mistyped(key: string): string[] {
  return Array.from({ length: 12 }, (_, index) => {
    const position = Math.floor(((index + Math.random()) * key.length) / 12);
    const [before, character, after] = [
      key.slice(0, position),
      key.charAt(position),
      key.slice(position + 1),
    ];
    switch (index % 4) {
      case 0:
        return `${before}${character === 'x' ? 'y' : 'x'}${after}`;
      case 1:
        return `${before}${after}`;
      case 2:
        return `${before}${character}${character}${after}`;
      default:
        return `${before}${character}-${after}`;
    }
  });
}
