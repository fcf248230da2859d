import { WebSocket } from 'ws';
import { computeSignature } from '#shared/carrier/signature.ts';
import { log } from '#shared/observability/log.ts';
import { readFrame } from './relay-frames.ts';

/** What comes out of the relay, tokens already put together. */
export type RelayEvent =
  /** `receivedAt` on the clock of `performance.now()`. */
  | {
      readonly kind: 'utterance';
      readonly text: string;
      readonly isPreemptible: boolean;
      readonly receivedAt: number;
    }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'end'; readonly handoffData: string | null }
  | { readonly kind: 'closed'; readonly code: number; readonly isTooMalformed: boolean };

/** Ten bad frames in a row end the session, as the carrier does it. */
const maxMalformed = 10;
const connectTimeoutMs = 10_000;
/** Text that was never closed by `last: true` is spoken after this. */
const unfinishedTextMs = 2500;

/** The carrier's end of the WebSocket: opens it, validates what comes, and hands it out in order. */
export class RelaySocket {
  readonly #socket: WebSocket;
  #events: RelayEvent[] = [];
  #wake: (() => void) | null = null;
  #tokens = '';
  #isPreemptible = false;
  #lastTokenAt = 0;
  #malformed = 0;
  #isClosed = false;
  #promptSentAt: number | null = null;
  readonly #onResponse: (realMs: number) => void;

  private constructor(socket: WebSocket, onResponse: (realMs: number) => void) {
    this.#socket = socket;
    this.#onResponse = onResponse;
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('close', (code) => this.#close(code));
    // Without a listener an error would end the process; `close` follows it.
    socket.on('error', () => {});
  }

  /** Null when the application cannot be reached or refuses. */
  static async open({
    url,
    authToken,
    signsTrailingSlash,
    onResponse,
  }: {
    url: string;
    authToken: string;
    signsTrailingSlash: boolean;
    /** Called with the real milliseconds from the last prompt to the first thing said, keyed in or ended after it. */
    onResponse: (realMs: number) => void;
  }): Promise<RelaySocket | null> {
    const signedUrl = signsTrailingSlash ? `${url}/` : url;
    const socket = new WebSocket(url, {
      headers: { 'X-Twilio-Signature': computeSignature(authToken, signedUrl, []) },
      handshakeTimeout: connectTimeoutMs,
      followRedirects: false,
      perMessageDeflate: false,
    });
    const relay = new RelaySocket(socket, onResponse);
    return new Promise((resolve) => {
      socket.once('open', () => resolve(relay));
      socket.once('close', () => resolve(null));
    });
  }

  send(frame: Readonly<Record<string, unknown>>): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify(frame));
    if (frame.type === 'prompt') this.#promptSentAt = performance.now();
  }

  /** The next event, or null when none came within the (real) time. */
  async next(timeoutMs: number): Promise<RelayEvent | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      const now = performance.now();
      if (this.#tokens !== '' && now - this.#lastTokenAt >= unfinishedTextMs) return this.#finishUtterance();
      const isSpeaking = this.#tokens !== '';
      if (now >= deadline && !isSpeaking) return null;
      const waitMs = isSpeaking ? this.#lastTokenAt + unfinishedTextMs - now : deadline - now;
      await this.#wait(Math.max(1, waitMs));
    }
  }

  /** Whether the application's `end` waits behind the event that was taken last. */
  hasEndWaiting(): boolean {
    return this.#events.some((event) => event.kind === 'end');
  }

  close(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.close(code);
    // A peer that does not answer the closing handshake must not keep the function alive.
    setTimeout(() => this.#socket.terminate(), 2000).unref();
  }

  async #wait(timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }

  #push(event: RelayEvent): void {
    if (event.kind === 'utterance') {
      // What was marked as preemptible gives way to what comes after it.
      this.#events = this.#events.filter((waiting) => waiting.kind !== 'utterance' || !waiting.isPreemptible);
    }
    this.#events.push(event);
    this.#wake?.();
  }

  #receive(text: string): void {
    if (this.#isClosed) return;
    const arrivedAt = performance.now();
    const read = readFrame(text);
    if (read.kind === 'malformed') {
      this.#malformed += 1;
      log('sandbox-relay-malformed-frame', { gateway_error: read.isGatewayError, in_a_row: this.#malformed });
      // 64107: the frame is dropped and the session goes on.
      this.send({ type: 'error', description: `Invalid message received: ${text.slice(0, 500)}` });
      if (this.#malformed >= maxMalformed) {
        this.#isClosed = true;
        this.#socket.close(1007, 'Too many consecutive malformed messages');
        this.#push({ kind: 'closed', code: 1007, isTooMalformed: true });
      }
      return;
    }
    this.#malformed = 0;
    const { frame } = read;
    if (this.#promptSentAt !== null && ['text', 'sendDigits', 'end'].includes(frame.type)) {
      this.#onResponse(arrivedAt - this.#promptSentAt);
      this.#promptSentAt = null;
    }
    switch (frame.type) {
      case 'text':
        this.#tokens += frame.token;
        this.#isPreemptible = frame.preemptible ?? this.#isPreemptible;
        this.#lastTokenAt = performance.now();
        if (frame.last === true) this.#push(this.#finishUtterance());
        else this.#wake?.();
        return;
      case 'sendDigits':
        this.#push({ kind: 'digits', digits: frame.digits });
        return;
      case 'end':
        this.#push({ kind: 'end', handoffData: frame.handoffData ?? null });
        return;
      case 'play':
      case 'language':
        log('sandbox-relay-frame-ignored', { type: frame.type });
        return;
      default:
        frame satisfies never;
    }
  }

  #finishUtterance(): RelayEvent {
    const event: RelayEvent = {
      kind: 'utterance',
      text: this.#tokens.trim(),
      isPreemptible: this.#isPreemptible,
      receivedAt: performance.now(),
    };
    this.#tokens = '';
    this.#isPreemptible = false;
    return event;
  }

  #close(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#push({ kind: 'closed', code, isTooMalformed: false });
  }
}
