import * as z from 'zod/mini';
import { proxyEvent } from '../../../infra/local/gateway/proxy-event.ts';
import { type GatewayMatch, matchGateway, refusal } from '../../support/gateway-match.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { FunctionFleet } from './function-fleet.ts';

export interface GatewayRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface GatewayResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const Result = z.object({
  statusCode: z.number(),
  headers: z._default(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), {}),
  body: z._default(z.string(), ''),
  isBase64Encoded: z._default(z.boolean(), false),
});

/** API Gateway's limit for an integration; the function itself continues. */
const integrationLimitMs = 29_000;

/** The REST API: turns requests into events and functions' results into responses, as API Gateway does. */
export class RestGateway {
  readonly #fleet: FunctionFleet;
  readonly #clock: VirtualClock;
  readonly #random: SeededRandom;

  constructor(fleet: FunctionFleet, clock: VirtualClock, random: SeededRandom) {
    this.#fleet = fleet;
    this.#clock = clock;
    this.#random = random;
  }

  request(request: GatewayRequest, onAnswer: (answer: GatewayResponse) => void): void {
    const url = new URL(request.path, 'https://gateway.test');
    const match = matchGateway(request.method, url.pathname);
    if (match === null) {
      onAnswer({ status: 404, headers: {}, body: '{"detail":"Not found"}' });
      return;
    }
    const { answer: answers } = match;
    if ('allowedMethods' in answers) {
      const { status, headers, body } = refusal(answers.allowedMethods, this.#random.uuid());
      onAnswer(toAnswer({ statusCode: status, headers, body, isBase64Encoded: false }));
      return;
    }
    let isAnswered = false;
    const answer = (given: GatewayResponse): void => {
      if (isAnswered) return;
      isAnswered = true;
      limit.cancel();
      onAnswer(given);
    };
    const limit = this.#clock.after(integrationLimitMs, () => answer(failure(504)));
    this.#fleet.invoke(answers.function, this.#event(request, url, match), (end) => {
      const result = end.kind === 'succeeded' ? Result.safeParse(end.payload) : null;
      answer(result?.success === true ? toAnswer(result.data) : failure(502));
    });
  }

  #event(request: GatewayRequest, url: URL, match: GatewayMatch): object {
    return proxyEvent(
      {
        id: this.#random.uuid(),
        at: this.#clock.now,
        method: request.method,
        path: url.pathname,
        query: url.search.slice(1),
        headers: Object.entries(request.headers),
        sourceIp: '192.0.2.1',
      },
      Buffer.from(request.body),
      {
        apiId: 'simulation',
        stage: 'dev',
        resourceId: 'resource',
        resourcePath: match.resource,
        pathParameters: Object.keys(match.pathParameters).length === 0 ? null : match.pathParameters,
        binaryMediaTypes: [],
      },
    );
  }
}

function failure(status: number): GatewayResponse {
  return { status, headers: {}, body: '{"detail":"Internal server error"}' };
}

function toAnswer({ statusCode, headers, body, isBase64Encoded }: z.infer<typeof Result>): GatewayResponse {
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body: isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
  };
}
