import type { AnsweredBy } from '#shared/domain/call.ts';
import { judgeAnswer } from '#shared/sandbox-phone/line/machine-detection.ts';
import type { Character } from '#shared/sandbox-phone/person/character.ts';
import { react } from '#shared/sandbox-phone/person/person.ts';
import {
  newPerson,
  type PersonEvent,
  type PersonState,
  type Reaction,
} from '#shared/sandbox-phone/person/person-state.ts';
import { withoutPauses } from '#shared/sandbox-phone/person/phrase.ts';
import { chanceBetween } from '#shared/sandbox-phone/person/seeded.ts';
import { speakingMs } from '#shared/voice-agent/session/timeline.ts';
import type { AgentEvent, AgentSession } from './agent-session.ts';
import type { EventClock } from './event-clock.ts';

/** The outcome of a call on the line. */
export interface CallOnLine {
  readonly person: PersonState;
  /** Detection's verdict on who answered; null if it never comes. */
  readonly answeredBy: AnsweredBy | null;
}

type Speech = Extract<AgentEvent, { kind: 'speech' }>;
type Heard = Exclude<PersonEvent, { kind: 'picked-up' }> | { readonly kind: 'over' };

/** A conversation that goes in circles ends at some point. */
const maxTurns = 300;
/** The sandbox phone's values: the time to press a key, and the times of detection. */
const keyMs = 250;
const detection = {
  callback: null,
  callback_method: 'POST',
  timeout_ms: 30_000,
  silence_timeout_ms: 5_000,
} as const;

/**
 * The sandbox phone's line (`shared/sandbox-phone/line/conversation.ts`) without a network: the same
 * person and the same order of events, with every duration on an event clock.
 */
export class InProcessLine {
  readonly #character: Character;
  readonly #agent: AgentSession;
  readonly #clock: EventClock;
  readonly #recognize: (words: string) => string;
  /** What the agent has sent and the person has not heard yet. */
  #waiting: AgentEvent[] = [];
  #person: PersonState = newPerson;

  /** @param recognize what speech recognition understands of what was said */
  constructor(
    character: Character,
    agent: AgentSession,
    clock: EventClock,
    recognize: (words: string) => string,
  ) {
    this.#character = character;
    this.#agent = agent;
    this.#clock = clock;
    this.#recognize = recognize;
  }

  /** Holds the call from its answer to its end. */
  async run(): Promise<CallOnLine> {
    const answeredBy = this.#detect();
    this.#waiting.push(...(await this.#agent.open()));
    let reaction = react(this.#character, this.#person, { kind: 'picked-up' });
    let isSpeakingUp = false;
    for (let turn = 0; turn < maxTurns; turn += 1) {
      this.#person = reaction.state;
      await this.#perform(reaction, turn, isSpeakingUp);
      if (reaction.hangsUp) break;
      const event =
        reaction.waitsMs === null
          ? await this.#listen(reaction, turn)
          : await this.#waitOut(reaction.waitsMs);
      if (event.kind === 'over') break;
      isSpeakingUp = event.kind === 'heard' && event.wasCut === true;
      reaction = react(this.#character, this.#person, event);
    }
    return { person: this.#person, answeredBy };
  }

  /** The verdict comes some time after the answer, if at all. */
  #detect(): AnsweredBy | null {
    const { answeredBy, afterMs } = judgeAnswer(this.#character, detection);
    const verdict = answeredBy === 'machine_start' ? 'machine' : answeredBy;
    const { amd_callback } = this.#character.network;
    if (amd_callback === 'in-call') {
      this.#clock.at(afterMs, () => {
        this.#agent.answeredBy = verdict;
      });
    }
    return amd_callback === 'never' ? null : verdict;
  }

  async #perform(reaction: Reaction, turn: number, isSpeakingUp: boolean): Promise<void> {
    const { utterances, isCutByKeys, presses } = reaction;
    const { seed, defaults } = this.#character;
    const [quickest, slowest] = defaults.reaction_ms;
    if (!isSpeakingUp && (utterances.length > 0 || presses !== null))
      this.#clock.pass(chanceBetween(seed, `reaction ${turn}`, quickest, slowest));
    for (const [index, { spoken, transcribed }] of utterances.entries()) {
      if (index > 0) {
        const [shortest, longest] = defaults.pause_ms;
        this.#clock.pass(chanceBetween(seed, `between utterances ${turn} ${index}`, shortest, longest) / 2);
        await this.#speakOver(`${turn} ${index}`);
      }
      if (this.#isOver() || (isCutByKeys && this.#waiting.some(({ kind }) => kind === 'digits'))) break;
      this.#clock.pass(speakingMs(withoutPauses(spoken)));
      this.#waiting.push(...(await this.#agent.hear(this.#recognize(transcribed), transcribed)));
    }
    for (const digit of presses ?? '') {
      this.#clock.pass(keyMs);
      this.#waiting.push(...(await this.#agent.pressKey(digit)));
    }
  }

  /** A person who continues speaking interrupts what the agent has begun to say into the pause, after a word or two. */
  async #speakOver(occasion: string): Promise<void> {
    const [speech] = this.#waiting;
    if (speech?.kind !== 'speech' || this.#isOver()) return;
    this.#waiting.shift();
    const words = chanceBetween(this.#character.seed, `words into the pause ${occasion}`, 0, 2);
    await this.#cutShort(firstWords(speech.text, words) ?? speech.text);
    // What waits behind it is never heard.
    while (this.#waiting[0]?.kind === 'speech') {
      this.#waiting.shift();
      this.#waiting.push(...(await this.#agent.interrupt('')));
    }
  }

  async #cutShort(heard: string): Promise<void> {
    this.#clock.pass(speakingMs(heard));
    this.#waiting.push(...(await this.#agent.interrupt(heard)));
  }

  /** Time passes in which the person does not listen to the agent. */
  async #waitOut(waitsMs: number): Promise<Heard> {
    const endMs = this.#clock.elapsedMs + waitsMs;
    for (;;) {
      const event = this.#waiting.shift();
      if (event?.kind === 'end') return { kind: 'over' };
      if (event?.kind === 'digits') this.#clock.pass(keyMs * event.digits.length);
      else if (event?.kind === 'speech') this.#clock.pass(this.#isOver() ? 0 : speakingMs(event.text));
      else {
        const leftMs = endMs - this.#clock.elapsedMs;
        if (leftMs <= 0) return { kind: 'time' };
        await this.#passQuietly(leftMs);
      }
    }
  }

  /** Listens to everything the agent says until it falls silent, unless the person interrupts. */
  async #listen(reaction: Reaction, turn: number): Promise<Heard> {
    let heard = '';
    let bargesIn = reaction.bargesIn;
    let patienceMs = reaction.silenceMs;
    for (;;) {
      const event = this.#waiting[0];
      if (event === undefined) {
        if (heard !== '') return { kind: 'heard', text: heard };
        if (patienceMs <= 0) return { kind: 'silence' };
        patienceMs -= await this.#passQuietly(patienceMs);
        continue;
      }
      if (event.kind === 'digits' && heard !== '') return { kind: 'heard', text: heard };
      this.#waiting.shift();
      if (event.kind === 'end') return { kind: 'over' };
      if (event.kind === 'digits') return this.#takeKeys(event.digits);
      // Speech that was only queued when `end` came is lost.
      if (this.#isOver() && !this.#character.network.end_flushes_speech) continue;
      if (heard === '') this.#clock.pass(chanceBetween(this.#character.seed, `thinking ${turn}`, 500, 1100));
      const cut =
        bargesIn === null || ignores(reaction, event) ? null : firstWords(event.text, bargesIn.afterWords);
      if (cut !== null) {
        await this.#cutShort(cut);
        return { kind: 'heard', text: joined(heard, cut), wasCut: true };
      }
      this.#clock.pass(speakingMs(event.text));
      if (ignores(reaction, event)) continue;
      heard = joined(heard, event.text);
      bargesIn = null;
    }
  }

  #takeKeys(first: string): Heard {
    let digits = first;
    for (let [event] = this.#waiting; event?.kind === 'digits'; [event] = this.#waiting) {
      digits += event.digits;
      this.#waiting.shift();
    }
    this.#clock.pass(keyMs * digits.length);
    return { kind: 'keys', digits: digits.replaceAll('w', '') };
  }

  /** Lets this much time pass, or less if the agent reacts to the silence. Returns how much has passed. */
  async #passQuietly(ms: number): Promise<number> {
    const passing = Math.min(ms, Math.max(1, this.#agent.msUntilTooQuiet));
    this.#clock.pass(passing);
    if (this.#agent.msUntilTooQuiet <= 0) this.#waiting.push(...(await this.#agent.noteSilence()));
    return passing;
  }

  /** Whether the agent has ended the session, although the person has not heard everything. */
  #isOver(): boolean {
    return this.#waiting.some(({ kind }) => kind === 'end');
  }
}

/** A machine that reads a menu does not hear what an application says meanwhile, at the beginning. */
function ignores({ isCutByKeys }: Reaction, { isOpening }: Speech): boolean {
  return isCutByKeys && isOpening;
}

/** The first words of a text; null if it has no more than that. */
function firstWords(text: string, count: number): string | null {
  const words = text.match(/\S+/g) ?? [];
  if (words.length <= count) return null;
  return words.slice(0, count).join(' ');
}

function joined(earlier: string, later: string): string {
  return [earlier, later.replace(/\s+/g, ' ').trim()].filter((text) => text !== '').join(' ');
}
