import type { Need, Topic } from '../people/person-file.ts';
import { sayOpening, talkAboutAppointment } from './appointment.ts';
import type { Character, StaffedDesk } from './character.ts';
import { type Heard, hear, type Sentence } from './heard.ts';
import { findMention, isEmptyMention } from './moment.ts';
import { findPattern, matchesAny, meantBy } from './pattern.ts';
import { listening, type PersonEvent, type PersonState, type Reaction } from './person-state.ts';
import { choosePhrase, placeholdersOf, type Values, withoutPauses } from './phrase.ts';
import { recognize, type Wanted } from './recognize.ts';
import { chance } from './seeded.ts';

export {
  newPerson,
  type PersonEvent,
  type PersonState,
  type Reaction,
  type Utterance,
} from './person-state.ts';

/** How a person goes on after something happened on the line. Same state, same event, same character: same reaction. */
export function react(character: Character, state: PersonState, event: PersonEvent): Reaction {
  const turn = new PersonTurn(character, state);
  switch (event.kind) {
    case 'picked-up':
      return turn.pickUp();
    case 'heard':
      return turn.hear(event.text);
    case 'silence':
      return turn.noticeSilence();
    case 'time':
      return turn.listen();
    case 'keys':
      // Tones mean nothing to a person.
      return turn.listen();
    default:
      return event satisfies never;
  }
}

type Draft = { -readonly [Key in keyof PersonState]: PersonState[Key] };

/** The caller is told goodbye to and has this long to answer before the person hangs up. */
const farewellSilenceMs = 3000;

/** One reaction in the making: reads a copy of the state and leaves its changes there. */
class PersonTurn {
  readonly #character: Character;
  readonly #draft: Draft;

  constructor(character: Character, state: PersonState) {
    this.#character = character;
    this.#draft = { ...state };
  }

  listen(): Reaction {
    return this.#react([], 'listen');
  }

  pickUp(): Reaction {
    const parts = [this.#phrase('greeting', this.#character.greeting)];
    const [onlyDesk] = this.#character.desks;
    if (this.#character.desks.length === 1 && onlyDesk?.opens === 'at-once') {
      this.#draft.desk = onlyDesk.desk;
      parts.push(this.#askNext(onlyDesk));
    }
    return this.#react(parts, 'listen');
  }

  noticeSilence(): Reaction {
    const { manners } = this.#character;
    if (this.#draft.saidGoodbye || this.#character.isMachine) return this.#react([], 'hang-up');
    this.#draft.silences += 1;
    if (this.#draft.silences > 2)
      return this.#react([this.#phrase('giving up', manners.giving_up)], 'hang-up');
    return this.#react([this.#phrase('still there', manners.still_there)], 'listen');
  }

  hear(text: string): Reaction {
    const heard = hear(text);
    if (heard.words.length === 0 || this.#character.isMachine) return this.listen();
    this.#draft.silences = 0;
    const { manners } = this.#character;
    const means = (name: keyof typeof manners.patterns): boolean =>
      heard.sentences.some((sentence) => matchesAny(manners.patterns[name], sentence.words));

    const isPurposeClear = this.#understandPurpose(heard);
    const newlyTold = this.#takeIn(heard);
    const topics = this.#topicsIn(heard);

    const isFarewell = heard.sentences.some(
      (sentence) => !sentence.text.endsWith('?') && matchesAny(manners.patterns.farewell, sentence.words),
    );
    if (isFarewell && topics.asked.length === 0) return this.#sayGoodbye('hang-up');
    if (this.#draft.saidGoodbye && topics.asked.length === 0) return this.#react([], 'hang-up');
    this.#draft.saidGoodbye = false;

    const parts: (string | null)[] = [];
    const desk = this.#desk();
    const readBack = this.#confirmReadBack(heard, topics);
    if (readBack !== null) parts.push(readBack);
    else this.#answerOrPostpone(topics.asked, parts);

    if (parts.length === 0 && newlyTold.length === 0 && !isPurposeClear) {
      if (means('still_there'))
        return this.#react([this.#phrase('present', manners.present), this.#draft.lastSaid]);
      if (means('repeat')) return this.#repeat();
      if (means('wait')) return this.listen();
    }

    if (desk !== null) {
      if (this.#openNeed(desk) !== null || this.#draft.asking !== null) {
        const isOver = this.#goOnAsking(desk, heard, newlyTold, isPurposeClear || parts.length > 0, parts);
        if (isOver) return this.#sayGoodbye('hang-up', parts);
        if (this.#draft.asking !== null) return this.#react(parts);
      }
      if (parts.length === 0 && means('nothing_more') && !this.#isAppointmentOpen(desk)) {
        return this.#sayGoodbye('listen');
      }
      parts.push(...this.#answerPending());
      const isJustReady = this.#becomeReady(desk);
      const appointment = this.#talkAboutAppointment(desk, heard);
      if (appointment !== null) parts.push(appointment);
      else if (isJustReady && parts.every((part) => part === null || !this.#isInformative)) {
        parts.push(this.#phrase(`${desk.desk} ready`, desk.ready));
      }
    }
    if (parts.some((part) => part !== null)) {
      this.#draft.misunderstandings = 0;
      if (this.#isInformative && desk !== null && !this.#isAppointmentOpen(desk))
        parts.push(this.#maybeAnythingElse());
      return this.#react(parts);
    }
    return this.#withoutSubject(heard, means, desk);
  }

  #presses: string | null = null;

  /** Whether this turn told something that had been asked for. */
  #isInformative = false;

  /** Nothing to answer was recognised: thanks, yes, no, a question outside this person's knowledge, or noise. */
  #withoutSubject(
    heard: Heard,
    means: (name: keyof Character['manners']['patterns']) => boolean,
    desk: StaffedDesk | null,
  ): Reaction {
    const { manners } = this.#character;
    if (means('nothing_more')) return this.#sayGoodbye('listen');
    const asks = heard.sentences.some((sentence) => sentence.asks);
    if (this.#draft.askedAnythingElse && !asks) {
      if (means('no') || means('thanks')) return this.#sayGoodbye('listen');
      if (means('yes')) return this.#react([this.#phrase('how can i help', manners.how_can_i_help)]);
    }
    const isOpen = desk !== null && (this.#draft.asking !== null || this.#isAppointmentOpen(desk));
    if (!asks && (means('thanks') || means('yes'))) {
      if (isOpen || !means('thanks')) return this.listen();
      this.#draft.askedAnythingElse = true;
      return this.#react([this.#phrase('anything else', manners.anything_else)]);
    }
    if (asks && this.#draft.lastSaid !== null && heard.words.length > 2) {
      // A caller who only introduces themselves has not asked anything yet.
      if (this.#draft.answered.length === 0 && desk === null && /\bcalling\b/.test(heard.words.join(' '))) {
        return this.#react([this.#phrase('how can i help', manners.how_can_i_help)]);
      }
      return this.#react([this.#phrase('do not know', manners.do_not_know)]);
    }
    this.#draft.misunderstandings += 1;
    if (this.#draft.answered.length === 0 && desk === null) {
      return this.#react([this.#phrase('how can i help', manners.how_can_i_help)]);
    }
    if (this.#draft.misunderstandings > 2) return this.listen();
    if (!asks && !isOpen && desk !== null) {
      // Something told without being asked for: polite people take note.
      this.#draft.askedAnythingElse = true;
      return this.#react([this.#phrase('noted', manners.noted)]);
    }
    return this.#react([this.#phrase('say again', manners.say_again)]);
  }

  #repeat(): Reaction {
    const { manners } = this.#character;
    if (this.#draft.lastSaid === null)
      return this.#react([this.#phrase('how can i help', manners.how_can_i_help)]);
    return this.#react([this.#phrase('repeating', manners.repeating), this.#draft.lastSaid]);
  }

  #sayGoodbye(then: 'listen' | 'hang-up', parts: readonly (string | null)[] = []): Reaction {
    const goodbye = this.#draft.saidGoodbye ? null : this.#phrase('goodbye', this.#character.manners.goodbye);
    this.#draft.saidGoodbye = true;
    return this.#react([...parts, goodbye], then);
  }

  #desk(): StaffedDesk | null {
    return this.#character.desks.find((desk) => desk.desk === this.#draft.desk) ?? null;
  }

  /**
   * Which business the caller is about. The desk with most of the caller's words wins; an open business is only left
   * for another when nothing the caller says belongs to it.
   */
  #understandPurpose(heard: Heard): boolean {
    const scores = this.#character.desks.map((desk) => ({
      desk,
      score: desk.purpose.filter((pattern) =>
        heard.sentences.some((one) => findPattern(pattern, one.words) !== null),
      ).length,
    }));
    const current = scores.find(({ desk }) => desk.desk === this.#draft.desk);
    const best = scores.reduce<(typeof scores)[number] | undefined>(
      (top, one) => (one.score > (top?.score ?? 0) ? one : top),
      undefined,
    );
    if (current !== undefined && current.score > 0) {
      this.#wantAppointment(current.desk);
      return true;
    }
    if (best === undefined) return false;
    const staysWithCurrent =
      current !== undefined && this.#draft.answered.length === 0 && this.#draft.asking !== null;
    if (!staysWithCurrent) this.#open(best.desk);
    return true;
  }

  #open(desk: StaffedDesk): void {
    if (this.#draft.desk === desk.desk) return;
    this.#draft.desk = desk.desk;
    this.#draft.asking = null;
    this.#wantAppointment(desk);
  }

  #wantAppointment(desk: StaffedDesk): void {
    if (desk.calendar !== undefined) {
      this.#draft.appointment = { ...this.#draft.appointment, wanted: true };
    }
  }

  /** Remembers what the caller told; returns the slots that are new. */
  #takeIn(heard: Heard): string[] {
    const desk = this.#desk();
    const needs = desk === null ? this.#character.desks.flatMap((one) => one.needs) : desk.needs;
    const wanted: Wanted[] = needs.filter(
      (need, index) => needs.findIndex((one) => one.slot === need.slot) === index,
    );
    const values = recognize(heard, wanted, this.#draft.asking);
    const newlyTold = Object.keys(values).filter((slot) => !this.#draft.settled.includes(slot));
    this.#draft.said = { ...this.#draft.said, ...values };
    this.#draft.settled = [...this.#draft.settled, ...newlyTold];
    // Days and times are only a wish while nothing has been offered; a date of birth is none.
    if (this.#draft.appointment.offered.length === 0) {
      const mention = findMention(heard.text, this.#character.today);
      if (!isEmptyMention(mention)) {
        this.#draft.appointment = { ...this.#draft.appointment, preference: heard.text };
      }
    }
    return newlyTold;
  }

  /** The topics the caller asks about, and those that they only mention. */
  #topicsIn(heard: Heard): { asked: Topic[]; mentioned: Topic[] } {
    const own = this.#desk()?.topics ?? [];
    const others = this.#character.desks
      .filter((desk) => desk.desk !== this.#draft.desk)
      .flatMap((desk) => desk.topics);
    const asked: Topic[] = [];
    const mentioned: Topic[] = [];
    for (const sentence of heard.sentences) {
      let meant = this.#meant(sentence, [...own, ...this.#character.manners.topics]);
      if (meant.length === 0 && this.#draft.asking === null) meant = this.#meant(sentence, others);
      const isQuestion = sentence.asks || isKeywordQuestion(sentence);
      (isQuestion ? asked : mentioned).push(...meant);
    }
    return { asked: unique(asked), mentioned: unique(mentioned) };
  }

  #meant(sentence: Sentence, topics: readonly Topic[]): Topic[] {
    return meantBy(sentence, topics, (topic) => topic.asked_by);
  }

  /** "So the copay is $40, correct?": yes, or what it really is. */
  #confirmReadBack(
    heard: Heard,
    { asked, mentioned }: { asked: Topic[]; mentioned: Topic[] },
  ): string | null {
    const topics = asked.length > 0 ? asked : mentioned;
    const isReadBack =
      topics.length > 0 &&
      topics.every((topic) => this.#draft.answered.includes(topic.topic)) &&
      (asked.length === 0 || /\b(confirm|correct|right|read (that|it) back)\b/.test(heard.words.join(' ')));
    if (!isReadBack) return null;
    const known = numbersIn(
      topics.flatMap((topic) => topic.says.map((phrase) => this.#fillFacts(phrase))).join(' '),
    );
    const isRight = [...numbersIn(heard.text)].every((number) => known.has(number));
    if (asked.length === 0 && !isRight) return null;
    if (!isRight) return this.#answer(topics[0]) ?? null;
    // Somebody who only thinks aloud needs no answer, unless nothing else would go on.
    return this.#phrase('confirms', this.#character.manners.confirms);
  }

  #fillFacts(phrase: string): string {
    return phrase.replace(/\{([^{}:]+)(?::[a-z]+)?\}/g, (_, name: string) => this.#values(name) ?? '');
  }

  #answerOrPostpone(asked: readonly Topic[], parts: (string | null)[]): void {
    for (const topic of asked) {
      const desk = this.#character.desks.find((one) => one.topics.includes(topic));
      if (desk !== undefined && this.#draft.desk === null && !topic.is_public) this.#open(desk);
      if (topic.is_public || desk === undefined || this.#openNeed(desk) === null) {
        if (desk !== undefined && this.#draft.asking === null && !topic.is_public) this.#open(desk);
        parts.push(this.#answer(topic));
      } else if (!this.#draft.pending.includes(topic.topic)) {
        this.#draft.pending = [...this.#draft.pending, topic.topic];
      }
    }
  }

  #answerPending(): (string | null)[] {
    const topics = this.#character.desks.flatMap((desk) => desk.topics);
    const due = this.#draft.pending.filter((name) => !this.#draft.answered.includes(name));
    this.#draft.pending = [];
    return due.map((name) => this.#answer(topics.find((topic) => topic.topic === name)));
  }

  #answer(topic: Topic | undefined): string | null {
    if (topic === undefined) return null;
    const said = this.#phrase(`topic ${topic.topic}`, topic.says);
    if (said === null) return null;
    this.#presses = topic.presses ?? this.#presses;
    this.#isInformative ||= this.#character.desks.some((desk) => desk.topics.includes(topic));
    this.#draft.answered = unique([...this.#draft.answered, topic.topic]);
    const facts = topic.says.flatMap(placeholdersOf).filter((name) => {
      const fact = this.#character.facts[name];
      return fact !== undefined && said.includes(fact.spoken);
    });
    this.#draft.told = unique([...this.#draft.told, ...facts, ...topic.tells]);
    return said;
  }

  #openNeed(desk: StaffedDesk): Need | null {
    return (
      desk.needs.find(
        (need) =>
          !this.#draft.settled.includes(need.slot) &&
          chance(this.#character.seed, `asks for ${need.slot}`) < need.likelihood,
      ) ?? null
    );
  }

  #askNext(desk: StaffedDesk): string | null {
    const need = this.#openNeed(desk);
    this.#draft.asking = need?.slot ?? null;
    return need === null ? null : this.#phrase(`ask ${need.slot}`, need.ask);
  }

  /** Goes through what must be known; true when the person refuses to go on. */
  #goOnAsking(
    desk: StaffedDesk,
    heard: Heard,
    newlyTold: readonly string[],
    isUnderstood: boolean,
    parts: (string | null)[],
  ): boolean {
    const { manners } = this.#character;
    const asked = desk.needs.find((need) => need.slot === this.#draft.asking);
    if (asked !== undefined) {
      if (newlyTold.includes(asked.slot)) {
        parts.unshift(this.#phrase(`heard ${asked.slot}`, asked.heard));
      } else if (heard.sentences.some((sentence) => matchesAny(manners.patterns.withheld, sentence.words))) {
        if (asked.if_withheld === 'refuse') {
          this.#draft.refusals += 1;
          parts.push(this.#phrase('refuses', manners.refuses));
          if (this.#draft.refusals > 1) return true;
        } else {
          parts.push(this.#phrase('without it', manners.without_it));
          this.#draft.settled = [...this.#draft.settled, asked.slot];
        }
      } else if (!isUnderstood && newlyTold.length === 0) {
        if (
          matchesAny([...manners.patterns.wait, ...manners.patterns.thanks], heard.words) &&
          heard.words.length < 6
        ) {
          return false;
        }
        if ((this.#draft.occasions[`ask ${asked.slot}`] ?? 0) >= 3) {
          parts.push(this.#phrase('without it', manners.without_it));
          this.#draft.settled = [...this.#draft.settled, asked.slot];
        } else {
          parts.push(this.#phrase('say again', manners.say_again));
        }
      }
    } else if ((this.#draft.occasions[`${desk.desk} welcome`] ?? 0) === 0) {
      parts.push(this.#phrase(`${desk.desk} welcome`, desk.welcome));
    } else if (newlyTold.length > 0) {
      const [first] = newlyTold;
      const need = desk.needs.find((one) => one.slot === first);
      if (need !== undefined) parts.unshift(this.#phrase(`heard ${need.slot}`, need.heard));
    }
    parts.push(this.#askNext(desk));
    return false;
  }

  /** True once per desk: in the turn in which everything that must be known is known. */
  #becomeReady(desk: StaffedDesk): boolean {
    const occasion = `${desk.desk} became ready`;
    if ((this.#draft.occasions[occasion] ?? 0) > 0) return false;
    this.#draft.occasions = { ...this.#draft.occasions, [occasion]: 1 };
    return true;
  }

  #isAppointmentOpen(desk: StaffedDesk): boolean {
    return (
      desk.calendar !== undefined && this.#draft.appointment.wanted && this.#draft.appointment.booked === null
    );
  }

  #talkAboutAppointment(desk: StaffedDesk, heard: Heard): string | null {
    if (desk.calendar === undefined || !this.#draft.appointment.wanted) return null;
    const { book, says, tells } = talkAboutAppointment({
      character: this.#character,
      calendar: desk.calendar,
      openings: desk.datedOpenings,
      book: this.#draft.appointment,
      heard,
      isBusy: this.#isInformative,
    });
    this.#draft.appointment = book;
    this.#draft.told = unique([...this.#draft.told, ...tells]);
    if (says === null) return null;
    if (says.listing !== null) this.#listing = says.listing;
    return this.#phrase(says.occasion, says.phrases);
  }

  #listing: string | null = null;

  #maybeAnythingElse(): string | null {
    const asked = this.#draft.answered.length;
    if (chance(this.#character.seed, `anything else ${asked}`) > 0.3) return null;
    this.#draft.askedAnythingElse = true;
    return this.#phrase('anything else', this.#character.manners.anything_else);
  }

  readonly #values: Values = (name) => {
    if (name.startsWith('said.')) return this.#draft.said[name.slice('said.'.length)] ?? null;
    if (name === 'openings') return this.#listing;
    const desk = this.#desk();
    const { booked } = this.#draft.appointment;
    const opening = booked === null ? undefined : desk?.datedOpenings[booked];
    if (name === 'booking') return opening === undefined ? null : sayOpening(opening, this.#character);
    if (name === 'provider') return opening?.with ?? null;
    return this.#character.facts[name]?.spoken ?? null;
  };

  #phrase(occasion: string, phrases: readonly string[]): string | null {
    const count = this.#draft.occasions[occasion] ?? 0;
    this.#draft.occasions = { ...this.#draft.occasions, [occasion]: count + 1 };
    return choosePhrase(phrases, { seed: this.#character.seed, occasion, count, values: this.#values });
  }

  #react(parts: readonly (string | null)[], then: 'listen' | 'hang-up' = 'listen'): Reaction {
    const said = unique(parts.filter((part): part is string => part !== null && part !== ''));
    const says = said.length === 0 ? null : said.join(' ');
    if (says !== null && this.#draft.silences === 0 && !this.#draft.saidGoodbye) this.#draft.lastSaid = says;
    return {
      ...listening(this.#draft, 0),
      utterances:
        says === null
          ? []
          : [{ spoken: says, transcribed: withoutPauses(says), voice: this.#character.voice }],
      says,
      presses: this.#presses,
      hangsUp: then === 'hang-up',
      silenceMs: this.#draft.saidGoodbye ? farewellSilenceMs : this.#character.manners.silence_ms,
    };
  }
}

/** "And the fax number." asks without a question mark; a longer sentence, or thanks, tells something. */
function isKeywordQuestion(sentence: Sentence): boolean {
  return (
    sentence.words.length <= 7 &&
    !/\b(thank|thanks|got|noted|great|is|was|are|perfect)\b/.test(sentence.words.join(' '))
  );
}

function numbersIn(text: string): Set<string> {
  return new Set([...text.replaceAll(',', '').matchAll(/\d+(?:\.\d+)?/g)].map((match) => match[0]));
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
