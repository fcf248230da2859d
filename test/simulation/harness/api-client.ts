import type { GatewayRequest, GatewayResponse, RestGateway } from '../cloud/rest-gateway.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';

/** How often a client repeats a request before it gives up. */
const maxTries = 30;

export interface ApiClientOptions {
  readonly gateway: RestGateway;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly apiKey: string;
  readonly onAnswer: (request: GatewayRequest, answer: GatewayResponse) => void;
}

/** A client of the API that repeats requests without a response, or with a server error, under the same key. */
export class ApiClient {
  readonly #options: ApiClientOptions;
  #underWay = 0;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** @param onAnswer the response that the client accepts, or null if it gave up */
  ask(
    request: { method: string; path: string; body?: object; idempotencyKey?: string },
    onAnswer: (answer: GatewayResponse | null) => void,
  ): void {
    const { gateway, clock, random, faults, apiKey } = this.#options;
    const sent: GatewayRequest = {
      method: request.method,
      path: request.path,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
      },
      body: request.body === undefined ? '' : JSON.stringify(request.body),
    };
    this.#underWay += 1;
    const attempt = (tries: number): void => {
      gateway.request(sent, (answer) => {
        this.#options.onAnswer(sent, answer);
        const isLost = faults.strikes('client: answer lost', 0.01);
        // 409 to a request with a key: the first one is still in progress.
        const isToRepeat =
          isLost || answer.status >= 500 || answer.status === 429 || isStillRunning(sent, answer);
        if (isToRepeat && tries < maxTries) {
          clock.after(random.between(200, 5_000), () => attempt(tries + 1));
          return;
        }
        this.#underWay -= 1;
        onAnswer(isToRepeat ? null : answer);
      });
    };
    clock.after(random.between(1, 50), () => attempt(1));
  }
}

function isStillRunning({ path, headers }: GatewayRequest, { status }: GatewayResponse): boolean {
  return status === 409 && headers['idempotency-key'] !== undefined && !path.endsWith('/cancel');
}
