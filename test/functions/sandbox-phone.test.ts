import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context, SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandboxTable } from '../shared/sandbox-phone/sandbox-table.ts';
import {
  type FunctionEnvironment,
  sandboxAuthToken,
  startFunctionEnvironment,
} from '../support/function-environment.ts';
import { respondJson, startTestServer, type TestServer } from '../support/http-server.ts';
import { formPostEvent, lambdaContext, queueEvent } from '../support/lambda-events.ts';

const sandboxTable = `sandbox-${randomUUID()}`;
const accountSid = `AC${'0'.repeat(31)}1`;

let environment: FunctionEnvironment;
let application: TestServer;
let answer: (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
let play: (event: SQSEvent, context: Context) => Promise<object>;
beforeAll(async () => {
  application = await startTestServer((_, response) => respondJson(response, 200, {}));
  environment = await startFunctionEnvironment({
    PUBLIC_BASE_URL: application.origin,
    RELAY_URL: application.origin.replace('http', 'ws'),
    SANDBOX_TABLE_NAME: sandboxTable,
    SANDBOX_BUCKET: 'sandbox',
    SANDBOX_PHONE_PACE: '0',
    SANDBOX_PHONE_SPEECH: 'voices',
    SANDBOX_PHONE_CALLS_PER_SECOND: '0',
    LOG_LEVEL: 'silent',
  });
  process.env.SANDBOX_LINE_QUEUE_URL = environment.queues.createQueue('line');
  await createSandboxTable(new DynamoDBClient({}), sandboxTable);
  ({ handler: answer } = await import('../../functions/sandbox-phone-api.ts'));
  ({ handler: play } = await import('../../functions/sandbox-phone-line.ts'));
});
afterAll(() => Promise.all([environment.stop(), application.stop()]));

function createCall(form: Record<string, string>, password = sandboxAuthToken): APIGatewayProxyEvent {
  return formPostEvent({
    resource: '/sandbox-phone/2010-04-01/Accounts/{account_sid}/Calls.json',
    path: `/sandbox-phone/2010-04-01/Accounts/${accountSid}/Calls.json`,
    pathParameters: { account_sid: accountSid },
    headers: {
      authorization: `Basic ${Buffer.from(`${accountSid}:${password}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  });
}

test('the line plays a call that the REST API accepted', async () => {
  const created = await answer(
    createCall({
      To: '+12025550110',
      From: '+12025550190',
      Url: `${application.origin}/answer`,
      StatusCallback: `${application.origin}/status`,
    }),
    lambdaContext,
  );
  expect(created.statusCode).toBe(201);
  const [message] = environment.queues.messages('line');
  expect(message?.body).toEqual({ call_sid: JSON.parse(created.body).sid });

  const bodies = [JSON.stringify(message?.body), '{"call":"none"}', '{"call_sid":"CA-unknown"}'];
  expect(await play(queueEvent(bodies), lambdaContext)).toEqual({
    batchItemFailures: [{ itemIdentifier: '1' }],
  });
  expect(application.requests.map(({ url }) => url)).toEqual(['/status']);
  expect(new URLSearchParams(application.requests[0]?.body).get('CallStatus')).toBe('busy');
});

test("the account lists its numbers in the carrier's format", async () => {
  const list = async (resource: string, phoneNumber: string): Promise<string[]> => {
    const path = `/2010-04-01/Accounts/${accountSid}/${resource}.json`;
    const event = {
      ...createCall({}),
      httpMethod: 'GET',
      resource: `/sandbox-phone/2010-04-01/Accounts/{account_sid}/${resource}.json`,
      path: `/sandbox-phone${path}`,
      queryStringParameters: { PhoneNumber: phoneNumber },
      multiValueQueryStringParameters: { PhoneNumber: [phoneNumber] },
      body: null,
    };
    const { statusCode, body } = await answer(event, lambdaContext);
    expect(statusCode).toBe(200);
    const page = JSON.parse(body);
    expect(page.uri).toContain(`${path}?`);
    const found = page.incoming_phone_numbers ?? page.outgoing_caller_ids;
    return found.map((own: { phone_number: string }) => own.phone_number);
  };
  expect(await list('IncomingPhoneNumbers', '+12025550199')).toEqual(['+12025550199']);
  expect(await list('OutgoingCallerIds', '+12025550197')).toEqual(['+12025550197']);
  expect(await list('IncomingPhoneNumbers', '+12025550150')).toEqual([]);
});

test("a refusal has the carrier's body and status", async () => {
  const refused = await answer(createCall({ To: '+12025550110' }, 'wrong'), lambdaContext);
  expect(refused.statusCode).toBe(401);
  expect(JSON.parse(refused.body)).toMatchObject({ code: 20003, status: 401 });
});
