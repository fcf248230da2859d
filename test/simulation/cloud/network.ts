import type { Faults } from '../engine/faults.ts';
import type { OutgoingRequest, OutgoingResponse, RequestOutcome } from '../engine/outgoing-request.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { Journal } from '../harness/journal.ts';
import type { FunctionFleet, Invocation } from './function-fleet.ts';

/** A peer that responds to requests: a real embedded server, or a simulated one. */
export interface Service {
  readonly name: string;
  /** The requested operation, for the journal, without any content. */
  describe(request: OutgoingRequest): string;
  /** Carries the request out. */
  answer(request: OutgoingRequest): OutgoingResponse | Promise<OutgoingResponse>;
  /** Refusals without an effect, by kind, with their usual probability. */
  readonly refusals: Readonly<Record<string, Refusal>>;
  /** How much more often than usual its requests are lost. */
  readonly lossFactor: number;
}

export interface Refusal {
  readonly probability: number;
  readonly appliesTo?: (request: OutgoingRequest) => boolean;
  readonly answer: (request: OutgoingRequest) => OutgoingResponse;
  /** Whether the request takes effect before this response. */
  readonly afterEffect?: boolean;
}

type Course =
  | { readonly kind: 'works' }
  | { readonly kind: 'refused'; readonly name: string; readonly refusal: Refusal }
  | {
      readonly kind:
        | 'never-sent'
        | 'lost-before'
        | 'lost-after'
        | 'silent-before'
        | 'silent-after'
        | 'crash-before'
        | 'crash-after';
    };

export interface NetworkOptions {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly fleet: () => FunctionFleet;
  readonly serviceFor: (url: URL) => Service;
}

/** Everything that can happen to a request besides success, with its usual probability. */
const losses = {
  'never-sent': 0.001,
  'lost-before': 0.0015,
  'lost-after': 0.003,
  'silent-before': 0.0003,
  'silent-after': 0.0005,
  'crash-before': 0.0015,
  'crash-after': 0.0025,
} as const;

/**
 * The network between the functions and their peers. Each request travels for a random time, takes effect at one
 * moment of the simulated time, and its response travels back: so requests of concurrent functions take
 * effect in any order, one after the other.
 */
export class Network {
  readonly #options: NetworkOptions;
  #requests = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  get requests(): number {
    return this.#requests;
  }

  send(invocation: Invocation | null, request: OutgoingRequest, outcome: RequestOutcome): void {
    const { clock, serviceFor, fleet, journal } = this.#options;
    const service = serviceFor(request.url);
    const what = `${invocation?.functionName ?? '?'} → ${service.name} ${service.describe(request)}`;
    const course = this.#courseOf(service, request);
    const note = (text: string): void => {
      if (invocation !== null) journal.note(invocation.taskIds, `${what}${text}`);
    };
    if (course.kind !== 'works' && invocation !== null) invocation.isDisturbed = true;
    this.#requests += 1;
    const crash = (): void => {
      if (invocation !== null) fleet().crash(invocation);
    };
    clock.after(this.#travelMs(), async () => {
      switch (course.kind) {
        case 'works': {
          const answer = await service.answer(request);
          note(` ${answer.status}`);
          clock.after(this.#travelMs(), () => outcome.answer(answer));
          return;
        }
        case 'refused': {
          const { refusal, name } = course;
          if (refusal.afterEffect === true) await service.answer(request);
          note(` FAULT ${name}`);
          const answer = refusal.answer(request);
          clock.after(this.#travelMs(), () => outcome.answer(answer));
          return;
        }
        case 'never-sent':
          note(' FAULT never sent');
          outcome.fail('ECONNREFUSED');
          return;
        case 'lost-before':
          note(' FAULT lost before it arrived');
          outcome.fail('ECONNRESET');
          return;
        case 'lost-after':
          await service.answer(request);
          note(' FAULT answer lost');
          clock.after(this.#travelMs(), () => outcome.fail('ECONNRESET'));
          return;
        case 'silent-before':
          note(' FAULT never arrives');
          return;
        case 'silent-after':
          await service.answer(request);
          note(' FAULT answer never arrives');
          return;
        case 'crash-before':
          note(' FAULT crash before it is sent');
          crash();
          return;
        case 'crash-after':
          await service.answer(request);
          note(' FAULT crash before its answer arrives');
          crash();
          return;
      }
    });
  }

  /** Usually milliseconds, rarely seconds. */
  #travelMs(): number {
    const { random } = this.#options;
    if (random.chance(0.97)) return random.between(0.5, 6);
    return random.chance(0.9) ? random.between(5, 300) : random.between(200, 4_000);
  }

  #courseOf(service: Service, request: OutgoingRequest): Course {
    const { faults, random } = this.#options;
    if (faults.hasOutage(service.name))
      return { kind: random.pick(['never-sent', 'lost-before', 'silent-before']) };
    for (const [name, refusal] of Object.entries(service.refusals)) {
      if (refusal.appliesTo?.(request) === false) continue;
      const kind = `${service.name}: ${name}`;
      if (faults.strikes(kind, refusal.probability)) return { kind: 'refused', name, refusal };
    }
    for (const kind of lossKinds) {
      const factor = kind.startsWith('crash') ? 1 : service.lossFactor;
      if (faults.strikes(`${service.name}: ${kind}`, losses[kind] * factor)) return { kind };
    }
    return { kind: 'works' };
  }
}

const lossKinds = [
  'never-sent',
  'lost-before',
  'lost-after',
  'silent-before',
  'silent-after',
  'crash-before',
  'crash-after',
] as const satisfies readonly (keyof typeof losses)[];
