import type { Refusal, Service } from '../cloud/network.ts';
import type { RelayGateway } from '../cloud/relay-gateway.ts';
import type { RestGateway } from '../cloud/rest-gateway.ts';
import type { Faults } from '../engine/faults.ts';
import type { OutgoingRequest, OutgoingResponse } from '../engine/outgoing-request.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { Journal } from '../harness/journal.ts';
import { CallbackSender } from './callback-sender.ts';
import { CarrierCall } from './carrier-call.ts';
import type { CarrierRecording } from './carrier-resources.ts';
import { silentWav } from './wav.ts';

/** An observer of what really rang. */
export interface CarrierObserver {
  onPlaced(carrier: SimulatedCarrier, call: CarrierCall): void;
  onRinging(carrier: SimulatedCarrier, call: CarrierCall): void;
  onEnded(carrier: SimulatedCarrier, call: CarrierCall): void;
  onViolation(invariant: string, detail: string, taskIds: readonly string[]): void;
}

export interface CarrierOptions {
  readonly name: 'sandbox' | 'live';
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly gateway: RestGateway;
  readonly relay: RelayGateway;
  readonly observer: CarrierObserver;
}

/** A number that the carrier refuses for good. */
const refusedNumbers = /^\+1202555019\d$/;

/** A telephone network with the carrier's REST API, callbacks and relay: only it knows what really rang. */
export class SimulatedCarrier {
  readonly name: 'sandbox' | 'live';
  readonly accountSid: string;
  /** The tokens of the service's secret, newest first. */
  #knownTokens: readonly string[];
  #signingToken: string;
  readonly #validTokens = new Set<string>();
  readonly calls = new Map<string, CarrierCall>();
  readonly recordings = new Map<string, CarrierRecording>();
  readonly #options: CarrierOptions;
  readonly #courier: CallbackSender;

  constructor(options: CarrierOptions) {
    const { name, random } = options;
    this.name = name;
    this.#options = options;
    this.accountSid = `AC${random.hex(32)}`;
    this.#signingToken = random.hex(32);
    this.#knownTokens = [this.#signingToken];
    this.#validTokens.add(this.#signingToken);
    this.#courier = new CallbackSender(options, () => this.#signingToken);
  }

  /** Its credentials in the service's secret. */
  get secret(): string {
    return JSON.stringify({ account_sid: this.accountSid, auth_tokens: this.#knownTokens });
  }

  /** Gives the account a new token without affecting calls, as its owner does: both are valid for a while. */
  rotateToken(): void {
    const { clock, random } = this.#options;
    const old = this.#signingToken;
    const next = random.hex(32);
    this.#validTokens.add(next);
    this.#knownTokens = [next, old];
    clock.after(random.between(200_000, 900_000), () => {
      this.#signingToken = next;
      clock.after(random.between(200_000, 900_000), () => {
        this.#validTokens.delete(old);
        this.#knownTokens = [next];
      });
    });
  }

  get isIdle(): boolean {
    return this.#courier.isIdle && [...this.calls.values()].every(({ isOver }) => isOver);
  }

  /** Its REST API, as the functions reach it. */
  get service(): Service {
    const isCreate = (request: OutgoingRequest): boolean =>
      request.method === 'POST' && request.url.pathname.endsWith('/Calls.json');
    const refuse =
      (status: number, code: number): Refusal['answer'] =>
      () =>
        json(status, { code, message: 'simulated', status });
    return {
      name: 'carrier',
      describe: ({ method, url }) =>
        `${method} ${url.pathname
          .split('/')
          .slice(-2)
          .join('/')
          .replaceAll(/[A-Z]{2}[0-9a-f]{32}/g, 'SID')}`,
      refusals: {
        'internal error': { probability: 0.01, answer: refuse(500, 20500) },
        'error after acceptance': { probability: 0.02, afterEffect: true, answer: refuse(503, 20503) },
        'too many requests': { probability: 0.02, answer: refuse(429, 20429) },
        'configuration refused': { probability: 0.002, appliesTo: isCreate, answer: refuse(401, 20003) },
        'nonsense answered': {
          probability: 0.005,
          afterEffect: true,
          answer: () => ({ status: 200, headers: {}, body: Buffer.from('<html>') }),
        },
      },
      lossFactor: 6,
      answer: (request) => this.#answer(request),
    };
  }

  #answer(request: OutgoingRequest): OutgoingResponse {
    const { method, url } = request;
    const parts = url.pathname.split('/2010-04-01/Accounts/').at(-1)?.split('/') ?? [];
    const [account, resource = '', id = '', sub] = parts;
    if (account !== this.accountSid || !this.#isAuthorized(request)) {
      return json(401, { code: 20003, message: 'simulated', status: 401 });
    }
    const sid = id.replace(/\.(json|wav)$/, '');
    if (resource === 'Calls.json' && method === 'POST') return this.#place(request);
    if (resource === 'Calls.json') return this.#list(url);
    if (resource === 'Calls' && sub === 'Recordings.json') {
      const recordings = [...this.recordings.values()].filter(
        ({ callSid, isDeleted }) => callSid === sid && !isDeleted,
      );
      return json(200, { recordings: recordings.map(shownRecording), next_page_uri: null });
    }
    if (resource === 'Calls') return this.#call(sid, request);
    if (resource === 'Recordings') return this.#recording(sid, id.endsWith('.wav'), request);
    return notFound();
  }

  #isAuthorized({ headers }: OutgoingRequest): boolean {
    return [...this.#validTokens].some(
      (token) =>
        headers.authorization === `Basic ${Buffer.from(`${this.accountSid}:${token}`).toString('base64')}`,
    );
  }

  #place({ body }: OutgoingRequest): OutgoingResponse {
    const form = new URLSearchParams(body.toString('utf8'));
    if (refusedNumbers.test(form.get('To') ?? '')) {
      return json(400, { code: 21211, message: 'simulated', status: 400 });
    }
    const { clock, random, faults, journal, relay, observer } = this.#options;
    const call = new CarrierCall(form, {
      clock,
      random,
      faults,
      journal,
      relay,
      callbacks: this.#courier,
      accountSid: this.accountSid,
      authToken: () => this.#signingToken,
      onRinging: (ringing) => observer.onRinging(this, ringing),
      onEnded: (ended) => observer.onEnded(this, ended),
      onViolation: (invariant, detail, taskIds) => observer.onViolation(invariant, detail, taskIds),
      newRecording: (recorded, channels, seconds) => {
        const recording: CarrierRecording = {
          sid: `RE${random.hex(32)}`,
          callSid: recorded.sid,
          channels,
          seconds,
          status: 'processing',
          availableAtMs: Number.POSITIVE_INFINITY,
          isDeleted: false,
        };
        this.recordings.set(recording.sid, recording);
        return recording;
      },
    });
    this.calls.set(call.sid, call);
    observer.onPlaced(this, call);
    return json(201, shownCall(call, this.accountSid));
  }

  #list(url: URL): OutgoingResponse {
    const { nowMs } = this.#options.clock;
    const since = url.searchParams.get('StartTime>') ?? '';
    const calls = [...this.calls.values()].filter(
      (call) =>
        call.listedAtMs <= nowMs &&
        call.to === url.searchParams.get('To') &&
        call.from === url.searchParams.get('From') &&
        new Date(call.createdAtMs).toISOString().slice(0, 10) >= since,
    );
    return json(200, {
      calls: calls.reverse().map((call) => shownCall(call, this.accountSid)),
      next_page_uri: null,
    });
  }

  #call(sid: string, { method, body }: OutgoingRequest): OutgoingResponse {
    const call = this.calls.get(sid);
    if (call === undefined) return notFound();
    if (method === 'DELETE' && call.isOver) {
      this.calls.delete(sid);
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    }
    if (method === 'POST') {
      const status = new URLSearchParams(body.toString('utf8')).get('Status');
      if (call.isOver) return json(400, { code: 21220, message: 'simulated', status: 400 });
      if (status === 'completed' || status === 'canceled') call.hangUp();
    }
    return json(200, shownCall(call, this.accountSid));
  }

  #recording(sid: string, wantsAudio: boolean, { method, url }: OutgoingRequest): OutgoingResponse {
    const recording = this.recordings.get(sid);
    if (recording === undefined || recording.isDeleted) return notFound();
    if (method === 'DELETE') {
      recording.isDeleted = true;
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    }
    if (!wantsAudio) return json(200, shownRecording(recording));
    const { faults, random, clock } = this.#options;
    if (clock.nowMs < recording.availableAtMs || recording.status !== 'completed') return notFound();
    const wanted = Number(url.searchParams.get('RequestedChannels') ?? recording.channels);
    if (wanted > recording.channels) return json(400, { code: 21223, message: 'simulated', status: 400 });
    const body = silentWav(Math.max(recording.seconds, 0.1), wanted === 2 ? 2 : 1);
    const headers: Record<string, string> = { 'content-type': 'audio/x-wav' };
    if (!faults.strikes('recording: no length announced', 0.1))
      headers['content-length'] = String(body.length);
    if (faults.strikes('recording: cut off with the connection', 0.05)) {
      return { status: 200, headers, body, breaksAfterBytes: random.below(body.length) };
    }
    // Looks like an end: only the bytes differ.
    if (faults.strikes('recording: cut off in silence', 0.03)) {
      return {
        status: 200,
        headers: { 'content-type': 'audio/x-wav' },
        body: body.subarray(0, random.below(body.length)),
      };
    }
    return { status: 200, headers, body };
  }
}

function shownCall(call: CarrierCall, accountSid: string): object {
  return {
    sid: call.sid,
    account_sid: accountSid,
    to: call.to,
    from: call.from,
    status: call.status === 'initiated' ? 'queued' : call.status,
    direction: 'outbound-api',
    answered_by: call.answeredBy,
    duration: call.isOver ? String(call.talkSeconds) : null,
    queue_time: String(Math.round(call.queueMs)),
    date_created: rfc2822(call.createdAtMs),
    start_time: call.answeredAtMs === null ? null : rfc2822(call.answeredAtMs),
    end_time: call.endedAtMs === null ? null : rfc2822(call.endedAtMs),
  };
}

function shownRecording(recording: CarrierRecording): object {
  return {
    sid: recording.sid,
    call_sid: recording.callSid,
    status: recording.status,
    channels: recording.channels,
    duration: String(Math.round(recording.seconds)),
  };
}

function rfc2822(timeMs: number): string {
  return new Date(Math.floor(timeMs)).toUTCString().replace('GMT', '+0000');
}

function notFound(): OutgoingResponse {
  return json(404, { code: 20404, message: 'simulated', status: 404 });
}

function json(status: number, body: object): OutgoingResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}
