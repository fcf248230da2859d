import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type {
  DialogueAction,
  DialogueInput,
  DialogueModel,
} from '#shared/voice-agent/dialogue/dialogue-model.ts';

/** What the model says first. */
export const openingWords = 'This is an automated assistant.';

/**
 * A model that says what it is told to, word by word, as a language model streams them. In what it hears,
 * `|` is a place where it waits for permission, `!` one where it breaks, `.` the end of the call, `[n]` the key n, `~`
 * waiting on hold, and `@` notes an answer that rests on the words heard.
 */
export class StreamingEchoModel implements DialogueModel {
  readonly name = 'streaming-parrot';
  readonly isImmediate: boolean;
  /** Every request to it, in order. */
  readonly asked: DialogueInput[] = [];
  /** How many turns were stopped. */
  stopped = 0;
  /** What it says when a key is pressed. */
  onKey = '';
  #letOn: (() => void)[] = [];

  constructor({ isImmediate = false } = {}) {
    this.isImmediate = isImmediate;
  }

  /** Releases all turns that wait at a `|`. */
  goOn(): void {
    for (const letOn of this.#letOn.splice(0)) letOn();
  }

  /** How many turns wait at a `|`. */
  get waiting(): number {
    return this.#letOn.length;
  }

  async untilWaiting(count = 1): Promise<void> {
    await vi.waitFor(() => expect(this.waiting).toBe(count), { timeout: 10_000, interval: 5 });
  }

  async *takeTurn(input: DialogueInput, signal: AbortSignal): AsyncGenerator<DialogueAction> {
    this.asked.push(input);
    const { event, memory } = input;
    yield { type: 'remember', memory: [...(Array.isArray(memory) ? memory : []), event.type] };
    const text =
      event.type === 'heard'
        ? event.text
        : event.type === 'opened'
          ? openingWords
          : event.type === 'silence'
            ? 'Are you there?'
            : event.type === 'key-pressed'
              ? this.onKey
              : '';
    if (event.type !== 'heard') {
      if (text !== '') yield { type: 'say', text };
      return;
    }
    for (const word of text.split(' ')) {
      if (word === '|') await this.#wait(signal);
      else if (!this.isImmediate) await sleep(2);
      if (signal.aborted) {
        this.stopped += 1;
        return;
      }
      yield* this.#utter(word, event);
    }
  }

  *#utter(
    word: string,
    event: Extract<DialogueInput['event'], { type: 'heard' }>,
  ): Generator<DialogueAction> {
    const key = /^\[(.+)\]$/.exec(word)?.[1];
    if (key !== undefined) yield { type: 'press', digits: key };
    else if (word === '!') throw new Error(`broken at ${event.text}`);
    else if (word === '.') yield { type: 'end', reason: 'finished', farewell: 'thanks' };
    else if (word === '~') yield { type: 'wait' };
    else if (word === '@') {
      const answer = event.text;
      yield {
        type: 'record',
        answer: {
          key: 'question_0',
          answer,
          value: null,
          quote: answer,
          turn: event.turn,
          needs_review: false,
        },
      };
    } else if (word !== '|' && word !== '') yield { type: 'say', text: word };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#letOn.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
