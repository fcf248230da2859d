import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { localRegion } from '../template/physical-names.ts';

/** Allowed clock skew of the signer. */
const clockSkewMs = 15 * 60_000;

/**
 * The status, code and message with which S3 refuses a presigned URL, or null if its scope, signature and time
 * are valid ("Authenticating Requests: Using Query Parameters" in the Amazon S3 API Reference).
 *
 * @param url path and query as sent
 */
export function presignedUrlError(
  { method, url, headers }: { method: string; url: string; headers: IncomingHttpHeaders },
  secretAccessKey: string,
  now: Date,
): { status: number; code: string; message: string } | null {
  const [path = '', query = ''] = url.split('?');
  const sent = query.split('&');
  const parameters = new URLSearchParams(query);
  const value = (name: string): string => parameters.get(`X-Amz-${name}`) ?? '';
  const signedAtMs = Date.parse(
    value('Date').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  const lifetimeSeconds = value('Expires') === '' ? Number.NaN : Number(value('Expires'));
  const [, ...scope] = value('Credential').split('/');
  const malformed = (message: string) => ({
    status: 400,
    code: 'AuthorizationQueryParametersError',
    message,
  });
  const refused = (code: string, message: string) => ({ status: 403, code, message });
  if (value('Algorithm') !== 'AWS4-HMAC-SHA256' || Number.isNaN(signedAtMs) || !(lifetimeSeconds <= 604_800))
    return malformed('Error parsing the X-Amz-* parameters');
  if (scope.join('/') !== `${value('Date').slice(0, 8)}/${localRegion}/s3/aws4_request`)
    return malformed('Error parsing the X-Amz-Credential parameter: its date, region or service is wrong');
  const names = value('SignedHeaders').split(';');
  const request = [
    method,
    path,
    sent
      .filter((parameter) => !parameter.startsWith('X-Amz-Signature='))
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', value('Date'), scope.join('/'), sha256(request)].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  if (hmac(key, toSign).toString('hex') !== value('Signature'))
    return refused('SignatureDoesNotMatch', 'The request signature we calculated does not match.');
  if (now.getTime() > signedAtMs + lifetimeSeconds * 1000)
    return refused('AccessDenied', 'Request has expired');
  if (now.getTime() < signedAtMs - clockSkewMs) return refused('AccessDenied', 'Request is not yet valid');
  return null;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
