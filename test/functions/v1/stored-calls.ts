import { expect } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { putTurnItem } from '#shared/table/conversation.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type ApiReply, type ApiUnderTest, send } from '../../support/api-under-test.ts';
import { sampleCall, sampleTask, sampleTime } from '../../support/sample-tasks.ts';
import { storedCallItems } from '../../support/stored-calls.ts';

export const result: CallResult = {
  goal_reached: true,
  definite: true,
  answers: [],
  ending: 'finished',
  obstacle: null,
  reference_number: 'R-1',
  person_name: null,
  follow_up: null,
  disclosures: [],
  summary: 'They open at nine.',
};

/** Stores calls as if they had been made, and reads them as their client does. */
export function storedCalls(api: () => ApiUnderTest) {
  const get = (path: string, apiKey = api().mine.apiKey): Promise<ApiReply> =>
    send(api().baseUrl, { method: 'GET', path, apiKey });

  /** A finished task, so nothing dials it, with its calls, oldest first. */
  const storeTask = async (
    callCount: number,
    change: (index: number) => Partial<Call> = () => ({}),
  ): Promise<{ task: Task; calls: Call[] }> => {
    const task = sampleTask(
      { id: api().mine.projectId },
      { status: 'COMPLETED', next_attempt_at: null, next_attempt_reason: null, result },
    );
    const calls = Array.from({ length: callCount }, (_, index) =>
      sampleCall(task, {
        id: uuidv7(Date.parse(sampleTime) + index),
        attempt: index + 1,
        status: 'SUCCESS',
        due_at: null,
        completed_at: sampleTime,
        result,
        ...change(index),
      }),
    );
    await writeTransaction(api().table, [
      createTaskItem(api().table, task),
      ...calls.flatMap((call) => storedCallItems(api().table, call)),
    ]);
    return { task, calls };
  };

  const storeTranscript = async (callId: string, contents: string[]): Promise<void> => {
    const items = contents.map((content, index) =>
      putTurnItem(api().table, api().mine.projectId, {
        call_id: callId,
        index,
        role: index % 2 === 0 ? 'assistant' : 'user',
        content,
        offset_ms: index * 1000,
        created_at: sampleTime,
      }),
    );
    // A transaction takes 100 items and 4 MB.
    for (let start = 0; start < items.length; start += 100) {
      await writeTransaction(api().table, items.slice(start, start + 100));
    }
  };

  /** Reads all pages by their links. */
  const readPages = async (path: string): Promise<ApiReply[]> => {
    const pages: ApiReply[] = [];
    for (let next: string | null = path; next !== null; ) {
      const page = await get(next);
      expect(page.status).toBe(200);
      pages.push(page);
      next = nextPath(page);
      expect(page.json.has_more_calls).toBe(next !== null);
    }
    return pages;
  };
  const nextPath = (page: ApiReply): string | null =>
    /^<https?:\/\/.*(\/v1\/task\/.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
  const callIds = (pages: ApiReply[]): string[] =>
    pages.flatMap((page) => page.json.calls.map((call: { id: string }) => call.id));
  return { get, storeTask, storeTranscript, readPages, nextPath, callIds };
}
