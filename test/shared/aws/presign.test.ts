import { createHash, createHmac } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectUrl, presignGet } from '#shared/aws/presign.ts';
import { openTable } from '#shared/table/client.ts';
import { presignedLinkCases } from '../../support/presigned-links.ts';

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

/** The signature that S3 computes for a presigned GET, as its API reference describes it. */
function signatureS3Computes(link: string): string {
  const { host, pathname, search } = new URL(link);
  const parameters = search.slice(1).split('&');
  const signed = parameters.filter((parameter) => !parameter.startsWith('X-Amz-Signature=')).sort();
  const value = (name: string): string =>
    decodeURIComponent(parameters.find((parameter) => parameter.startsWith(`${name}=`))?.split('=')[1] ?? '');
  const request = ['GET', pathname, signed.join('&'), `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join(
    '\n',
  );
  const [, ...scope] = value('X-Amz-Credential').split('/');
  const toSign = [
    'AWS4-HMAC-SHA256',
    value('X-Amz-Date'),
    scope.join('/'),
    createHash('sha256').update(request).digest('hex'),
  ];
  const key = scope.reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  return createHmac('sha256', key).update(toSign.join('\n')).digest('hex');
}

const signatureOf = (link: string): string | null => new URL(link).searchParams.get('X-Amz-Signature');

describe('a presigned link', () => {
  test('has the signature that S3 computes', async () => {
    // The worked example of "Authenticating Requests: Using Query Parameters" in the Amazon S3 API Reference.
    const example =
      'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';
    expect(signatureS3Computes(example)).toBe(signatureOf(example));

    const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey };
    for (const extra of [{}, { sessionToken: 'to+ken/=' }]) {
      const { config } = openTable(
        'any',
        new DynamoDBClient({ region: 'eu-west-1', credentials: { ...credentials, ...extra } }),
      ).client;
      for (const env of [{}, { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000' }]) {
        const url = objectUrl('recordings', 'recordings/p/odd name(1)é.wav', 'eu-west-1', env);
        const link = await presignGet(url, config, { lifetimeSeconds: 300 });
        expect(link.startsWith(`${url.href}?`)).toBe(true);
        expect(signatureOf(link)).toBe(signatureS3Computes(link));
      }
    }
  });

  test('is signed for S3, also with the configuration of a client that has sent a request', async () => {
    const { client } = openTable(
      'any',
      new DynamoDBClient({
        region: 'eu-west-1',
        credentials: { accessKeyId: 'a', secretAccessKey },
        requestHandler: { handle: () => Promise.reject(new Error('sent')) },
        maxAttempts: 1,
      }),
    );
    await expect(client.send(new GetCommand({ TableName: 'any', Key: { pk: 'a' } }))).rejects.toThrow('sent');
    const link = await presignGet(objectUrl('bucket', 'key', 'eu-west-1', {}), client.config, {
      lifetimeSeconds: 300,
      now: new Date('2026-03-02T15:00:00Z'),
    });
    expect(new URL(link).searchParams.get('X-Amz-Credential')).toBe('a/20260302/eu-west-1/s3/aws4_request');
    expect(signatureOf(link)).toBe(signatureS3Computes(link));
  });

  test("carries the session token of a function's temporary credentials", async () => {
    const { config } = openTable(
      'any',
      new DynamoDBClient({
        region: 'eu-west-1',
        credentials: { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'to+ken/=' },
      }),
    ).client;
    const link = await presignGet(objectUrl('bucket', 'key', 'eu-west-1', {}), config, {
      lifetimeSeconds: 300,
    });
    expect(link).toContain('X-Amz-Security-Token=to%2Bken%2F%3D');
    expect(new URL(link).searchParams.get('X-Amz-Expires')).toBe('300');
  });
});

describe('the address of an object', () => {
  test.each([
    [{}, 'us-east-1', 'https://recordings.s3.us-east-1.amazonaws.com/a/b%20c%281%29.wav'],
    [{}, 'cn-north-1', 'https://recordings.s3.cn-north-1.amazonaws.com.cn/a/b%20c%281%29.wav'],
    [
      { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000/' },
      'us-east-1',
      'http://127.0.0.1:9000/recordings/a/b%20c%281%29.wav',
    ],
    [
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' },
      'us-east-1',
      'http://127.0.0.1:9000/recordings/a/b%20c%281%29.wav',
    ],
  ])('with %j in %s is %s', (env, region, url) => {
    expect(objectUrl('recordings', 'a/b c(1).wav', region, env).href).toBe(url);
  });
});

const {
  S3_ENDPOINT = '',
  S3_BUCKET: Bucket = '',
  AWS_ACCESS_KEY_ID = '',
  AWS_SECRET_ACCESS_KEY = '',
} = process.env;

// Another server that verifies URLs, as docs/contributing.md describes.
describe.skipIf(S3_ENDPOINT === '')('the S3 that S3_ENDPOINT names', () => {
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  const Key = 'recordings/p/odd name(1)é.wav';
  const client = new S3Client({
    endpoint: S3_ENDPOINT,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
  });
  beforeAll(async () => {
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'sound' }));
  });
  afterAll(() => client.destroy());

  test.each(presignedLinkCases)('matches the reference: a link %s', async (_, sign, expected) => {
    const object = objectUrl(Bucket, Key, 'us-east-1', { AWS_ENDPOINT_URL: S3_ENDPOINT });
    const response = await fetch(await sign(object, credentials));
    expect([response.status, await response.text()]).toEqual(expected('sound'));
  });
});
