/** The minimum tokens of a cached prefix, by part of the model's name. */
const minTokensByModel: readonly (readonly [string, number])[] = [
  ['anthropic.claude-3-7-sonnet', 1_024],
  ['anthropic.claude-3-5-haiku', 2_048],
  ['anthropic.claude-sonnet-4-6', 2_048],
  ['anthropic.claude-sonnet-', 1_024],
  ['anthropic.claude-haiku-', 4_096],
  ['anthropic.claude-opus-', 4_096],
  ['amazon.nova-micro', 1_000],
  ['amazon.nova-lite', 1_000],
  ['amazon.nova-pro', 1_000],
  ['amazon.nova-premier', 1_000],
];

/** Fewer characters than most English tokens have, so a prefix is rather considered too short. */
const charactersPerToken = 4;

/**
 * Where a request to Amazon Bedrock asks the model to cache what it has read so far. A model without
 * cache points refuses them, so a model with an opaque ID, such as the ARN of an application's
 * profile, gets none; a prefix that is too short would not be cached.
 *
 * Source: Amazon Bedrock user guide, "Prompt caching", table of supported models; Claude documentation,
 * "Prompt caching".
 */
export class CachePoints {
  readonly #minTokens: number;
  #characters = 0;

  constructor(modelId: string) {
    const known = minTokensByModel.find(([name]) => modelId.includes(name));
    this.#minTokens = known?.[1] ?? Number.POSITIVE_INFINITY;
  }

  /** Counts what the model reads before the next cache point. */
  pass(text: string): void {
    this.#characters += text.length;
  }

  /** A cache point after this text, if worthwhile. */
  pointAfter(text: string): { readonly cachePoint: { readonly type: 'default' } }[] {
    this.pass(text);
    const isLongEnough = this.#characters / charactersPerToken >= this.#minTokens;
    return isLongEnough ? [{ cachePoint: { type: 'default' } }] : [];
  }
}
