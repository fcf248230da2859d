import { Account } from './account.ts';
import { isAuthentic } from './authentication.ts';
import { notFound, RestError } from './rest-error.ts';
import type { RestRequest, RestResponse } from './rest-exchange.ts';
import { json } from './rest-exchange.ts';
import type { RestServices } from './rest-services.ts';

/** Answers a request to the simulated carrier's REST API, version 2010-04-01 (twilio.com/docs/voice/api). */
export async function handleRequest(services: RestServices, request: RestRequest): Promise<RestResponse> {
  try {
    const accountSid = await authenticatedAccount(services, request.headers.authorization);
    if (request.pathParameters.account_sid !== accountSid) throw notFound();
    return await new Account(services, request, accountSid).answer();
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const challenge = error.status === 401 ? { 'WWW-Authenticate': 'Basic realm="Twilio API"' } : {};
    return json(error.status, error.toBody(), challenge);
  }
}

/** Like the carrier, knows a rotated token at once. */
async function authenticatedAccount(
  { credentials, renewedCredentials }: RestServices,
  authorization: string | undefined,
): Promise<string> {
  const known = await credentials();
  if (isAuthentic(authorization, known)) return known.accountSid;
  const renewed = await renewedCredentials();
  if (isAuthentic(authorization, renewed)) return renewed.accountSid;
  throw new RestError(401, 20003, 'Authenticate');
}
