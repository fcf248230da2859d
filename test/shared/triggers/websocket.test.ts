import { describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/domain/errors.ts';
import { type RelaySocketHandlers, relaySocket } from '#shared/triggers/websocket.ts';
import { lambdaContext } from '../../support/lambda-events.ts';

type SocketEvent = Parameters<ReturnType<typeof relaySocket>>[0];

const event = (
  eventType: 'CONNECT' | 'MESSAGE' | 'DISCONNECT',
  changes: Partial<SocketEvent> = {},
): SocketEvent => ({
  requestContext: {
    routeKey: eventType === 'MESSAGE' ? '$default' : `$${eventType.toLowerCase()}`,
    messageId: 'm-1',
    eventType,
    extendedRequestId: 'r-1',
    requestTime: '',
    messageDirection: 'IN',
    stage: 'relay',
    connectedAt: 0,
    requestTimeEpoch: 0,
    requestId: 'r-1',
    domainName: 'localhost',
    connectionId: 'c-1',
    apiId: 'api',
  },
  isBase64Encoded: false,
  ...changes,
});

const handlers = (changes: Partial<RelaySocketHandlers> = {}): RelaySocketHandlers => ({
  connect: () => Promise.resolve(),
  message: () => Promise.resolve(),
  disconnect: () => Promise.resolve(),
  ...changes,
});

describe('the relay socket', () => {
  test('passes each event to its handler', async () => {
    const seen: unknown[] = [];
    const note = async (value: unknown): Promise<void> => void seen.push(value);
    const handler = relaySocket({ connect: note, message: note, disconnect: note });
    await handler(
      event('CONNECT', {
        multiValueHeaders: { 'X-Twilio-Signature': ['s'] },
        multiValueQueryStringParameters: { a: ['1'] },
      }),
      lambdaContext,
    );
    await handler(event('MESSAGE', { body: '{"type":"setup"}' }), lambdaContext);
    await handler(event('DISCONNECT'), lambdaContext);
    expect(seen).toEqual([
      { connectionId: 'c-1', headers: { 'x-twilio-signature': 's' }, query: new URLSearchParams('a=1') },
      { connectionId: 'c-1', messageId: 'm-1', body: '{"type":"setup"}' },
      { connectionId: 'c-1', closeCode: null },
    ]);
  });

  test('refuses a handshake as the handler decides, and by 500 on errors', async () => {
    for (const [error, statusCode] of [
      [new ServiceError('unauthenticated', 'no'), 401],
      [new ServiceError('forbidden', 'no'), 403],
      [new Error('fault'), 500],
    ] as const) {
      const handler = relaySocket(handlers({ connect: () => Promise.reject(error) }));
      expect(await handler(event('CONNECT'), lambdaContext)).toEqual({ statusCode, body: '' });
    }
  });

  test('never fails on a frame, so the gateway sends the carrier no frame of its own', async () => {
    const handler = relaySocket(
      handlers({
        message: () => {
          throw new Error('fault');
        },
        disconnect: () => Promise.reject(new Error('fault')),
      }),
    );
    for (const type of ['MESSAGE', 'DISCONNECT'] as const) {
      expect(await handler(event(type, { body: '\u0000{' }), lambdaContext)).toEqual({
        statusCode: 200,
        body: '',
      });
    }
  });
});
