import { WebSocket } from 'ws';
import { computeSignature } from '#shared/carrier/signature.ts';
import { log } from '#shared/observability/log.ts';
import { readFrame } from './relay-frames.ts';
import { type SpeechPiece, TalkCycles } from './talk-cycles.ts';

/** Events of the relay, tokens already combined. */
export type RelayEvent =
  | SpeechPiece
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'end'; readonly handoffData: string | null }
  | { readonly kind: 'closed'; readonly code: number; readonly isTooMalformed: boolean };

/** Ten bad frames in a row end the session, as at the carrier. */
const maxMalformed = 10;
const connectTimeoutMs = 10_000;
/** Frames that show how long the application took to answer. */
const answers: readonly string[] = ['text', 'sendDigits', 'end'];

/** The carrier's end of the WebSocket: opens it, validates frames, and delivers events in order. */
export class RelaySocket {
  readonly #socket: WebSocket;
  readonly #cycles = new TalkCycles();
  #events: RelayEvent[] = [];
  #wake: (() => void) | null = null;
  #malformed = 0;
  #isClosed = false;
  #promptSentAt: number | null = null;
  #slowestResponseMs: number | null = null;
  readonly #onResponse: (realMs: number) => void;

  private constructor(socket: WebSocket, onResponse: (realMs: number) => void) {
    this.#socket = socket;
    this.#onResponse = onResponse;
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('close', (code) => this.#close(code));
    // Without a listener, an error would end the process; `close` follows it.
    socket.on('error', () => {});
  }

  /** Null when the application is unreachable or refuses. */
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

  /** The application's longest response time to a prompt; null before its first response. */
  get slowestResponseMs(): number | null {
    return this.#slowestResponseMs;
  }

  send(frame: Readonly<Record<string, unknown>>): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify(frame));
    if (frame.type === 'prompt') this.#promptSentAt = performance.now();
  }

  /** The next event, or null if none comes within the (real) time and no talk cycle is open. */
  async next(timeoutMs: number): Promise<RelayEvent | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      const now = performance.now();
      const unfinished = this.#cycles.finishOverdue(now);
      if (unfinished !== null) return unfinished;
      const dueAt = this.#cycles.dueAt;
      if (dueAt === null && now >= deadline) return null;
      await this.#wait((dueAt ?? deadline) - now);
    }
  }

  /** Waits in real time until an untaken event has come, up to a limit. */
  async awaitEvent(timeoutMs: number): Promise<void> {
    if (this.#events.length === 0) await this.#wait(timeoutMs);
  }

  /** Whether the application's `end` follows the event taken last, or it has disconnected. */
  isOver(): boolean {
    return this.#events.some((event) => event.kind === 'end' || event.kind === 'closed');
  }

  /** Whether key presses of the application are waiting. */
  hasKeysWaiting(): boolean {
    return this.#events.some((event) => event.kind === 'digits');
  }

  /** The key presses at the front of the queue. */
  takeKeys(): string {
    let keys = '';
    for (let [event] = this.#events; event?.kind === 'digits'; [event] = this.#events) {
      keys += event.digits;
      this.#events.shift();
    }
    return keys;
  }

  /** The application's started speech, if it is at the front of the queue. */
  takeSpeech(): Extract<RelayEvent, { kind: 'speech' }> | null {
    const [event] = this.#events;
    if (event?.kind !== 'speech') return null;
    this.#events.shift();
    return event;
  }

  /** Returns the event taken last to the queue. */
  putBack(event: RelayEvent): void {
    this.#events.unshift(event);
  }

  /**
   * Drops the rest of a talk cycle, queued or still arriving. Resolves when the application has finished or abandoned
   * the cycle, or is too slow to do either.
   */
  async drop(cycle: number): Promise<void> {
    this.#events = this.#events.filter((event) => event.kind !== 'speech' || event.cycle !== cycle);
    this.#cycles.drop(cycle);
    for (;;) {
      const waitMs = this.#cycles.dropWaitMs(performance.now());
      if (waitMs <= 0) return;
      await this.#wait(waitMs);
    }
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
      const timer = setTimeout(resolve, Math.max(1, timeoutMs));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }

  #push(event: RelayEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  #receive(text: string): void {
    if (this.#isClosed) return;
    const arrivedAt = performance.now();
    const read = readFrame(text);
    if (read.kind === 'malformed') {
      this.#refuse(text, read.isGatewayError);
      return;
    }
    this.#malformed = 0;
    const { frame } = read;
    if (frame.type === 'text' && !this.#cycles.takes(frame, arrivedAt)) {
      this.#wake?.();
      return;
    }
    if (this.#promptSentAt !== null && answers.includes(frame.type)) {
      const responseMs = arrivedAt - this.#promptSentAt;
      this.#slowestResponseMs = Math.max(this.#slowestResponseMs ?? 0, responseMs);
      this.#onResponse(responseMs);
      this.#promptSentAt = null;
    }
    switch (frame.type) {
      case 'text': {
        const { pieces, startsCycle } = this.#cycles.add(frame, arrivedAt);
        // What was marked as preemptible gives way to what comes after it.
        if (startsCycle) {
          this.#events = this.#events.filter(
            (waiting) => waiting.kind !== 'speech' || !waiting.isPreemptible,
          );
        }
        this.#events.push(...pieces);
        this.#wake?.();
        return;
      }
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

  #refuse(text: string, isGatewayError: boolean): void {
    this.#malformed += 1;
    log('sandbox-relay-malformed-frame', { gateway_error: isGatewayError, in_a_row: this.#malformed });
    // 64107: the frame is dropped and the session goes on.
    this.send({ type: 'error', description: `Invalid message received: ${text.slice(0, 500)}` });
    if (this.#malformed < maxMalformed) return;
    this.#isClosed = true;
    this.#socket.close(1007, 'Too many consecutive malformed messages');
    this.#push({ kind: 'closed', code: 1007, isTooMalformed: true });
  }

  #close(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#push({ kind: 'closed', code, isTooMalformed: false });
  }
}
