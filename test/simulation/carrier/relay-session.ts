import { unescapeSpeech } from '#shared/carrier/relay-frames.ts';
import type { RelayOrder } from '#shared/sandbox-phone/line/twiml.ts';
import type { RelayGateway } from '../cloud/relay-gateway.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import { AgentFrame } from './agent-frame.ts';
import type { Person, Reaction } from './person.ts';

/** Speaking rate of a voice. */
export const msPerCharacter = 1000 / 14;

export type SessionEnd = 'ended' | 'completed' | 'failed';

interface SessionOptions {
  readonly relay: RelayGateway;
  readonly order: RelayOrder;
  readonly person: Person;
  readonly setup: object;
  readonly signature: string;
  readonly random: SeededRandom;
  readonly clock: VirtualClock;
  readonly faults: Faults;
  readonly onEnd: (status: SessionEnd, handoffData: string | null) => void;
  readonly onViolation: (invariant: string, detail: string) => void;
}

/** The conversation of one call over the relay: the carrier's side of the socket, and the person. */
export class RelaySession {
  readonly #options: SessionOptions;
  #connectionId: string | null = null;
  #isOver = false;
  #words = '';
  #spokenUntilMs = 0;
  #turn = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { relay, signature, faults, person, clock } = options;
    if (faults.strikes('relay: cannot connect', 0.01)) {
      clock.after(1_000, () => this.end('failed', null));
      return;
    }
    const peer = { onFrame: (text: string) => this.#heard(text), onClose: () => this.end('failed', null) };
    relay.connect({ 'x-twilio-signature': signature }, peer, (connectionId) => {
      if (connectionId === null) {
        this.end('failed', null);
        return;
      }
      this.#connectionId = connectionId;
      if (this.#isOver) {
        relay.disconnect(connectionId);
        return;
      }
      this.#send(options.setup, 0);
      this.#react(person.pickUp());
      if (faults.strikes('relay: breaks', 0.03)) {
        clock.after(options.random.between(100, 60_000), () => this.end('failed', null));
      }
    });
  }

  end(status: SessionEnd, handoffData: string | null): void {
    if (this.#isOver) return;
    this.abandon();
    this.#options.onEnd(status, handoffData);
  }

  /** Closes the socket without notice. */
  abandon(): void {
    this.#isOver = true;
    if (this.#connectionId !== null) this.#options.relay.disconnect(this.#connectionId);
  }

  #heard(text: string): void {
    if (this.#isOver) return;
    const { clock, faults, random, onViolation, person } = this.#options;
    const parsed = AgentFrame.safeParse(JSON.parse(text));
    if (!parsed.success) {
      onViolation('the relay gets frames that it knows', 'an unknown frame was sent');
      return;
    }
    const frame = parsed.data;
    switch (frame.type) {
      case 'text': {
        this.#words += unescapeSpeech(frame.token);
        this.#spokenUntilMs =
          Math.max(this.#spokenUntilMs, clock.nowMs) + frame.token.length * msPerCharacter;
        if (frame.last !== true) return;
        const words = this.#words;
        this.#words = '';
        this.#turn += 1;
        const turn = this.#turn;
        const interrupts = faults.strikes('person: interrupts', 0.05);
        const untilMs = this.#spokenUntilMs - clock.nowMs;
        if (interrupts) {
          const heard = words.slice(0, random.below(words.length + 1));
          clock.after(heard.length * msPerCharacter, () => {
            if (this.#turn !== turn) return;
            this.#spokenUntilMs = clock.nowMs;
            this.#send(
              { type: 'interrupt', utteranceUntilInterrupt: heard, durationUntilInterruptMs: 700 },
              0,
            );
            this.#react(person.hear(words));
          });
        } else {
          clock.after(untilMs, () => {
            // More words have arrived meanwhile.
            if (this.#turn === turn) this.#react(person.hear(words));
          });
        }
        return;
      }
      case 'end':
        // What is still to be said may be lost; nothing is promised either way.
        this.end('ended', frame.handoffData ?? null);
        return;
      case 'sendDigits':
      case 'play':
      case 'language':
        return;
    }
  }

  #react({ says, hangsUp, afterMs }: Reaction): void {
    let atMs = afterMs;
    for (const words of says) {
      this.#send({ type: 'prompt', voicePrompt: words, lang: 'en-US', last: true }, atMs);
      atMs += words.length * msPerCharacter;
    }
    if (hangsUp) this.#options.clock.after(atMs, () => this.end('completed', null));
  }

  #send(frame: object, afterMs: number): void {
    const { clock, faults, random, relay, onViolation } = this.#options;
    if (faults.strikes('frame lost', 0.01)) return;
    const lateMs = faults.strikes('frame late', 0.02) ? random.between(100, 8_000) : 0;
    const copies = faults.strikes('frame duplicated', 0.02) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      clock.after(afterMs + lateMs + copy * random.between(1, 500), () => {
        if (this.#isOver || this.#connectionId === null) return;
        relay.message(this.#connectionId, frame, () =>
          onViolation('a frame never makes the voice agent fail', 'the gateway would send an error frame'),
        );
      });
    }
  }
}
