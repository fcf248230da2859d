import { computeSignature } from '#shared/carrier/signature.ts';
import { addresses } from '../cloud/deployed-stack.ts';
import type { GatewayResponse, RestGateway } from '../cloud/rest-gateway.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { Journal } from '../harness/journal.ts';

export interface CourierWorld {
  readonly gateway: RestGateway;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly journal: Journal;
}

const firstAttemptLimitMs = 15_000;

/**
 * Delivers the carrier's callbacks: signed, best effort, in no order, with the retries requested in the URL's
 * fragment. What is lost after that stays lost.
 */
export class CallbackSender {
  readonly #world: CourierWorld;
  readonly #authToken: () => string;
  #underWay = 0;

  constructor(harness: CourierWorld, authToken: () => string) {
    this.#world = harness;
    this.#authToken = authToken;
  }

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Reports something. */
  tell(url: string, form: Readonly<Record<string, string>>): void {
    const { faults, random, journal } = this.#world;
    const kind = kindOf(url);
    if (faults.strikes(`callback lost: ${kind}`, 0.06)) {
      journal.note(journal.tasksIn(url), `FAULT callback ${kind} lost`);
      return;
    }
    const delayMs = faults.strikes('callback late', 0.05)
      ? random.between(1_000, 600_000)
      : random.between(5, 400);
    this.#send(url, form, delayMs, () => {});
    if (faults.strikes('callback duplicated', 0.06)) {
      this.#send(url, form, random.between(1, random.pick([50, 5_000, 3_600_000])), () => {});
    }
  }

  /** Requests a document: the call waits for the response, or for null without one. */
  ask(
    url: string,
    form: Readonly<Record<string, string>>,
    onAnswer: (document: string | null) => void,
  ): void {
    const { faults, random } = this.#world;
    if (faults.strikes(`callback lost: ${kindOf(url)}`, 0.01)) {
      this.#world.clock.after(firstAttemptLimitMs, () => onAnswer(null));
      return;
    }
    this.#send(url, form, random.between(5, 200), (answer) =>
      onAnswer(answer?.status === 200 ? answer.body : null),
    );
    // A second request of the same call, whose response nobody awaits.
    if (faults.strikes('callback duplicated', 0.02))
      this.#send(url, form, random.between(1, 3_000), () => {});
  }

  #send(
    url: string,
    form: Readonly<Record<string, string>>,
    delayMs: number,
    onSettled: (answer: GatewayResponse | null) => void,
  ): void {
    const { clock, random } = this.#world;
    const [address = '', fragment = ''] = url.split('#');
    const retries = Number(/\brc=(\d)/.exec(fragment)?.[1] ?? '1');
    const retries5xx = /\brp=[^&]*5xx/.test(fragment);
    let triesLeft = retries + 1;
    let isOver = false;
    this.#underWay += 1;
    const settle = (answer: GatewayResponse | null): void => {
      if (isOver) return;
      isOver = true;
      this.#underWay -= 1;
      onSettled(answer);
    };
    const attempt = (): void => {
      if (isOver) return;
      triesLeft -= 1;
      this.#request(address, form, (answer) => {
        if (answer.status < 500 || !retries5xx || triesLeft === 0) settle(answer);
        else clock.after(random.between(10, 500), attempt);
      });
    };
    clock.after(delayMs, () => {
      // The sum over all attempts.
      clock.after(firstAttemptLimitMs, () => settle(null));
      attempt();
    });
  }

  #request(
    address: string,
    form: Readonly<Record<string, string>>,
    onAnswer: (answer: GatewayResponse) => void,
  ): void {
    const { gateway, journal } = this.#world;
    const parameters = new URLSearchParams(form);
    const taskIds = journal.tasksIn(address);
    journal.note(taskIds, `carrier → ${kindOf(address)} ${form.CallStatus ?? form.RecordingStatus ?? ''}`);
    gateway.request(
      {
        method: 'POST',
        path: address.slice(addresses.api.length),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': computeSignature(this.#authToken(), address, parameters),
        },
        body: String(parameters),
      },
      (answer) => {
        journal.note(taskIds, `carrier ← ${answer.status} to ${kindOf(address)}`);
        onAnswer(answer);
      },
    );
  }
}

/** The kind of a callback, from its URL. */
function kindOf(url: string): string {
  return /\/carrier\/([\w-]+)\//.exec(url)?.[1] ?? 'callback';
}
