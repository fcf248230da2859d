import { EventEmitter } from 'node:events';
import http from 'node:http';
import { Readable, Writable } from 'node:stream';
import {
  ConnectionError,
  type ConnectionFault,
  type OutgoingRequest,
  type OutgoingResponse,
  type RequestOutcome,
  type Sender,
} from './outgoing-request.ts';

/*
 * What a function gets as `node:http` and as `fetch`: both pass the request to the simulated network instead of a
 * socket. Below the code of the SDK and the product, so none of it is replaced.
 */

interface RequestOptions {
  readonly method?: string;
  readonly protocol?: string;
  readonly host?: string;
  readonly hostname?: string;
  readonly port?: number | string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | number | readonly string[]>>;
}

/** The part of `node:http` (or, with `https:`, of `node:https`) that an SDK client uses. */
export function virtualHttp(protocol: 'http:' | 'https:', send: Sender): object {
  return {
    ...http,
    Agent: class Agent {
      readonly sockets = {};
      readonly requests = {};
      readonly maxSockets = Number.POSITIVE_INFINITY;
      destroy(): void {}
    },
    request: (options: RequestOptions, onResponse?: (response: object) => void) =>
      new ClientRequest(protocol, options, onResponse ?? (() => {}), send),
  };
}

class ClientRequest extends Writable {
  readonly socket = Object.assign(new EventEmitter(), {
    connecting: false,
    setKeepAlive: () => {},
    setTimeout: () => {},
    destroy: () => {},
  });
  readonly #chunks: Buffer[] = [];
  readonly #request: Omit<OutgoingRequest, 'body'>;
  readonly #onResponse: (response: object) => void;
  readonly #send: Sender;

  constructor(
    protocol: string,
    options: RequestOptions,
    onResponse: (response: object) => void,
    send: Sender,
  ) {
    // It continues after everything was written: the response is still to come.
    super({ autoDestroy: false });
    const host = options.hostname ?? options.host ?? '';
    const port = options.port === undefined ? '' : `:${options.port}`;
    this.#request = {
      method: options.method ?? 'GET',
      url: new URL(`${protocol}//${host}${port}${options.path ?? '/'}`),
      headers: Object.fromEntries(
        Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
      ),
    };
    this.#onResponse = onResponse;
    this.#send = send;
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): void {}

  abort(): void {
    this.destroy();
  }

  override _write(chunk: Buffer | string, _: BufferEncoding, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    done();
  }

  override _final(done: () => void): void {
    this.#send(
      { ...this.#request, body: Buffer.concat(this.#chunks) },
      {
        answer: (answer) => {
          if (this.destroyed) return;
          const response = Object.assign(bodyStream(answer), {
            statusCode: answer.status,
            statusMessage: '',
            headers: answer.headers,
          });
          this.emit('response', response);
          this.#onResponse(response);
        },
        fail: (fault) => {
          this.destroy(new ConnectionError(fault));
        },
      },
    );
    done();
  }
}

function bodyStream({ body, breaksAfterBytes }: OutgoingResponse): Readable {
  const whole = Readable.from(body.length === 0 ? [] : [body], { objectMode: false });
  if (breaksAfterBytes === undefined) return whole;
  async function* broken(): AsyncGenerator<Buffer> {
    yield body.subarray(0, breaksAfterBytes);
    throw new ConnectionError('ECONNRESET');
  }
  return Readable.from(broken(), { objectMode: false });
}

/** `fetch` over the simulated network, as far as the product uses it. */
export function virtualFetch(send: Sender): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new Request(input, { ...init, signal: null });
      const { signal } = init;
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      const outcome: RequestOutcome = {
        answer: (answer) => resolve(toResponse(answer, signal ?? null)),
        fail: (fault) => reject(fetchFailed(fault)),
      };
      send(
        {
          method: request.method,
          url: new URL(request.url),
          headers: Object.fromEntries(request.headers),
          // Text or a form, both of which are available immediately.
          body: Buffer.from(init.body === undefined || init.body === null ? '' : String(init.body)),
        },
        outcome,
      );
    });
}

/** As `fetch` wraps errors from below. */
function fetchFailed(fault: ConnectionFault): TypeError {
  return new TypeError('fetch failed', { cause: new ConnectionError(fault) });
}

const chunkBytes = 16 * 1024;

function toResponse(answer: OutgoingResponse, signal: AbortSignal | null): Response {
  const { status, headers, body, breaksAfterBytes } = answer;
  if (status === 204 || status === 304) return new Response(null, { status, headers });
  const arriving = body.subarray(0, breaksAfterBytes ?? body.length);
  let position = 0;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    pull: (controller) => {
      if (position < arriving.length) {
        controller.enqueue(new Uint8Array(arriving.subarray(position, position + chunkBytes)));
        position += chunkBytes;
      } else if (breaksAfterBytes === undefined) controller.close();
      else controller.error(fetchFailed('ECONNRESET'));
    },
  });
  return new Response(stream, { status, headers });
}
