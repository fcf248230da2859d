import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';

const TurnLine = z.object({
  event: z.literal('turn'),
  time: z.string(),
  task_id: z.optional(z.string()),
  first_word_ms: z.optional(z.number()),
  turn_latency_ms: z.optional(z.number()),
});

/** What the voice agent logged about its conversations, in milliseconds. */
export interface TurnTimes {
  /** From the creation of each task to the first word of its call. */
  readonly firstWord: readonly number[];
  /** From each frame with an answer to the first words of the answer. */
  readonly latency: readonly number[];
}

/** Reads the functions' log of a stack. @param createdAt when each task was created, by identifier */
export async function readTurnTimes(
  logFile: string,
  createdAt: ReadonlyMap<string, number>,
): Promise<TurnTimes> {
  const firstWord: number[] = [];
  const latency: number[] = [];
  for await (const text of createInterface({ input: createReadStream(logFile) })) {
    if (!text.includes('"event":"turn"')) continue;
    const { success, data: line } = TurnLine.safeParse(parseJson(text.slice(text.indexOf('{'))));
    if (!success) continue;
    if (line.turn_latency_ms !== undefined) latency.push(line.turn_latency_ms);
    const created = createdAt.get(line.task_id ?? '');
    if (line.first_word_ms !== undefined && created !== undefined) {
      firstWord.push(Date.parse(line.time) - created);
    }
  }
  return { firstWord, latency };
}

/** Threads may end in the middle of a line. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
