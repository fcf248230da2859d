import { Agent, request } from 'node:http';

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A real server on this machine, called one request at a time over one connection. */
export class HttpOrigin {
  readonly #port: () => number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: () => number) {
    this.#port = port;
  }

  ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer | string,
  ): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.#port(),
          method,
          path,
          agent: this.#agent,
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(
                Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
              ),
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }

  /** Calls an AWS service that speaks JSON; throws for any response but success. */
  async askJson(target: string, version: '1.0' | '1.1', input: object): Promise<unknown> {
    const { status, body } = await this.ask(
      'POST',
      '/',
      {
        'content-type': `application/x-amz-json-${version}`,
        'x-amz-target': target,
        'x-amz-date': '20260101T000000Z',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/service/aws4_request, SignedHeaders=host, Signature=0',
      },
      JSON.stringify(input),
    );
    const text = body.toString('utf8');
    if (status !== 200) throw new Error(`${target} was answered ${status}: ${text.slice(0, 300)}`);
    return text === '' ? {} : JSON.parse(text);
  }

  close(): void {
    this.#agent.destroy();
  }
}
