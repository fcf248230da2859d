import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeSignature } from '#shared/carrier/signature.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { createCallItem } from '#shared/table/call.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { capturedLog } from '../support/captured-log.ts';
import {
  type FunctionEnvironment,
  sandboxAuthToken,
  startFunctionEnvironment,
} from '../support/function-environment.ts';
import { formPostEvent, lambdaContext } from '../support/lambda-events.ts';
import { sampleCall, sampleProject, sampleTask } from '../support/sample-tasks.ts';

let environment: FunctionEnvironment;
let handler: (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
beforeAll(async () => {
  environment = await startFunctionEnvironment();
  ({ handler } = await import('../../functions/carrier-callback.ts'));
});
afterAll(() => environment.stop());

const call = sampleCall(sampleTask(sampleProject()));
const form = `CallSid=CA${'0'.repeat(31)}a&CallStatus=in-progress&From=%2B12025550199&ToState=&SequenceNumber=2`;

function callback(
  kind: string,
  changes: {
    body?: string | null;
    signature?: string;
    ids?: [string, string];
    isBase64Encoded?: boolean;
  } = {},
): Promise<APIGatewayProxyResult> {
  const { body = form, isBase64Encoded = false } = changes;
  const [taskId, callId] = changes.ids ?? [call.task_id, call.id];
  const path = `/carrier/${kind}/${taskId}/${callId}`;
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString('utf8') : (body ?? '');
  const signature =
    changes.signature ??
    computeSignature(sandboxAuthToken, `https://api.example.test/prod${path}`, new URLSearchParams(text));
  return handler(
    formPostEvent({
      resource: '/carrier/{callback+}',
      path,
      pathParameters: { callback: `${kind}/${taskId}/${callId}` },
      // Header names keep the sender's case.
      headers: {
        'x-TWILIO-signature': signature,
        'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      },
      body,
      isBase64Encoded,
    }),
    lambdaContext,
  );
}

describe('a signed callback', () => {
  test('is passed on and answered with an empty response', async () => {
    expect(await callback('status')).toMatchObject({ statusCode: 204, body: '' });
    expect(environment.queues.messages('calls')).toHaveLength(1);
  });

  test('is decoded if the gateway encoded its body', async () => {
    const body = Buffer.from(form).toString('base64');
    expect(await callback('recording', { body, isBase64Encoded: true })).toMatchObject({ statusCode: 204 });
  });

  test('gets a document if it asks for instructions', async () => {
    await writeTransaction(environment.tables.table, [createCallItem(environment.tables.table, call)]);
    const answer = await callback('answer');
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'Content-Type': 'text/xml' } });
    expect(answer.body).toContain('<ConversationRelay url="wss://ws.example.test/relay"');
    const end = await callback('relay-end', { body: `${form}&SessionStatus=ended` });
    expect(end).toMatchObject({ statusCode: 200 });
    expect(end.body).toContain('<Hangup/>');
  });
});

describe('refuses anything else without an error of its own', () => {
  test.each(['status', 'answer', 'recording', 'relay-end'])('unsigned: %s', async (kind) => {
    for (const signature of ['', 'x', 'SrXjXuD4u1fkuwVz+F4GUV5pRv8=', '\u00ff'.repeat(28)]) {
      const answer = await callback(kind, { signature });
      expect(answer).toMatchObject({ statusCode: 403, body: '{"detail":"Forbidden"}' });
    }
  });

  test('raises an alarm if signed with a token or address of another account while a call is in progress', async () => {
    const task = sampleTask(sampleProject());
    const underWay = sampleCall(task);
    await writeTransaction(environment.tables.table, [createCallItem(environment.tables.table, underWay)]);
    const refused = (ids: [string, string]) =>
      capturedLog(() => callback('status', { signature: 'AAAA', ids }));
    const lines = (await refused([underWay.task_id, underWay.id])).split('\n');
    const alarming = lines.filter((line) => line.includes(alarmingEvents.carrierSignatureRefused));
    expect(alarming.map((line) => JSON.parse(line))).toMatchObject([
      { addresses: `https://api.example.test/prod/carrier/status/${underWay.task_id}/${underWay.id}` },
    ]);
    // Strangers may sign anything.
    expect(await refused([underWay.task_id, uuidv7()])).not.toContain(alarmingEvents.carrierSignatureRefused);
  });

  test.each(['status', 'answer', 'recording', 'relay-end'])('garbage in a signed %s', async (kind) => {
    const bodies = [
      null,
      '',
      '%',
      '%ff%fe=%00',
      '{"a":1}',
      '&&&===',
      `CallSid=${'x'.repeat(100_000)}`,
      '__proto__=1',
    ];
    for (const body of bodies) {
      expect((await callback(kind, { body })).statusCode).toBeLessThan(300);
    }
  });

  test.each([
    ['x', 'y'],
    ['', ''],
    ['../..', '%2e%2e'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', "'"],
  ] as [string, string][])('ids that are none: %s %s', async (...ids) => {
    for (const kind of ['status', 'answer', 'recording', 'relay-end']) {
      expect((await callback(kind, { ids })).statusCode).toBe(404);
    }
  });
});
