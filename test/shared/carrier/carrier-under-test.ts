import type { ServerResponse } from 'node:http';
import { type CarrierClient, createCarrierClient } from '#shared/carrier/carrier-client.ts';
import { CarrierError } from '#shared/carrier/carrier-error.ts';
import { type SeenRequest, startTestServer } from '../../support/http-server.ts';
import { forThisTest } from '../../support/lifetime.ts';

export const accountSid = `AC${'0'.repeat(31)}1`;
export const callSid = `CA${'0'.repeat(31)}a`;
export const recordingSid = `RE${'0'.repeat(30)}b1`;
export const credentials = { accountSid, restUser: 'SK1', restPassword: 'secret' };
export const authorization = `Basic ${Buffer.from('SK1:secret').toString('base64')}`;

export async function carrier(
  respond: (request: SeenRequest, response: ServerResponse) => void | Promise<void>,
  options: { requestTimeoutMs?: number; mediaTimeoutMs?: number; prefix?: string } = {},
): Promise<{ client: CarrierClient; requests: SeenRequest[]; origin: string }> {
  const server = await forThisTest(startTestServer(respond));
  const { prefix = '', ...timeouts } = options;
  const client = createCarrierClient({ baseUrl: `${server.origin}${prefix}`, credentials, ...timeouts });
  return { client, requests: server.requests, origin: server.origin };
}

export async function errorOf(work: Promise<unknown>): Promise<CarrierError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CarrierError)) throw new Error('a carrier error was expected');
  return error;
}
