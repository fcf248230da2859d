import type { Voice } from '../sound/synthesizer.ts';
import type { Character, MachineStage } from './character.ts';
import { type Heard, hear } from './heard.ts';
import { digitsForWords } from './number-words.ts';
import { matchesAny } from './pattern.ts';
import {
  listening,
  type PersonEvent,
  type PersonState,
  type Reaction,
  type Utterance,
} from './person-state.ts';
import { choosePhrase } from './phrase.ts';
import { chanceBetween } from './seeded.ts';
import { sentencesOf, utter } from './utterance.ts';

type Menu = Extract<MachineStage, { kind: 'menu' }>;
type Entry = Extract<MachineStage, { kind: 'entry' }>;
type Hold = Extract<MachineStage, { kind: 'hold' }>;

/** Where a machine leads: to another stage with keys pressed ahead, or its own action. */
type Step =
  | { readonly to: string; readonly keysAhead: string; readonly state: PersonState }
  | { readonly reaction: Reaction };

/** After this long without another key, an entry is complete. */
const entryPauseMs = 2500;
/** A mailbox takes silence for the end of the message. */
const mailboxSilenceMs = 4000;
/** Natural speech, to tell from the words how long a message was. */
const charactersPerSecond = 14;

/** Starts a machine: it reads its menu, asks for an entry, or plays music. Keys pressed ahead count at once. */
export function startMachine(
  character: Character,
  state: PersonState,
  stage: MachineStage,
  keysAhead: string,
): Step {
  const fresh = { ...state, machine: { readings: 0, digits: '', leftMs: 0, announcements: 0 } };
  switch (stage.kind) {
    case 'menu':
    case 'entry':
      return keysAhead === ''
        ? readAloud(character, fresh, stage, [])
        : takeKeys(character, fresh, stage, keysAhead);
    case 'hold': {
      const [shortest, longest] = stage.ms;
      const leftMs = chanceBetween(character.seed, `${state.stage} hold`, shortest, longest);
      return { reaction: holdOn(character, withTimeLeft(fresh, leftMs), stage) };
    }
    case 'voicemail': {
      const greeting = say(character, fresh, 'greeting', stage.greeting, machineVoice(character, stage));
      const empty = withTimeLeft(fresh, stage.longest_ms);
      return {
        reaction: {
          ...listening(empty, mailboxSilenceMs * 2),
          utterances: stage.in_parts ? greeting.flatMap((one) => apart(character, one)) : greeting,
          beeps: true,
        },
      };
    }
    default:
      return stage satisfies never;
  }
}

export function operateMachine(
  character: Character,
  state: PersonState,
  stage: MachineStage,
  event: Exclude<PersonEvent, { kind: 'picked-up' }>,
): Step {
  switch (stage.kind) {
    case 'menu':
    case 'entry':
      if (event.kind === 'keys') return takeKeys(character, state, stage, event.digits);
      if (event.kind === 'heard') return takeWords(character, state, stage, hear(event.text));
      if (event.kind === 'silence') return takeSilence(character, state, stage);
      return { reaction: listening(state, stage.waits_ms) };
    case 'hold':
      if (event.kind === 'time') return afterHold(character, state, stage);
      // No one listens; the line need not report it.
      return {
        reaction: { ...listening(state, 0), waitsMs: nextHoldMs(state, stage), waitsWith: stage.sound },
      };
    case 'voicemail':
      return { reaction: record(state, event) };
    default:
      return stage satisfies never;
  }
}

function takeKeys(character: Character, state: PersonState, stage: Menu | Entry, keys: string): Step {
  return stage.kind === 'menu'
    ? chooseByKeys(character, state, stage, keys)
    : enterDigits(character, state, stage, keys);
}

function chooseByKeys(character: Character, state: PersonState, menu: Menu, keys: string): Step {
  const [key, ...rest] = [...keys].filter((one) => /[0-9*#]/.test(one));
  if (key === undefined) return { reaction: listening(state, menu.waits_ms) };
  const choice = menu.choices[key];
  return choice === undefined
    ? notUnderstood(character, state, menu)
    : { to: choice.to, keysAhead: rest.join(''), state };
}

function enterDigits(character: Character, state: PersonState, entry: Entry, keys: string): Step {
  const [now = '', ...ahead] = keys.split('#');
  const digits = state.machine.digits + now.replace(/\D/g, '');
  const isClosed = keys.includes('#');
  const format = digitFormat(entry.digits);
  const next = { ...state, machine: { ...state.machine, digits } };
  if (!isClosed && !(format.test(digits) && !canGoOn(format, digits))) {
    return { reaction: listening(next, entryPauseMs) };
  }
  return finishEntry(character, next, entry, ahead.join('#'));
}

function finishEntry(character: Character, state: PersonState, entry: Entry, keysAhead: string): Step {
  const { digits } = state.machine;
  if (!digitFormat(entry.digits).test(digits)) {
    return notUnderstood(character, { ...state, machine: { ...state.machine, digits: '' } }, entry);
  }
  return {
    to: entry.to,
    keysAhead,
    state: { ...state, keyedIn: { ...state.keyedIn, [entry.slot]: digits } },
  };
}

/** What digits must look like: a regular expression, or `#` for each digit. */
export function digitFormat(digits: string): RegExp {
  return new RegExp(`^(?:${digits.replaceAll('#', '\\d')})$`);
}

/** Whether more digits could follow, so that the entry is not over yet. */
function canGoOn(format: RegExp, digits: string): boolean {
  return Array.from({ length: 12 }, (_, index) => index + 1).some(
    (count) => format.test(digits + '0'.repeat(count)) || format.test(digits + '1'.repeat(count)),
  );
}

function takeWords(character: Character, state: PersonState, stage: Menu | Entry, heard: Heard): Step {
  if (heard.words.length === 0) return { reaction: listening(state, stage.waits_ms) };
  const digits = digitsForWords(heard.text.toLowerCase()).replace(/\D/g, '');
  if (stage.kind === 'entry') {
    return digitFormat(stage.digits).test(digits)
      ? finishEntry(character, { ...state, machine: { ...state.machine, digits } }, stage, '')
      : notUnderstood(character, state, stage);
  }
  const spoken = Object.entries(stage.spoken).find(([, patterns]) => matchesAny(patterns, heard.words));
  // "Two", "option two, please", "press 2".
  const key = spoken?.[0] ?? (heard.words.length <= 5 && digits.length === 1 ? digits : undefined);
  const choice = key === undefined ? undefined : stage.choices[key];
  return choice === undefined
    ? notUnderstood(character, state, stage)
    : { to: choice.to, keysAhead: '', state };
}

function takeSilence(character: Character, state: PersonState, stage: Menu | Entry): Step {
  if (stage.kind === 'entry' && state.machine.digits !== '') return finishEntry(character, state, stage, '');
  return readAloud(character, state, stage, []);
}

function notUnderstood(character: Character, state: PersonState, stage: Menu | Entry): Step {
  const apology = say(
    character,
    state,
    `not understood ${state.machine.readings}`,
    stage.not_understood,
    machineVoice(character, stage),
  );
  return readAloud(character, state, stage, apology);
}

/** Reads the menu (again); after enough repetitions moves on. */
function readAloud(
  character: Character,
  state: PersonState,
  stage: Menu | Entry,
  before: readonly Utterance[],
): Step {
  const readings = state.machine.readings + 1;
  if (readings > stage.readings) return { to: stage.otherwise, keysAhead: '', state };
  const next = { ...state, machine: { ...state.machine, readings, digits: '' } };
  const voice = machineVoice(character, stage);
  const reading = say(character, state, 'reading', stage.says, voice);
  const inParts = stage.kind === 'menu' && stage.in_parts;
  return {
    reaction: {
      ...listening(next, stage.waits_ms),
      utterances: inParts
        ? [...before, ...reading.flatMap((one) => apart(character, one))]
        : joined(character, [...before, ...reading]),
      isCutByKeys: true,
    },
  };
}

function apart(character: Character, { spoken, voice }: Utterance): Utterance[] {
  return sentencesOf(spoken).map((sentence) => utter(character, sentence, voice));
}

function joined(character: Character, utterances: readonly Utterance[]): Utterance[] {
  const [first] = utterances;
  if (first === undefined) return [];
  return [utter(character, utterances.map(({ spoken }) => spoken).join(' '), first.voice)];
}

/** Music or a tone for a while, with the next announcement before it. */
function holdOn(character: Character, state: PersonState, hold: Hold): Reaction {
  const { announcements } = state.machine;
  const text = hold.announcements[announcements % Math.max(1, hold.announcements.length)];
  const utterances =
    text === undefined
      ? []
      : say(character, state, `announcement ${announcements}`, [text], machineVoice(character, hold));
  const next = { ...state, machine: { ...state.machine, announcements: announcements + 1 } };
  return {
    ...listening({ ...next, awaiting: { kind: 'hold' } }, 0),
    utterances,
    waitsMs: nextHoldMs(state, hold),
    waitsWith: hold.sound,
  };
}

function nextHoldMs({ machine }: PersonState, { every_ms }: Hold): number {
  return Math.min(machine.leftMs, every_ms);
}

function afterHold(character: Character, state: PersonState, hold: Hold): Step {
  const leftMs = state.machine.leftMs - nextHoldMs(state, hold);
  const next = { ...withTimeLeft(state, leftMs), awaiting: null };
  return leftMs > 0
    ? { reaction: holdOn(character, next, hold) }
    : { to: hold.to, keysAhead: '', state: next };
}

/** Takes a message until silence or its maximum length. */
function record(state: PersonState, event: Exclude<PersonEvent, { kind: 'picked-up' }>): Reaction {
  if (event.kind === 'silence') return { ...listening(state, 0), hangsUp: true };
  if (event.kind !== 'heard') return listening(state, mailboxSilenceMs);
  const leftMs = state.machine.leftMs - (event.text.length / charactersPerSecond) * 1000;
  return { ...listening(withTimeLeft(state, leftMs), mailboxSilenceMs), hangsUp: leftMs < 0 };
}

function withTimeLeft(state: PersonState, leftMs: number): PersonState {
  return { ...state, machine: { ...state.machine, leftMs } };
}

function say(
  character: Character,
  { stage }: PersonState,
  occasion: string,
  phrases: readonly string[],
  voice: Voice,
): Utterance[] {
  const chosen = choosePhrase(phrases, {
    seed: character.seed,
    occasion: `${stage} ${occasion}`,
    count: 0,
    values: (name) => character.facts[name]?.spoken ?? null,
  });
  return chosen === null ? [] : [utter(character, chosen.text, voice)];
}

/** A mailbox speaks with its owner's voice, any other machine with one of its own. */
function machineVoice({ voice }: Character, stage: MachineStage): Voice {
  if (stage.voice !== undefined) return stage.voice;
  if (stage.kind === 'voicemail') return voice;
  return voice === 'kal16' ? 'kal' : 'kal16';
}
