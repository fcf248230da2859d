import type { SeededRandom } from './random.ts';

const mostLikely = 0.25;

/**
 * What goes wrong in a run, and how often. Each seed has its own weather: it lacks some kinds of faults, and has others
 * much more often than usual, because faults that always occur together hide what one of them does alone.
 */
export class Faults {
  readonly #random: SeededRandom;
  readonly #counts = new Map<string, number>();
  readonly #strengths = new Map<string, number>();
  readonly #general: number;
  readonly #outages = new Set<string>();
  #isOn = false;

  constructor(random: SeededRandom, intensity: number) {
    this.#random = random;
    this.#general = intensity * random.fork('general').pick([0.3, 1, 1, 1, 2]);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  start(): void {
    this.#isOn = true;
  }

  stop(): void {
    this.#isOn = false;
    this.#outages.clear();
  }

  /** From now on, a peer does not respond at all. */
  beginOutage(of: string): void {
    this.#outages.add(of);
    this.count(`${of}: outage`);
  }

  endOutage(of: string): void {
    this.#outages.delete(of);
  }

  hasOutage(of: string): boolean {
    return this.#outages.has(of);
  }

  /** Whether a fault of this kind, with this usual probability, happens now. */
  strikes(kind: string, probability: number): boolean {
    // However bad the weather: what is repeated for long enough succeeds at some point.
    const bounded = Math.min(probability * this.#strength(kind), Math.max(probability, mostLikely));
    const isStruck = this.#random.chance(bounded);
    if (!isStruck || !this.#isOn) return false;
    this.count(kind);
    return true;
  }

  /** Counts a fault that was not decided here. */
  count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  #strength(kind: string): number {
    let strength = this.#strengths.get(kind);
    if (strength === undefined) {
      strength = this.#general * this.#random.fork(`weather/${kind}`).pick([0, 0.5, 1, 1, 1, 3, 8]);
      this.#strengths.set(kind, strength);
    }
    return strength;
  }
}
