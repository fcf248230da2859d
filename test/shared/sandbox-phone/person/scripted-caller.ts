import { type Character, playedBy } from '#shared/sandbox-phone/person/character.ts';
import { react } from '#shared/sandbox-phone/person/person.ts';
import {
  newPerson,
  type PersonEvent,
  type PersonState,
  type Reaction,
} from '#shared/sandbox-phone/person/person-state.ts';

/** What was said and done in a call, for a reader. */
export interface Played {
  /** What the other end said, in order; the utterances of one reaction one by one. */
  readonly heard: readonly string[];
  readonly transcript: readonly string[];
  readonly state: PersonState;
  readonly hungUp: boolean;
  readonly reactions: readonly Reaction[];
}

/** The caller's action: says words, presses keys (`{ keys }`), or nothing (null). */
export type CallerTurn = string | { readonly keys: string } | null;

/** A line with a person at the other end, on which time passes by itself. */
export class TestLine {
  readonly #character: Character;
  readonly #transcript: string[] = [];
  readonly #heard: string[] = [];
  readonly #reactions: Reaction[] = [];
  reaction: Reaction;

  constructor(character: Character) {
    this.#character = character;
    this.reaction = this.#take({ kind: 'picked-up' }, newPerson);
    this.#letTimePass();
  }

  get hungUp(): boolean {
    return this.reaction.hangsUp;
  }

  get state(): PersonState {
    return this.reaction.state;
  }

  /** The person now on the caller's line. */
  get persona(): Character {
    return playedBy(this.#character, this.state.stage);
  }

  /** What was said since the caller's last action. */
  get lastWords(): string {
    const since = this.#transcript.findLastIndex((line) => line.startsWith('caller'));
    return this.#transcript
      .slice(since + 1)
      .filter((line) => line.startsWith('person: '))
      .map((line) => line.slice('person: '.length))
      .join(' ');
  }

  /** The caller speaks; returns what the person heard before they interrupted, else null. */
  say(text: string): string | null {
    const words = text.split(/\s+/);
    const { bargesIn } = this.reaction;
    const cut =
      bargesIn !== null && words.length > bargesIn.afterWords
        ? words.slice(0, bargesIn.afterWords).join(' ')
        : null;
    this.#transcript.push(cut === null ? `caller: ${text}` : `caller (cut): ${cut}`);
    this.#do(cut === null ? { kind: 'heard', text } : { kind: 'heard', text: cut, wasCut: true });
    return cut;
  }

  press(keys: string): void {
    this.#transcript.push(`caller presses ${keys}`);
    this.#do({ kind: 'keys', digits: keys });
  }

  keepSilent(): void {
    this.#transcript.push('caller: …');
    this.#do({ kind: 'silence' });
  }

  played(): Played {
    return {
      heard: this.#heard,
      transcript: this.#transcript,
      state: this.state,
      hungUp: this.hungUp,
      reactions: this.#reactions,
    };
  }

  #do(event: PersonEvent): void {
    if (this.hungUp) return;
    this.reaction = this.#take(event, this.state);
    this.#letTimePass();
  }

  #letTimePass(): void {
    for (let waits = 0; this.reaction.waitsMs !== null && waits < 100; waits += 1) {
      this.reaction = this.#take({ kind: 'time' }, this.state);
    }
  }

  #take(event: PersonEvent, state: PersonState): Reaction {
    const reaction = react(this.#character, state, event);
    this.#reactions.push(reaction);
    for (const { transcribed } of reaction.utterances) {
      this.#heard.push(transcribed);
      this.#transcript.push(`person: ${transcribed}`);
    }
    if (reaction.beeps) this.#transcript.push('beep');
    if (reaction.hangsUp) this.#transcript.push('hangs up');
    return reaction;
  }
}

/** Plays a fixed script; repeats what the person interrupts. */
export function play(character: Character, ...turns: readonly CallerTurn[]): Played {
  const line = new TestLine(character);
  for (const turn of turns) {
    if (line.hungUp) break;
    if (turn === null) line.keepSilent();
    else if (typeof turn !== 'string') line.press(turn.keys);
    else for (let tries = 0; tries < 4 && line.say(turn) !== null && !line.hungUp; tries += 1);
  }
  return line.played();
}

/** The caller's goal, in the words of this test and not of any agent. */
export interface Errand {
  readonly purpose: string;
  readonly questions: readonly string[];
  /** Words that choose a menu option. */
  readonly branch: RegExp;
}

export const errands = {
  appointment: {
    purpose: 'I want to book an appointment for a physical for Maya Rivera.',
    questions: ['Is there a confirmation number?'],
    branch: /appointment|schedul/i,
  },
  benefits: {
    purpose: 'I am calling to verify the insurance benefits of Maya Rivera.',
    questions: ['Is the coverage active?', 'What is the copay?', 'And the deductible?'],
    branch: /benefit|eligib|provider|representative/i,
  },
  claim: {
    purpose: 'I have a question about a claim of Maya Rivera.',
    questions: ['What is the status of the claim?', 'How much was paid?'],
    branch: /claim|provider|representative/i,
  },
  office: {
    purpose: 'I have some questions about your office.',
    questions: ['What are your office hours?', 'What is your fax number?'],
    branch: /other|office|question|front desk|representative/i,
  },
} as const satisfies Record<string, Errand>;

const answers: readonly (readonly [RegExp, string])[] = [
  [/(robot|machine|automated|computer|real person|scam)\b.*\?/i, 'Yes, I am an automated assistant.'],
  [/date of birth|birthday|d\.? ?o\.? ?b\b|born/i, 'July 12, 1984.'],
  [/claim number|bill number|number of the claim|claim or bill/i, 'It is CLM 7741902.'],
  [/member.{0,12}\b(id|number)|subscriber|policy number|\bID\b/i, 'E H P 2 0 4 5 1 8 8 3 7.'],
  [/npi|provider/i, 'Dr. Helen Okafor, NPI 1234567893.'],
  [
    /(existing|new|returning|established)|been here|seen (here|before)|first visit/i,
    'She is an existing patient.',
  ],
  [/who.{0,14}(calling|speaking|this)|your name/i, 'This is the assistant of Maya Rivera.'],
  [/patient|name|for whom|who.{0,10} for/i, 'Maya Rivera.'],
  [/insurance/i, 'Example Health Plan.'],
  [
    /would (one|that|any)|which (one|would)|prefer|does that work|\bI have\b.*\bor\b|available|openings?/i,
    'The first one works for me.',
  ],
  [/again|repeat|what was that|catch that|breaking up|once more/i, ''],
];

/** A caller with common sense and no manners: answers questions, asks for what it needs, and says goodbye. */
export function runErrand(character: Character, errand: Errand, longest = 40): Played {
  const line = new TestLine(character);
  const open: string[] = [...errand.questions];
  let last = errand.purpose;
  let hasToldPurpose = false;
  for (let turn = 0; turn < longest && !line.hungUp; turn += 1) {
    const words = line.lastWords;
    const keys = keyFor(words, errand.branch);
    if (keys !== null) {
      line.press(keys);
      continue;
    }
    if (words === '' && hasToldPurpose && open.length === 0) {
      line.say('Thank you, goodbye.');
      continue;
    }
    const next = hasToldPurpose ? answerTo(words, last, open) : errand.purpose;
    hasToldPurpose = true;
    last = next;
    while (line.say(next) !== null && !line.hungUp);
    // Another person has taken the call and knows nothing.
    if (/this is|speaking|my name is|how can i help/i.test(line.lastWords) && line.state.callerTurns === 0) {
      hasToldPurpose = false;
    }
  }
  return line.played();
}

function answerTo(words: string, last: string, open: string[]): string {
  const sentences = words.split(/(?<=[.?!])\s+/);
  const asked = sentences.filter(
    (sentence) => sentence.endsWith('?') || /\bI need\b|may I have/i.test(sentence),
  );
  for (const sentence of asked.toReversed()) {
    const answer = answers.find(([pattern]) => pattern.test(sentence));
    if (answer !== undefined) return answer[1] === '' ? last : answer[1];
  }
  return open.shift() ?? 'Thank you, goodbye.';
}

/** The menu's key for the caller's goal: "for appointments, press 2". */
function keyFor(words: string, branch: RegExp): string | null {
  const options = [...words.matchAll(/(?:for|to|if)\b([^.]*?),?\s*press\s+(\d|star|pound)/gi)];
  if (options.length === 0) return null;
  const fitting =
    options.find(([, what = '']) => branch.test(what)) ?? options.find(([, , key]) => key === '0');
  return (fitting ?? options.at(-1))?.[2] ?? null;
}
