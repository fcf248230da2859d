import { describe, expect, test } from 'vitest';
import { annotateLog, log, logError, withLogContext } from '#shared/observability/log.ts';
import { capturedLog } from '../../support/captured-log.ts';

const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the log', () => {
  test('is one line of JSON per event, with the fields of its context', async () => {
    const text = await capturedLog(() =>
      withLogContext({ request_id: 'r-1' }, async () => {
        annotateLog({ project_id: 'p-1' });
        log('first', { status: 200, note: 'two\nlines' });
        await withLogContext({ message_id: 'm-1' }, async () => log('second'));
        log('third');
      }),
    );
    expect(lines(text)).toMatchObject([
      { level: 'info', event: 'first', request_id: 'r-1', project_id: 'p-1', status: 200 },
      { event: 'second', request_id: 'r-1', project_id: 'p-1', message_id: 'm-1' },
      { event: 'third', request_id: 'r-1' },
    ]);
    expect(lines(text)[2]).not.toHaveProperty('message_id');
  });

  test('separates concurrent contexts', async () => {
    const text = await capturedLog(() =>
      Promise.all(
        ['a', 'b'].map((id) =>
          withLogContext({ id }, async () => {
            annotateLog({ own: id });
            await new Promise((resolve) => setImmediate(resolve));
            log('done');
          }),
        ),
      ),
    );
    expect(lines(text)).toMatchObject([
      { id: 'a', own: 'a' },
      { id: 'b', own: 'b' },
    ]);
  });

  test("has an error's name and origin, never its message or its cause's", async () => {
    const canary = 'Ada Canary\n    at Canary Street (+12025550142)';
    const cause = new TypeError(canary);
    const error = new Error(`patient ${canary}`, { cause });
    error.stack = String(error.stack);
    const text = await capturedLog(async () => {
      logError('failed', error);
      logError('failed', canary);
      logError('failed', Object.assign(new Error(''), { name: 'NoMessage' }));
    });
    expect(text).not.toMatch(/Canary|2025550142/);
    expect(lines(text)).toMatchObject([
      {
        level: 'error',
        error_name: 'Error',
        error_stack: expect.stringContaining('log.test.ts'),
        cause_name: 'TypeError',
      },
      { error_name: 'string' },
      { error_name: 'NoMessage' },
    ]);
  });
});
