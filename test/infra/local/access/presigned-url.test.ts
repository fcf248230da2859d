import { expect, test } from 'vitest';
import { presignedUrlError } from '../../../../infra/local/access/presigned-url.ts';

// The worked example of "Authenticating Requests: Using Query Parameters" in the Amazon S3 API Reference.
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const example = {
  method: 'GET',
  url:
    '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
    '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
    '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host: 'examplebucket.s3.amazonaws.com' },
};
const refusalAt = (time: string, change: Partial<typeof example> = {}) =>
  presignedUrlError({ ...example, ...change }, secretAccessKey, new Date(time));
const errorAt = (...at: Parameters<typeof refusalAt>) => refusalAt(...at)?.code ?? null;

test("a presigned URL is valid for its lifetime, and 15 minutes before it by its signer's clock", () => {
  expect(errorAt('2013-05-23T23:45:00Z')).toBeNull();
  expect(errorAt('2013-05-25T00:00:00Z')).toBeNull();
  expect(errorAt('2013-05-23T23:44:59Z')).toBe('AccessDenied');
  expect(errorAt('2013-05-25T00:00:01Z')).toBe('AccessDenied');
});

test.each([
  ['another method', { method: 'PUT' }],
  ['another host', { headers: { host: 'other.s3.amazonaws.com' } }],
  ['another object', { url: example.url.replace('test', 'text') }],
])('a presigned URL is invalid for %s', (_, change) => {
  expect(errorAt('2013-05-24T00:00:00Z', change)).toBe('SignatureDoesNotMatch');
});

test.each(['Algorithm', 'Date', 'Expires'])('a URL without X-Amz-%s is none', (name) => {
  const url = example.url.replace(new RegExp(`X-Amz-${name}=[^&]*&`), '');
  expect(errorAt('2013-05-24T00:00:00Z', { url })).toBe('AuthorizationQueryParametersError');
});

test.each([
  ['service', 's3', 'dynamodb'],
  ['region', 'us-east-1', 'eu-west-1'],
  ['day', '20130524', '20130525'],
])('a URL signed for another %s is none', (_, own, other) => {
  const url = example.url.replace(`%2F${own}%2F`, `%2F${other}%2F`);
  expect(refusalAt('2013-05-24T00:00:00Z', { url })).toMatchObject({
    status: 400,
    code: 'AuthorizationQueryParametersError',
  });
});

test('a lifetime of more than a week is refused', () => {
  const url = example.url.replace('86400', '604801');
  expect(errorAt('2013-05-24T00:00:00Z', { url })).toBe('AuthorizationQueryParametersError');
});
