import type { OpenBudget, ResponseBudget } from '#shared/lists/response-budget.ts';
import type { Table } from '#shared/table/client.ts';
import { turnPages } from '#shared/table/conversation.ts';
import type { CallsPosition } from './calls-cursor.ts';
import type { CallResource, TranscriptEntry } from './task-resource.ts';

/** Transcripts read concurrently; most are one short query each. */
const readsAtOnce = 10;

export interface CallsPage {
  readonly calls: CallResource[];
  /** Where the next response continues; null if this one has all. */
  readonly next: CallsPosition | null;
}

interface TranscriptServices {
  readonly table: Table;
  readonly openBudget: OpenBudget;
}

/**
 * Adds transcripts to the calls as far as the budget allows. Only a transcript that is too long for a response of its
 * own is split, and it begins that response.
 *
 * @param task what the response contains besides the calls
 * @param firstTurn where the first call's transcript begins in this response
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
  /** False when the rest does not fit into any response together with this. */
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
