import { expect, test } from 'vitest';
import { parseTwiml } from '#shared/sandbox-phone/line/twiml.ts';
import { stack } from '../support/stack.ts';

test('a call without an answer document plays an apology, whoever asks and whatever they send', async () => {
  const response = await fetch(`${stack().baseUrl}/carrier-fallback`, {
    method: 'POST',
    body: 'ErrorCode=11200',
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/xml/);
  expect(parseTwiml(await response.text()).map(({ verb }) => verb)).toEqual(['say', 'hangup']);
});
