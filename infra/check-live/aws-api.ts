import { createHash, createHmac } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SignatureV4 } from '@smithy/signature-v4';
import { ask, type Reply } from './ask.ts';

/** Services that need one request each, too little for client libraries of their own. */
export type AwsService = 'cloudformation' | 'lambda' | 'ses' | 'sns';

export interface AwsRequest {
  readonly service: AwsService;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Form-encoded parameters. */
  readonly form?: Readonly<Record<string, string>>;
}

/**
 * Sends a signed request with the region and credentials of the environment, and throws only without these. Null when
 * the service is missing, as in the local stack.
 */
export async function askAws(
  { service, method, path, form }: AwsRequest,
  timeoutMs: number,
): Promise<Reply | null> {
  // Only an SDK client knows where the environment says these.
  const { config } = new SecretsManagerClient({});
  const region = await config.region();
  const endpoint = endpointOf(service, region);
  if (endpoint === null) return null;
  const credentials = await config.credentials();
  try {
    const url = new URL(path, endpoint);
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
    const { headers } = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      path: url.pathname,
      headers: {
        host: url.host,
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return await ask(url.href, { method, headers, timeoutMs, ...(body === undefined ? {} : { body }) });
  } catch {
    return { status: null, why: 'unreachable' };
  }
}

/** As the SDK finds it. The local stack names its services; it lacks the others. */
function endpointOf(service: AwsService, region: string): string | null {
  const named = process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ?? process.env.AWS_ENDPOINT_URL;
  if (named !== undefined) return named;
  const table = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (table !== undefined && new URL(table).hostname === '127.0.0.1') return null;
  return `https://${service === 'ses' ? 'email' : service}.${region}.amazonaws.com`;
}

/** The hash interface of the signer, on Node's own crypto. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
