import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());

type Limit = ReturnType<typeof projectRateLimit>;

const windowStartMs = Date.parse('2026-03-02T15:00:00.000Z');
const refusal = { code: 'too_many_requests', detail: 'Too many requests' };

/** How many of this many consecutive requests were allowed. */
async function letThrough(limitRate: Limit, projectId: string, requests: number): Promise<number> {
  let passed = 0;
  for (let request = 0; request < requests; request += 1) {
    const isPassed = await limitRate({ projectId }).then(
      () => true,
      () => false,
    );
    if (isPassed) passed += 1;
  }
  return passed;
}

describe('the rate limit of a project', () => {
  test('is exact within one instance, and for its next window', async () => {
    const projectId = uuidv7();
    const open = () => projectRateLimit(embedded.table, '20', () => windowStartMs + 2_500);
    expect(await letThrough(open(), projectId, 300)).toBe(200);
    // Another instance has its own hundredth before it learns about the others.
    expect(await letThrough(open(), projectId, 50)).toBeLessThanOrEqual(1);
  });

  test('is kept across instances within a hundredth for each', async () => {
    const projectId = uuidv7();
    const instances = Array.from({ length: 8 }, () =>
      projectRateLimit(embedded.table, '30', () => windowStartMs),
    );
    const passed = await Promise.all(instances.map((instance) => letThrough(instance, projectId, 120)));
    const total = passed.reduce((sum, count) => sum + count, 0);
    // 30 per second for 10 s; of each instance, 3 - 1 that it had not reported yet, and a refused report
    // counts, too.
    expect(total).toBeLessThanOrEqual(300 + 8 * 2);
    expect(total).toBeGreaterThanOrEqual(300 - 8 * 3);
  });

  test('reports exactly when the next request is admitted', async () => {
    const projectId = uuidv7();
    let nowMs = windowStartMs + 3_400;
    const limitRate = projectRateLimit(embedded.table, '1', () => nowMs);
    expect(await letThrough(limitRate, projectId, 10)).toBe(10);
    await expect(limitRate({ projectId })).rejects.toMatchObject({
      ...refusal,
      headers: { 'Retry-After': '7' },
    });
    nowMs = windowStartMs + 9_999;
    await expect(limitRate({ projectId })).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
    nowMs += 1_000;
    expect(await limitRate({ projectId })).toEqual({
      RateLimit: '"project";r=9;t=10',
      'RateLimit-Policy': '"project";q=10;w=10',
    });
    expect(await limitRate({ projectId })).toMatchObject({ RateLimit: '"project";r=8;t=10' });
  });

  test('sends no headers without a limit', async () => {
    expect(await projectRateLimit(embedded.table, '0')({ projectId: uuidv7() })).toEqual({});
  });

  test('does not affect other projects', async () => {
    const limitRate = projectRateLimit(embedded.table, '1', () => windowStartMs);
    const [busy, quiet] = [uuidv7(), uuidv7()];
    expect(await letThrough(limitRate, busy, 30)).toBe(10);
    expect(await letThrough(limitRate, quiet, 5)).toBe(5);
  });

  test('is off if set to 0', async () => {
    const limitRate = projectRateLimit(embedded.table, '0', () => windowStartMs);
    expect(await letThrough(limitRate, uuidv7(), 500)).toBe(500);
  });

  test('costs an infrequent project no table requests, and a busy one one per hundredth', async () => {
    const proxy = await startTableProxy(embedded, (_, forward) => forward());
    try {
      const limitRate = projectRateLimit(proxy.table, '50', () => windowStartMs);
      await letThrough(limitRate, uuidv7(), 4);
      expect(proxy.operations).toEqual([]);
      await letThrough(limitRate, uuidv7(), 1_000);
      expect(proxy.operations).toEqual(Array.from({ length: 100 }, () => 'UpdateItem'));
    } finally {
      await proxy.stop();
    }
  });

  test('is kept per instance while the table cannot be written', async () => {
    const proxy = await startTableProxy(embedded, async (_, __, response) => {
      response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end('{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"}');
    });
    try {
      const limitRate = projectRateLimit(proxy.table, '2', () => windowStartMs);
      expect(await letThrough(limitRate, uuidv7(), 40)).toBe(20);
    } finally {
      await proxy.stop();
    }
  });

  test('is counted in an item with a time to live', async () => {
    const projectId = uuidv7();
    const nowMs = windowStartMs + 1;
    await letThrough(
      projectRateLimit(embedded.table, '1', () => nowMs),
      projectId,
      3,
    );
    const { Item } = await embedded.table.client.send(
      new GetCommand({
        TableName: embedded.table.name,
        Key: { pk: `RATE#${projectId}`, sk: 'WINDOW#2026-03-02T15:00:00.000Z' },
      }),
    );
    expect(Item).toMatchObject({
      requests: 3,
      type: 'rate-window',
      expires_at_seconds: windowStartMs / 1000 + 120,
    });
  });

  test.each(['', '-1', '1.5', 'many'])('cannot be %j', (requestsPerSecond) => {
    expect(() => projectRateLimit(openTable('none'), requestsPerSecond)).toThrow();
  });
});
