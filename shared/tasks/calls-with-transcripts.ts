import type { OpenBudget, ResponseBudget } from '#shared/lists/response-budget.ts';
import type { Table } from '#shared/table/client.ts';
import { turnPages } from '#shared/table/conversation.ts';
import type { CallsPosition } from './calls-cursor.ts';
import type { CallResource, TranscriptEntry } from './task-resource.ts';

/** Transcripts that are read at the same time; most are one short query each. */
const readsAtOnce = 10;

export interface CallsPage {
  readonly calls: CallResource[];
  /** Where the next answer has to go on; null when this one holds all. */
  readonly next: CallsPosition | null;
}

interface TranscriptServices {
  readonly table: Table;
  readonly openBudget: OpenBudget;
}

/**
 * Gives the calls their transcripts as far as the budget goes. Only a transcript that is too long for an answer of its
 * own is split, and it begins that answer.
 *
 * @param task what the response holds besides the calls
 * @param firstTurn where the transcript of the first call begins in this answer
 */
export async function callsWithTranscripts(
  services: TranscriptServices,
  task: unknown,
  calls: readonly CallResource[],
  firstTurn: number,
): Promise<CallsPage> {
  const budget = services.openBudget(task);
  const complete: CallResource[] = [];
  for (let start = 0; start < calls.length; start += readsAtOnce) {
    const group = calls.slice(start, start + readsAtOnce);
    const transcripts = await Promise.all(
      group.map((call, position) =>
        readTranscript(services, call.id, start + position === 0 ? firstTurn : 0),
      ),
    );
    for (const [position, call] of group.entries()) {
      const { entries, isWhole } = transcripts[position] ?? emptyTranscript;
      const withTranscript = { ...call, transcripts: entries };
      if (isWhole && budget.take(withTranscript)) {
        complete.push(withTranscript);
        continue;
      }
      const previous = complete.at(-1);
      return previous === undefined
        ? beginningOf(withTranscript, firstTurn, budget)
        : { calls: complete, next: { callId: previous.id, turn: null } };
    }
  }
  return { calls: complete, next: null };
}

interface Transcript {
  readonly entries: TranscriptEntry[];
  /** False when there is more, which does not fit into any answer together with this. */
  readonly isWhole: boolean;
}

const emptyTranscript: Transcript = { entries: [], isWhole: true };

async function readTranscript(
  { table, openBudget }: TranscriptServices,
  callId: string,
  firstTurn: number,
): Promise<Transcript> {
  const entries: TranscriptEntry[] = [];
  const alone = openBudget({});
  for await (const turns of turnPages(table, callId, firstTurn)) {
    const page = turns.map(({ role, content }) => ({ role, content }));
    entries.push(...page);
    if (!alone.take(page)) return { entries, isWhole: false };
  }
  return { entries, isWhole: true };
}

function beginningOf(
  call: CallResource & { readonly transcripts: TranscriptEntry[] },
  firstTurn: number,
  budget: ResponseBudget,
): CallsPage {
  const transcripts: TranscriptEntry[] = [];
  budget.take({ ...call, transcripts });
  for (const entry of call.transcripts) {
    if (!budget.take(entry)) break;
    transcripts.push(entry);
  }
  return {
    calls: [{ ...call, transcripts }],
    next: { callId: call.id, turn: firstTurn + transcripts.length },
  };
}
