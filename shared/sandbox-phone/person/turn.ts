import { sayOpening } from './appointment.ts';
import type { Character, StaffedDesk } from './character.ts';
import type { PersonState, Reply } from './person-state.ts';
import { type Chosen, choosePhrase, fillPhrase, placeholdersOf, type Values } from './phrase.ts';
import { chance } from './seeded.ts';

/** How often people answer the same question without remarking on it. */
export const patience = 2;

type Draft = { -readonly [Key in keyof PersonState]: PersonState[Key] };

/** One reaction in progress: a copy of the state that the parts of a conversation modify. */
export class Turn {
  readonly character: Character;
  readonly draft: Draft;
  presses: string | null = null;
  /** Whether this turn told something that had been asked for. */
  isInformative = false;
  /** Whether it confirmed or corrected something that was read back. */
  hasConfirmed = false;
  /** Topics that are answered in this turn. */
  answers: readonly string[] = [];
  /** Openings that are offered in this turn. */
  listing: string | null = null;
  /** What is said wrong in this turn: the words as they ought to be, and as they are said. */
  slip: { readonly right: string; readonly wrong: string } | null = null;

  constructor(character: Character, state: PersonState) {
    this.character = character;
    this.draft = { ...state };
  }

  desk(): StaffedDesk | null {
    return this.character.desks.find((desk) => desk.desk === this.draft.desk) ?? null;
  }

  /** Whether something happens in this call; the same occasion is always decided the same way. */
  happens(occasion: string, likelihood: number): boolean {
    return likelihood > 0 && chance(this.character.seed, `${this.draft.stage} ${occasion}`) < likelihood;
  }

  phrase(occasion: string, phrases: readonly string[]): string | null {
    return this.choose(occasion, phrases)?.text ?? null;
  }

  /** The same with values that only this phrase has. */
  phraseWith(occasion: string, phrases: readonly string[], values: Values): string | null {
    const count = this.timesNoted(occasion);
    this.note(occasion);
    const both: Values = (name) => values(name) ?? this.values(name);
    return choosePhrase(phrases, { seed: this.character.seed, occasion, count, values: both })?.text ?? null;
  }

  /** A phrase that tells something: the facts in it count as told. */
  telling(occasion: string, phrases: readonly string[], alsoTells: readonly string[] = []): string | null {
    const chosen = this.choose(occasion, phrases);
    if (chosen === null) return null;
    const facts = placeholdersOf(chosen.source).filter((name) => this.character.facts[name] !== undefined);
    this.draft.told = [...new Set([...this.draft.told, ...facts, ...alsoTells])];
    this.#maybeMisspeak(chosen, facts);
    return chosen.text;
  }

  choose(occasion: string, phrases: readonly string[]): Chosen | null {
    const count = this.draft.occasions[occasion] ?? 0;
    this.note(occasion);
    return choosePhrase(phrases, { seed: this.character.seed, occasion, count, values: this.values });
  }

  /**
   * An answer to a repeated question: the third time with a remark, and from then on a refusal to
   * repeat it.
   *
   * @param asked how often it was answered before this time
   */
  unlessTooOften(asked: number, answer: string | null): string | null {
    if (asked < patience || answer === null) return answer;
    const { asked_before, asked_too_often } = this.character.defaults;
    return asked === patience
      ? this.phraseWith('asked before', asked_before, (name) => (name === 'answer' ? answer : null))
      : this.phrase('asked too often', asked_too_often);
  }

  /** How often something came up before. */
  timesNoted(occasion: string): number {
    return this.draft.occasions[occasion] ?? 0;
  }

  note(occasion: string): void {
    this.draft.occasions = { ...this.draft.occasions, [occasion]: this.timesNoted(occasion) + 1 };
  }

  readonly values: Values = (name) => {
    if (name.startsWith('said.')) return this.draft.said[name.slice('said.'.length)] ?? null;
    if (name === 'openings') return this.listing;
    const { booked } = this.draft.appointment;
    const opening = booked === null ? undefined : this.desk()?.datedOpenings[booked];
    if (name === 'booking') return opening === undefined ? null : sayOpening(opening, this.character);
    if (name === 'provider') return opening?.with ?? null;
    return this.character.facts[name]?.spoken ?? null;
  };

  reply(
    parts: readonly (string | null)[],
    then: 'listen' | 'hang-up' | { readonly putsThrough: string } = 'listen',
  ): Reply {
    const says = unique(parts.filter((part): part is string => part !== null && part !== ''));
    if (says.length > 0 && this.draft.silences === 0 && !this.draft.saidGoodbye) {
      this.draft.lastSaid = says.join(' ');
      this.draft.knewNothing = false;
      if (this.answers.length > 0) this.draft.lastAnswered = this.answers;
    }
    return {
      says,
      presses: this.presses,
      hangsUp: then === 'hang-up',
      putsThrough: typeof then === 'string' ? null : then.putsThrough,
    };
  }

  /** Asides are not repeated later. */
  besides(parts: readonly (string | null)[]): Reply {
    const { lastSaid } = this.draft;
    const reply = this.reply(parts);
    this.draft.lastSaid = lastSaid;
    return reply;
  }

  /** The first mention of a fact that this person gets wrong uses a wrong value. */
  #maybeMisspeak(chosen: Chosen, facts: readonly string[]): void {
    const { misspeaks } = this.character.temper;
    if (misspeaks === undefined || !facts.includes(misspeaks.fact) || this.timesNoted('misspoke') > 0) return;
    const right = this.values(misspeaks.fact);
    const wrong = fillPhrase(chosen.source, (name) =>
      name === misspeaks.fact ? misspeaks.instead : this.values(name),
    );
    const correction = this.phraseWith('puts right', misspeaks.corrects, (name) =>
      name === 'right' ? right : null,
    );
    if (wrong === null || correction === null) return;
    this.note('misspoke');
    if (misspeaks.when === 'same-turn') {
      this.slip = { right: chosen.text, wrong: `${wrong} ${correction}` };
      return;
    }
    this.slip = { right: chosen.text, wrong };
    this.draft.correction = { says: correction, fact: misspeaks.fact };
    // It counts as told once corrected.
    this.draft.told = this.draft.told.filter((name) => name !== misspeaks.fact);
  }
}

export function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
