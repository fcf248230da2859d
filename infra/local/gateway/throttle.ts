/** A rate with a burst: holds up to `burst` requests and regains `ratePerSecond` of them. */
export class TokenBucket {
  readonly #ratePerSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledAtMs: number;

  constructor(ratePerSecond: number, burst: number, nowMs: number) {
    this.#ratePerSecond = ratePerSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAtMs = nowMs;
  }

  /** Takes one request out, if there is one. */
  take(nowMs: number): boolean {
    const regained = ((nowMs - this.#filledAtMs) / 1000) * this.#ratePerSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + regained);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** A stage's setting for some or all of its methods, as the template writes it. */
export interface MethodSetting {
  readonly HttpMethod?: string | undefined;
  readonly ResourcePath?: string | undefined;
  readonly ThrottlingRateLimit?: number | undefined;
  readonly ThrottlingBurstLimit?: number | undefined;
}

/**
 * The limits of a stage. Every method has a bucket of its own, that of its own setting or of `/*` with `*`
 * ("Throttle requests to your REST APIs", Amazon API Gateway Developer Guide: method-level throttling).
 */
export class Throttle {
  readonly #settings: readonly MethodSetting[];
  readonly #buckets = new Map<string, TokenBucket | null>();

  constructor(settings: readonly MethodSetting[]) {
    this.#settings = settings.toSorted((a, b) => Number(isForAll(a)) - Number(isForAll(b)));
  }

  admits(method: string, resourcePath: string, nowMs: number): boolean {
    const name = `${method} ${resourcePath}`;
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      const fitting = this.#settings.find(
        (setting) => isForAll(setting) || isFor(setting, method, resourcePath),
      );
      bucket = fitting === undefined ? null : bucketOf(fitting, nowMs);
      this.#buckets.set(name, bucket);
    }
    return bucket?.take(nowMs) ?? true;
  }
}

function bucketOf(setting: MethodSetting, nowMs: number): TokenBucket | null {
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = setting;
  return rate === undefined && burst === undefined
    ? null
    : new TokenBucket(rate ?? 10_000, burst ?? 5_000, nowMs);
}

function isForAll({ ResourcePath: path }: MethodSetting): boolean {
  return path === undefined || path === '/*';
}

/** `/~1v1~1task` is how a setting writes `/v1/task`. */
function isFor(setting: MethodSetting, method: string, resourcePath: string): boolean {
  const path = setting.ResourcePath?.replace(/^\/(?=~1)/, '').replaceAll('~1', '/');
  return path === resourcePath && (setting.HttpMethod === '*' || setting.HttpMethod === method);
}
