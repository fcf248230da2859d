import { expect, test } from 'vitest';
import { builtBundles } from '../../infra/assembly.ts';
import { routes } from '../../infra/routes.ts';
import { countRequests } from './count-requests.ts';
import { maxRequests } from './request-bounds.ts';

test('every /v1 endpoint stays within its DynamoDB requests', async () => {
  const counts = await countRequests(await builtBundles());
  const endpoints = routes.filter(({ path }) => path.startsWith('/v1/'));
  expect([...counts.keys()].sort()).toEqual(endpoints.map((route) => route.function).sort());
  for (const [name, { hot }] of counts) {
    expect(hot.length, `${name}: ${hot}`).toBeGreaterThan(0);
    expect(hot.length, `${name}: ${hot}`).toBeLessThanOrEqual(maxRequests(name));
  }
}, 120_000);
