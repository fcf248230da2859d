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
  /** How many calls are held at the same time, besides one after the other. */
  readonly calls: number;
  /** Between an answer and the next words, on average, where one call is held and where several are. */
  readonly pauseMs: { readonly alone: number; readonly together: number };
  /** For the data of the stack; removed by whoever made it. */
  readonly directory: string;
  readonly progress: (line: string) => void;
}

/** What was measured of one kind of turn, with so many calls at a time. */
export interface TurnFigures {
  readonly of: 'built-in model' | 'language model' | 'interruption';
  readonly calls: number;
  /** From the frame that is sent to the service to the first words, or from the interruption to the last ones. */
  readonly ms: Spread | null;
  /** Words that nothing was said or done about within three seconds. */
  readonly unanswered: number;
  /** Words that were still spoken after an interruption, on average. */
  readonly wordsAfter: number;
}

interface Turn {
  /** Null when nothing was said or done. */
  readonly ms: number | null;
  readonly wordsAfter: number;
}

/** In a call there are several seconds between what two people say. */
export const usualPauses: TurnOptions['pauseMs'] = { alone: 200, together: 2_000 };
const warmUpTurns = 3;
/** So long after its first words an answer is interrupted, which would go on for two seconds. */
const interruptedAfterMs = 400;

/**
 * Holds conversations over the WebSocket of a local stack, as the carrier does, and measures how long the voice agent
 * takes: with the built-in model, and with an imitation of a language model, which answers at once.
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

/** Holds a call as far as it goes, and tells of each turn. */
type Take = (call: RelayCall, name: string, pause: () => Promise<void>) => AsyncIterable<Turn>;

async function measure(
  site: TurnSite,
  take: Take,
  { turns, calls, pauseMs }: { turns: number; calls: number; pauseMs: number },
): Promise<Turn[]> {
  const taken: Turn[] = [];
  const pause = (): Promise<void> => sleep(pauseMs * (0.5 + Math.random()));
  /** While functions load their code, nothing counts. */
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

/** The front desk of the sandbox phone answers, and talks until one of the two ends the call. */
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

/** Somebody has the whole of it read to them, and interrupts. */
async function* interrupt(call: RelayCall, _: string, pause: () => Promise<void>): AsyncGenerator<Turn> {
  while (!call.isOver) {
    await pause();
    const silence = await call.interrupt(askForAll, interruptedAfterMs * (0.5 + Math.random()));
    // An agent that cannot find out whom it talks to ends the call.
    if (silence === null && call.isOver) return;
    yield { ms: silence?.untilSilentMs ?? null, wordsAfter: silence?.wordsAfter ?? 0 };
  }
}
