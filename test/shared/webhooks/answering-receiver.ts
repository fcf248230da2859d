import type { ServerResponse } from 'node:http';
import { startTestServer, type TestServer } from '../../support/http-server.ts';
import { forThisTest } from '../../support/lifetime.ts';

export type Answer = (response: ServerResponse) => void;

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();

/** A receiver that gives these responses in order, and then repeats the last one. */
export function startReceiver(...answers: [Answer, ...Answer[]]): Promise<TestServer> {
  let next = 0;
  const server = startTestServer((_, response) => {
    const answer = answers[Math.min(next, answers.length - 1)] ?? answers[0];
    next += 1;
    answer(response);
  });
  return forThisTest(server);
}
