import { expect, test } from 'vitest';
import { respondJson, startTestServer } from '../../support/http-server.ts';
import { forThisTest } from '../../support/lifetime.ts';
import { dynamoService } from './aws-services.ts';
import { HttpOrigin } from './http-origin.ts';

test("functions see an item's attributes in the same order, whatever the server's order", async () => {
  const answers = [
    { Item: { pk: { S: 'a' }, listed: { M: { b: { N: '1' }, a: { N: '2' } } } } },
    { Item: { listed: { M: { a: { N: '2' }, b: { N: '1' } } }, pk: { S: 'a' } } },
  ];
  const left = [...answers];
  const { origin } = await forThisTest(
    startTestServer((_, response) => respondJson(response, 200, left.shift())),
  );
  const server = { origin: new HttpOrigin(() => Number(new URL(origin).port)) };
  const service = dynamoService(server, { asSeen: (_, answer) => answer }, async () => {});
  const ask = async (): Promise<string> => {
    const headers = { 'x-amz-target': 'DynamoDB_20120810.GetItem' };
    const request = { method: 'POST', url: new URL(origin), headers, body: Buffer.from('{}') };
    return (await service.answer(request)).body.toString('utf8');
  };
  const first = await ask();
  expect(JSON.parse(first)).toEqual(answers[0]);
  expect(await ask()).toBe(first);
  server.origin.close();
});
