import type { OutgoingRequest, OutgoingResponse } from '../engine/outgoing-request.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { FunctionFleet } from './function-fleet.ts';
import type { Service } from './network.ts';

/** The other end of an open connection. */
export interface RelayPeer {
  /** A frame of the voice agent. */
  onFrame(text: string): void;
  /** The voice agent, or a fault, closed the connection. */
  onClose(): void;
}

/** The function behind the WebSocket API. */
const agentFunction = 'voice-agent';

/** The WebSocket API with its management endpoint: every frame is an invocation of its own. */
export class RelayGateway {
  readonly #fleet: FunctionFleet;
  readonly #clock: VirtualClock;
  readonly #random: SeededRandom;
  readonly #open = new Map<string, RelayPeer>();

  constructor(fleet: FunctionFleet, clock: VirtualClock, random: SeededRandom) {
    this.#fleet = fleet;
    this.#clock = clock;
    this.#random = random;
  }

  /** @param onResult the connection's name, or null when it was refused */
  connect(
    headers: Readonly<Record<string, string>>,
    peer: RelayPeer,
    onResult: (connectionId: string | null) => void,
  ): void {
    const connectionId = `${this.#random.bytes(11).toString('base64url')}=`;
    const event = {
      headers,
      multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      requestContext: this.#context(connectionId, '$connect', 'CONNECT'),
      isBase64Encoded: false,
    };
    this.#fleet.invoke(agentFunction, event, (end) => {
      const isAccepted =
        end.kind === 'succeeded' &&
        typeof end.payload === 'object' &&
        end.payload !== null &&
        'statusCode' in end.payload &&
        end.payload.statusCode === 200;
      if (isAccepted) this.#open.set(connectionId, peer);
      onResult(isAccepted ? connectionId : null);
    });
  }

  /** @param onFailure the gateway would now send its own error frame, which the carrier does not know */
  message(connectionId: string, frame: object, onFailure: () => void): void {
    const event = {
      requestContext: {
        ...this.#context(connectionId, '$default', 'MESSAGE'),
        messageId: `${this.#random.bytes(11).toString('base64url')}=`,
      },
      body: JSON.stringify(frame),
      isBase64Encoded: false,
    };
    this.#fleet.invoke(agentFunction, event, (end) => {
      if (end.kind === 'failed') onFailure();
    });
  }

  /** The other side is gone. */
  disconnect(connectionId: string): void {
    if (!this.#open.delete(connectionId)) return;
    const event = {
      requestContext: {
        ...this.#context(connectionId, '$disconnect', 'DISCONNECT'),
        disconnectStatusCode: 1000,
        disconnectReason: '',
      },
      isBase64Encoded: false,
    };
    this.#fleet.invoke(agentFunction, event, () => {});
  }

  /** All connections break: the stack was restarted. */
  restart(): void {
    for (const [connectionId, peer] of [...this.#open]) {
      this.#open.delete(connectionId);
      peer.onClose();
    }
  }

  /** `@connections/{id}`, as the functions reach it. */
  get service(): Service {
    return {
      name: '@connections',
      describe: ({ method }) => method,
      refusals: {
        'internal error': {
          probability: 0.004,
          answer: () => ({ status: 500, headers: {}, body: Buffer.from('{}') }),
        },
      },
      lossFactor: 1,
      answer: (request) => this.#manage(request),
    };
  }

  #manage({ method, url, body }: OutgoingRequest): OutgoingResponse {
    const connectionId = decodeURIComponent(url.pathname).split('/@connections/').at(-1) ?? '';
    const peer = this.#open.get(connectionId);
    if (peer === undefined) {
      return {
        status: 410,
        headers: { 'content-type': 'application/json', 'x-amzn-errortype': 'GoneException' },
        body: Buffer.from('{"message":"The connection is gone"}'),
      };
    }
    if (method === 'DELETE') {
      this.#open.delete(connectionId);
      peer.onClose();
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    }
    peer.onFrame(body.toString('utf8'));
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  }

  #context(connectionId: string, routeKey: string, eventType: string): Record<string, unknown> {
    return {
      routeKey,
      eventType,
      connectionId,
      requestId: this.#random.uuid(),
      apiId: 'simulation',
      domainName: 'relay.simulation.example.test',
      stage: 'relay',
      connectedAt: Math.floor(this.#clock.nowMs),
      requestTimeEpoch: Math.floor(this.#clock.nowMs),
      messageDirection: 'IN',
    };
  }
}
