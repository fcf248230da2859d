import * as z from 'zod/mini';

/** Dollars per million tokens. */
export interface Prices {
  readonly in: number;
  readonly out: number;
}

const Turn = z.object({
  rounds: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_tokens: z.number(),
  cache_write_tokens: z.number(),
});
type Turn = z.infer<typeof Turn>;

/** A language model's usage in an evaluation; the names stay the same, like those of the other figures. */
export interface UsageFigures extends Turn {
  /** A language model's turns, and the requests for them (`rounds`). */
  readonly model_turns: number;
  readonly input_tokens_per_call: number;
  readonly output_tokens_per_call: number;
  /** In dollars, with cached tokens at the full price; null without prices. */
  readonly cost_per_call: number | null;
}

/** Adds up a language model's reports about its turns. */
export class ModelUsage {
  readonly #turns: Turn[] = [];

  readonly report = (turn: object): void => {
    this.#turns.push(Turn.parse(turn));
  };

  /** Null without a language model. */
  figures(calls: number, prices: Prices | null): UsageFigures | null {
    if (this.#turns.length === 0) return null;
    const sum = (name: keyof Turn): number => this.#turns.reduce((total, turn) => total + turn[name], 0);
    const read = sum('input_tokens') + sum('cache_read_tokens') + sum('cache_write_tokens');
    const written = sum('output_tokens');
    const perCall = (total: number): number => total / Math.max(1, calls);
    return {
      model_turns: this.#turns.length,
      rounds: sum('rounds'),
      input_tokens: sum('input_tokens'),
      output_tokens: written,
      cache_read_tokens: sum('cache_read_tokens'),
      cache_write_tokens: sum('cache_write_tokens'),
      input_tokens_per_call: Math.round(perCall(read)),
      output_tokens_per_call: Math.round(perCall(written)),
      cost_per_call:
        prices === null ? null : perCall((read * prices.in + written * prices.out) / tokensOfPrice),
    };
  }
}

const tokensOfPrice = 1_000_000;
