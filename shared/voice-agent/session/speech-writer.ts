import { setTimeout as sleep } from 'node:timers/promises';
import { escapeSpeech, type OutboundRelayFrame } from '#shared/carrier/relay-frames.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import type { RelayConnections } from './relay-connections.ts';

/** Speaks into the line, one talk cycle. */
export class SpeechWriter {
  firstWordAt: number | null = null;
  readonly #connections: RelayConnections;
  readonly #connectionId: string;
  readonly #notBefore: number;
  #isOpen = false;
  #isCutOff = false;

  constructor(connections: RelayConnections, connectionId: string, { notBefore }: { notBefore: number }) {
    this.#connections = connections;
    this.#connectionId = connectionId;
    this.#notBefore = notBefore;
  }

  /** Returns whether it was spoken: not if the turn is stopped, or the person is gone. */
  async utter(
    action: Extract<DialogueAction, { type: 'say' | 'press' }>,
    isTakenOver: () => boolean,
  ): Promise<boolean> {
    if (this.#isCutOff || (action.type === 'say' && action.text.trim() === '')) return false;
    const earlyMs = this.#notBefore - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    if (isTakenOver()) return false;
    const frame: OutboundRelayFrame =
      action.type === 'say'
        ? { type: 'text', token: `${escapeSpeech(action.text.trim())} `, last: false }
        : { type: 'sendDigits', digits: action.digits };
    this.#isCutOff = !(await this.#send(frame));
    if (this.#isCutOff) return false;
    this.firstWordAt ??= performance.now();
    if (action.type === 'say') this.#isOpen = true;
    return true;
  }

  /** Tells the carrier that the turn is complete. */
  async close(): Promise<void> {
    if (!this.#isOpen || this.#isCutOff) return;
    this.#isOpen = false;
    await this.#send({ type: 'text', token: '', last: true });
  }

  async #send(frame: OutboundRelayFrame): Promise<boolean> {
    try {
      return await this.#connections.send(this.#connectionId, [frame]);
    } catch (error) {
      logError(alarmingEvents.framesNotSent, error);
      return false;
    }
  }
}
