import type { CallAnswer, CallResult, Disclosure } from '#shared/domain/call-result.ts';
import type { Task } from '#shared/domain/task.ts';
import { maxItemBytes, storedBytes } from '#shared/table/storable.ts';
import type { CallConclusion } from './conclude-call.ts';

/*
 * A client may have a thousand questions asked, and the results must fit into an item: a call or task that cannot be
 * written would never end.
 */

/** The longest outcome text of a call or a task, in characters. */
const longestOutcome = 10_000;
/** The rest of a call item is small. */
const maxCallResultBytes = 300_000;

/** The result of a call, as far as it fits into the item. */
export function fittingConclusion(conclusion: CallConclusion): CallConclusion {
  const { outcome, result } = conclusion;
  return {
    ...conclusion,
    outcome: clipped(outcome),
    result: result === null ? null : fittingResult(result, maxCallResultBytes),
  };
}

/** A task with as much of its result as fits beside the client's input. */
export function fittingTask(task: Task): Task {
  const outcome = task.task_outcome === null ? null : clipped(task.task_outcome);
  const bare: Task = { ...task, task_outcome: outcome, result: null };
  if (task.result === null) return bare;
  return { ...bare, result: fittingResult(task.result, maxItemBytes - storedBytes(bare)) };
}

/**
 * The result itself if it fits. Otherwise drops unanswered questions first, and then the last ones; the transcript
 * still has all that was said.
 */
export function fittingResult(result: CallResult, maxBytes: number): CallResult {
  if (storedBytes(result) <= maxBytes) return result;
  const bare: CallResult = { ...result, summary: clipped(result.summary), answers: [], disclosures: [] };
  const room = maxBytes - storedBytes(bare);
  const answered = result.answers.filter(({ answer }) => answer !== null);
  const answers = firstThatFit<CallAnswer>(answered, room);
  const disclosures = firstThatFit<Disclosure>(result.disclosures, room - storedBytes(answers));
  return { ...bare, answers, disclosures };
}

function firstThatFit<Part>(parts: readonly Part[], maxBytes: number): Part[] {
  let bytes = storedBytes([]);
  const end = parts.findIndex((part) => {
    bytes += storedBytes(part);
    return bytes > maxBytes;
  });
  return end === -1 ? [...parts] : parts.slice(0, end);
}

function clipped(text: string): string {
  return text.length <= longestOutcome ? text : `${text.slice(0, longestOutcome - 1).trimEnd()}…`;
}
