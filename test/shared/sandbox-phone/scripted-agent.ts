import type { WebSocket } from 'ws';

/** A fake voice agent's reaction to what it hears; `null` keeps it silent. */
type AgentMove =
  /** Said immediately, or after some milliseconds. */
  | { readonly say: string; readonly after?: number }
  | { readonly end: string; readonly say?: string }
  | { readonly raw: string[] }
  /** One after the other, each this many milliseconds after the prompt. */
  | { readonly says: readonly { readonly after: number; readonly text: string }[] }
  | { readonly keys: string; readonly after?: number }
  /** Said token by token; `closes` sends the last one with `last`, `isCut` stops when the person speaks. */
  | { readonly tokens: string[]; readonly everyMs: number; readonly closes: boolean; readonly isCut: boolean }
  | { readonly close: number }
  | null;
export type Agent = (heard: string, turn: number) => AgentMove;

/** A scripted agent in a relay session: speaks, presses keys, hangs up. */
export class ScriptedAgent {
  readonly #socket: WebSocket;
  #interruptions = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  interrupt(): void {
    this.#interruptions += 1;
  }

  make(move: NonNullable<AgentMove>): void {
    if ('raw' in move) for (const raw of move.raw) this.#socket.send(raw);
    if ('close' in move) this.#socket.close(move.close);
    if ('says' in move) {
      for (const { after, text } of move.says) setTimeout(() => this.say(text), after);
    }
    if ('keys' in move)
      setTimeout(() => this.#send({ type: 'sendDigits', digits: move.keys }), move.after ?? 0);
    if ('tokens' in move) void this.#stream(move);
    if ('say' in move && move.say !== undefined) {
      const { say: text } = move;
      if ('after' in move) setTimeout(() => this.say(text), move.after);
      else this.say(text);
    }
    if ('end' in move) this.#send({ type: 'end', handoffData: move.end });
  }

  /** In tokens, as language models speak. */
  say(text: string): void {
    for (const token of text.split(/(?<= )/)) this.#send({ type: 'text', token, last: false });
    this.#send({ type: 'text', token: '', last: true });
  }

  async #stream({ tokens, everyMs, closes, isCut }: Extract<AgentMove, { tokens: string[] }>): Promise<void> {
    const before = this.#interruptions;
    for (const [index, token] of tokens.entries()) {
      if (isCut && this.#interruptions > before) return;
      this.#send({ type: 'text', token, last: closes && index === tokens.length - 1 });
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  #send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }
}

/** An agent that says these sentences in order, then ends the session. */
export function script(...sentences: string[]): Agent {
  return (_, turn) => {
    const say = sentences[turn];
    return say === undefined ? { end: '{"outcome":"done"}' } : { say };
  };
}
