import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { awsDomain, type SigningConfig } from './signed-requests.ts';

/**
 * A temporary URL for anyone to GET one object. It grants access, so it is never logged.
 *
 * @param objectUrl the object's plain URL
 * @param fileName for downloading in a browser; without it, the browser plays it
 */
export async function presignGet(
  objectUrl: URL,
  config: SigningConfig,
  {
    lifetimeSeconds,
    now = new Date(),
    fileName,
  }: { lifetimeSeconds: number; now?: Date; fileName?: string | undefined },
): Promise<string> {
  const { credentials, region, sha256 } = config;
  // No other member: the config of a client that has sent a request names its own service as the one to sign for.
  const presigner = new S3RequestPresigner({ credentials, region, sha256, service: 's3' });
  const { protocol, hostname, port, pathname } = objectUrl;
  const signed = await presigner.presign(
    {
      method: 'GET',
      protocol,
      hostname,
      ...(port === '' ? {} : { port: Number(port) }),
      path: pathname,
      headers: {},
      ...(fileName === undefined
        ? {}
        : { query: { 'response-content-disposition': `attachment; filename="${fileName}"` } }),
    },
    { expiresIn: lifetimeSeconds, signingDate: now },
  );
  const query = Object.entries(signed.query ?? {}).map(
    ([name, value]) => `${encode(name)}=${encode(String(value))}`,
  );
  return `${objectUrl.origin}${pathname}?${query.join('&')}`;
}

/**
 * The URL of an object: at the endpoint in the environment, as the SDK would, otherwise under the bucket's own host
 * name.
 */
export function objectUrl(bucket: string, key: string, region: string, env = process.env): URL {
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  const path = key.split('/').map(encode).join('/');
  if (endpoint !== undefined) return new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/${path}`);
  return new URL(`https://${bucket}.s3.${region}.${awsDomain(region)}/${path}`);
}

/** RFC 3986, which is stricter than encodeURIComponent, and what the signature covers. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
