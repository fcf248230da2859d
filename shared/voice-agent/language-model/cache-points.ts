/** How many tokens a prefix must have to be cached, by a part of the model's name. */
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

/** Fewer characters than most tokens of English have, so that a prefix is rather taken for too short. */
const charactersPerToken = 4;

/**
 * Where a request to Amazon Bedrock tells the model to keep what it has read so far. A model that does not
 * know such points refuses them, so one whose id does not tell what it is, such as the ARN of an
 * application's profile, gets none; a prefix that is too short would not be kept.
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

  /** Counts what the model reads before the next point. */
  pass(text: string): void {
    this.#characters += text.length;
  }

  /** A point behind this text, if it is worth one. */
  pointAfter(text: string): { readonly cachePoint: { readonly type: 'default' } }[] {
    this.pass(text);
    const isLongEnough = this.#characters / charactersPerToken >= this.#minTokens;
    return isLongEnough ? [{ cachePoint: { type: 'default' } }] : [];
  }
}
