import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import * as z from 'zod/mini';
import { relayToken } from '#shared/carrier/relay-token.ts';
import { computeSignature } from '#shared/carrier/signature.ts';

const Frame = z.object({
  /** The gateway's own frames, for a function that failed or timed out, have none. */
  type: z._default(z.string(), 'failure'),
  token: z.optional(z.string()),
  last: z.optional(z.boolean()),
  digits: z.optional(z.string()),
});

/** A call that the service takes for answered. */
export interface AnsweredCall {
  readonly taskId: string;
  readonly callId: string;
  readonly callSid: string;
}

/** The agent's reaction to an event. */
export interface Answer {
  /** From our frame to the first words, keys or end; null if nothing came in time. */
  readonly firstFrameMs: number | null;
  readonly text: string;
  readonly digits: string;
}

export interface Silence {
  /** From the interruption to the last words still sent; 0 if there were none. */
  readonly untilSilentMs: number;
  /** Frames with words that still came: a language model sends each word in its own. */
  readonly wordsAfter: number;
}

const answers: ReadonlySet<string> = new Set(['text', 'sendDigits', 'end']);
/** Some input needs no answer, such as half a sentence. */
const noAnswerAfterMs = 3_000;
/** An open turn is over after this long without anything more. */
const quietAfterMs = 700;

/** The carrier's end of one call's WebSocket, which records when each frame arrives. */
export class RelayCall {
  readonly #socket: WebSocket;
  #received: { readonly frame: z.infer<typeof Frame>; readonly at: number }[] = [];
  #wake: () => void = () => {};
  isOver = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      this.#received.push({ frame: Frame.parse(JSON.parse(String(data))), at: performance.now() });
      if (this.#received.at(-1)?.frame.type === 'end') this.isOver = true;
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isOver = true;
      this.#wake();
    });
  }

  /** Connects as the carrier does when a person has answered, and listens to the opening. */
  static async open(url: string, authToken: string, call: AnsweredCall): Promise<RelayCall> {
    const socket = new WebSocket(url, {
      headers: { 'X-Twilio-Signature': computeSignature(authToken, url, []) },
      perMessageDeflate: false,
    });
    const relay = new RelayCall(socket);
    await once(socket, 'open');
    const opening = await relay.#ask({
      type: 'setup',
      sessionId: `VX${call.callSid.slice(2)}`,
      callSid: call.callSid,
      customParameters: {
        task_id: call.taskId,
        call_id: call.callId,
        token: relayToken(authToken, call.callId),
      },
    });
    if (opening.text === '') throw new Error('the voice agent did not take the call');
    return relay;
  }

  /** Says something, and listens to the whole answer. */
  say(words: string): Promise<Answer> {
    return this.#ask(prompt(words));
  }

  /**
   * Says something, interrupts the answer this long after its first words, and listens until it stops. Null
   * if there was nothing to interrupt.
   */
  async interrupt(words: string, afterMs: number): Promise<Silence | null> {
    this.#send(prompt(words));
    const first = await this.#next(({ type, token }) => type === 'text' && token !== '', noAnswerAfterMs);
    if (first === null) return null;
    await sleep(afterMs);
    const heard = spokenIn(this.#received);
    const interruptedAt = this.#send({
      type: 'interrupt',
      utteranceUntilInterrupt: heard,
      durationUntilInterruptMs: Math.round(afterMs),
    });
    await this.#quiet();
    const late = this.#received.filter(({ frame, at }) => at > interruptedAt && (frame.token ?? '') !== '');
    return { untilSilentMs: (late.at(-1)?.at ?? interruptedAt) - interruptedAt, wordsAfter: late.length };
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#socket, 'close');
    this.#socket.close(1000);
    await Promise.race([closed, sleep(2_000, undefined, { ref: false })]);
    this.#socket.terminate();
  }

  async #ask(frame: Readonly<Record<string, unknown>>): Promise<Answer> {
    const askedAt = this.#send(frame);
    const first = await this.#next(({ type }) => answers.has(type), noAnswerAfterMs);
    if (first !== null) {
      await this.#next(
        ({ type, last }) => type === 'end' || (type === 'text' && last === true),
        quietAfterMs,
      );
    }
    const digits = this.#received.map(({ frame: { digits: keys = '' } }) => keys).join('');
    return {
      firstFrameMs: first === null ? null : first.at - askedAt,
      text: spokenIn(this.#received).trim(),
      digits,
    };
  }

  /** @returns when it was sent; forgets what came before, unless it is an interruption */
  #send(frame: Readonly<Record<string, unknown>>): number {
    if (frame.type !== 'interrupt') this.#received = [];
    const at = performance.now();
    this.#socket.send(JSON.stringify(frame));
    return at;
  }

  /** The first frame of this kind since the last one we sent, with no other in between; null if none came. */
  async #next(isMeant: (frame: z.infer<typeof Frame>) => boolean, patienceMs: number) {
    for (;;) {
      const found = this.#received.find(({ frame }) => isMeant(frame));
      if (found !== undefined) return found;
      if (this.isOver || !(await this.#somethingCame(patienceMs))) return null;
    }
  }

  async #quiet(): Promise<void> {
    while (!this.isOver && (await this.#somethingCame(quietAfterMs)));
  }

  async #somethingCame(patienceMs: number): Promise<boolean> {
    const limit = new AbortController();
    const came = new Promise<boolean>((resolve) => {
      this.#wake = () => resolve(true);
    });
    const nothing = sleep(patienceMs, false, { signal: limit.signal }).catch(() => false);
    const result = await Promise.race([came, nothing]);
    limit.abort();
    return result;
  }
}

function prompt(words: string) {
  return { type: 'prompt', voicePrompt: words, lang: 'en-US', last: true };
}

function spokenIn(received: readonly { readonly frame: z.infer<typeof Frame> }[]): string {
  return received.map(({ frame: { token = '' } }) => token).join('');
}
