import { setTimeout as sleep } from 'node:timers/promises';
import { calendarDay } from '#shared/sandbox-phone/person/calendar-day.ts';
import { castCharacter } from '#shared/sandbox-phone/person/character.ts';
import { react } from '#shared/sandbox-phone/person/person.ts';
import { newPerson, type PersonEvent, type Reaction } from '#shared/sandbox-phone/person/person-state.ts';
import { bundledDirectory, personaAt } from '#shared/sandbox-phone/personas/directory.ts';
import { StackProcess } from '../../crash/stack-process.ts';
import { type Spread, spreadOf } from '../percentiles.ts';
import { askForAll, startImitationModel } from './imitation-model.ts';
import type { Answer, RelayCall } from './relay-call.ts';
import { calledNumber, openTurnSite, type TurnSite } from './turn-site.ts';

export interface TurnOptions {
  /** Turns to measure of each kind. */
  readonly turns: number;
  /** Number of concurrent calls, measured besides single ones. */
  readonly calls: number;
  /** Average pause between an answer and the next words, with one call and with several. */
  readonly pauseMs: { readonly alone: number; readonly together: number };
  /** For the stack's data; the caller removes it. */
  readonly directory: string;
  readonly progress: (line: string) => void;
}

/** Measurements of one kind of turn, with this many concurrent calls. */
export interface TurnFigures {
  readonly of: 'built-in model' | 'language model' | 'interruption';
  readonly calls: number;
  /** From the frame to the service until the first words, or from the interruption until the last ones. */
  readonly ms: Spread | null;
  /** Words without a reaction within three seconds. */
  readonly unanswered: number;
  /** Words still spoken after an interruption, on average. */
  readonly wordsAfter: number;
}

interface Turn {
  /** Null without a reaction. */
  readonly ms: number | null;
  readonly wordsAfter: number;
}

/** People on a call pause for several seconds. */
export const usualPauses: TurnOptions['pauseMs'] = { alone: 200, together: 2_000 };
const warmUpTurns = 3;
/** Interrupts an answer this long after its first words; it would go on for two seconds. */
const interruptedAfterMs = 400;

/**
 * Holds conversations over a local stack's WebSocket, as the carrier does, and measures the voice agent's response
 * time: with the built-in model, and with an imitation of a language model that responds immediately.
 */
export async function runTurns({
  turns,
  calls,
  pauseMs,
  directory,
  progress,
}: TurnOptions): Promise<TurnFigures[]> {
  const imitation = await startImitationModel();
  const stack = StackProcess.start(directory, {
    pace: '0',
    parameters: { DialogueModel: 'bedrock' },
    environment: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: imitation.origin },
  });
  const figures: TurnFigures[] = [];
  try {
    const addresses = await stack.ready();
    const builtIn = await openTurnSite(addresses, 'built-in');
    const languageModel = await openTurnSite(addresses, 'language-model');
    const kinds = [
      { of: 'built-in model', site: builtIn, take: converse },
      { of: 'language model', site: languageModel, take: converse },
      { of: 'interruption', site: languageModel, take: interrupt },
    ] as const;
    for (const { of, site, take } of kinds) {
      for (const count of new Set([1, calls])) {
        progress(`${of}, ${count === 1 ? 'one call' : `${count} calls`} at a time …`);
        const wanted = { turns, pauseMs: count === 1 ? pauseMs.alone : pauseMs.together };
        const taken = await measure(site, take, { ...wanted, calls: count });
        figures.push({ of, calls: count, ...figuresOf(taken) });
      }
    }
    for (const site of [builtIn, languageModel]) site.close();
    return figures;
  } finally {
    await Promise.race([stack.stop(), sleep(20_000, undefined, { ref: false })]);
    await stack.kill('everything');
    await imitation.stop();
  }
}

function figuresOf(turns: readonly Turn[]): Omit<TurnFigures, 'of' | 'calls'> {
  const times = turns.map(({ ms }) => ms).filter((ms) => ms !== null);
  const words = turns.reduce((sum, { wordsAfter }) => sum + wordsAfter, 0);
  return {
    ms: spreadOf(times),
    unanswered: turns.length - times.length,
    wordsAfter: words / Math.max(1, turns.length),
  };
}

/** Holds a whole call, and reports each turn. */
type Take = (call: RelayCall, name: string, pause: () => Promise<void>) => AsyncIterable<Turn>;

async function measure(
  site: TurnSite,
  take: Take,
  { turns, calls, pauseMs }: { turns: number; calls: number; pauseMs: number },
): Promise<Turn[]> {
  const taken: Turn[] = [];
  const pause = (): Promise<void> => sleep(pauseMs * (0.5 + Math.random()));
  /** Nothing counts while functions load their code. */
  let uncounted = warmUpTurns * calls;
  const hold = async (name: string): Promise<void> => {
    const call = await site.openCall();
    try {
      for await (const turn of take(call, name, pause)) {
        if (uncounted > 0) uncounted -= 1;
        else taken.push(turn);
        if (taken.length >= turns) return;
      }
    } finally {
      await call.close();
    }
  };
  const holdMore = async (line: number): Promise<void> => {
    for (let count = 1; taken.length < turns; count += 1) await hold(`${line} ${count}`);
  };
  await Promise.all(Array.from({ length: calls }, (_, line) => holdMore(line)));
  return taken.slice(0, turns);
}

/** The sandbox phone's front desk answers, and talks until either side ends the call. */
async function* converse(call: RelayCall, name: string, pause: () => Promise<void>): AsyncGenerator<Turn> {
  const directory = bundledDirectory();
  const character = castCharacter({
    file: personaAt(directory, calledNumber),
    personas: directory.personas,
    defaults: directory.defaults,
    today: calendarDay(calledNumber, new Date()),
    seed: name,
    callSid: name,
    reach: 'answers',
  });
  let reaction: Reaction = react(character, newPerson, { kind: 'picked-up' });
  while (!call.isOver && !reaction.hangsUp) {
    let answer: Answer | null = null;
    for (const { transcribed } of reaction.utterances) {
      await pause();
      if (call.isOver) return;
      answer = await call.say(transcribed);
      yield { ms: answer.firstFrameMs, wordsAfter: 0 };
    }
    reaction = react(character, reaction.state, eventOf(reaction, answer));
  }
}

function eventOf({ waitsMs }: Reaction, answer: Answer | null): PersonEvent {
  if (waitsMs !== null) return { kind: 'time' };
  if (answer === null || (answer.text === '' && answer.digits === '')) return { kind: 'silence' };
  return answer.text === '' ? { kind: 'keys', digits: answer.digits } : { kind: 'heard', text: answer.text };
}

/** The person has everything read to them, and interrupts. */
async function* interrupt(call: RelayCall, _: string, pause: () => Promise<void>): AsyncGenerator<Turn> {
  while (!call.isOver) {
    await pause();
    const silence = await call.interrupt(askForAll, interruptedAfterMs * (0.5 + Math.random()));
    // An agent that cannot find out whom it is talking to ends the call.
    if (silence === null && call.isOver) return;
    yield { ms: silence?.untilSilentMs ?? null, wordsAfter: silence?.wordsAfter ?? 0 };
  }
}
