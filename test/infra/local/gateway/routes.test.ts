import { describe, expect, test } from 'vitest';
import { FrameSizeGuard } from '../../../../infra/local/gateway/frame-size-guard.ts';
import { type PathNode, Router } from '../../../../infra/local/gateway/routes.ts';
import { Throttle, TokenBucket } from '../../../../infra/local/gateway/throttle.ts';

const node = (id: string, parentId: string, part: string, ...methods: string[]): PathNode<string> => ({
  id,
  parentId,
  part,
  methods: new Map(methods.map((method) => [method, `${method} ${id}`])),
});

const router = new Router(
  'root',
  [
    node('v1', 'root', 'v1'),
    node('task', 'v1', 'task', 'POST', 'ANY'),
    node('task-id', 'task', '{task_id}', 'GET'),
    node('task-list', 'task', 'list', 'GET'),
    node('recording', 'task-id', 'recording', 'GET'),
    node('files', 'v1', 'files'),
    node('file', 'files', '{path+}', 'GET'),
    node('calls', 'root', 'Calls.json', 'GET'),
    node('call', 'root', '{call}', 'GET'),
  ],
  new Map([['GET', 'GET root']]),
);

describe('matches routes like API Gateway', () => {
  test.each<[string, string, string | undefined, Record<string, string> | null]>([
    ['GET', '/', 'GET root', null],
    ['POST', '/v1/task', 'POST task', null],
    ['POST', '/v1/task/', 'POST task', null],
    ['DELETE', '/v1/task', 'ANY task', null],
    ['GET', '/v1/task/abc', 'GET task-id', { task_id: 'abc' }],
    ['GET', '/v1/task/a%2Fb%20c', 'GET task-id', { task_id: 'a/b c' }],
    ['GET', '/v1/task/list', 'GET task-list', null],
    ['GET', '/v1/task/list/recording', 'GET recording', { task_id: 'list' }],
    ['GET', '/v1/files/a/b', 'GET file', { path: 'a/b' }],
    ['GET', '/Calls.json', 'GET calls', null],
    ['GET', '/CA1.json', 'GET call', { call: 'CA1.json' }],
    ['POST', '/v1/task/abc', undefined, null],
    ['GET', '/v1', undefined, null],
    ['GET', '/v1/task//recording', undefined, null],
    ['GET', '/v1/other', undefined, null],
  ])('%s %s', (method, path, target, pathParameters) => {
    const match = router.match(method, path);
    expect(match?.target).toBe(target);
    expect(match?.pathParameters ?? null).toEqual(pathParameters);
  });

  test('a match includes the pattern', () => {
    expect(router.match('GET', '/v1/task/x/recording')?.resourcePath).toBe('/v1/task/{task_id}/recording');
  });

  test('a badly encoded path is an error', () => {
    expect(() => router.match('GET', '/v1/task/%zz')).toThrow(URIError);
  });
});

describe('throttling', () => {
  test('admits a burst, then the rate', () => {
    const bucket = new TokenBucket(2, 3, 0);
    expect([0, 0, 0, 0].map((at) => bucket.take(at))).toEqual([true, true, true, false]);
    expect([400, 500, 500, 1000].map((at) => bucket.take(at))).toEqual([false, true, false, true]);
  });

  test("applies a method's own limit instead of the stage's, which applies per method", () => {
    const throttle = new Throttle([
      { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
      { HttpMethod: 'POST', ResourcePath: '/~1v1~1task', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 },
    ]);
    expect(throttle.admits('GET', '/v1/task', 0)).toBe(true);
    expect(throttle.admits('GET', '/v1/task', 0)).toBe(false);
    expect(throttle.admits('GET', '/v1/patient', 0)).toBe(true);
    expect(throttle.admits('GET', '/v1/task', 1000)).toBe(true);
    expect(throttle.admits('POST', '/v1/task', 0)).toBe(true);
    expect(throttle.admits('POST', '/v1/task', 0)).toBe(true);
    expect(throttle.admits('POST', '/v1/task', 0)).toBe(false);
  });
});

describe('the size of WebSocket frames', () => {
  const frame = (payloadBytes: number): Buffer => {
    const payload = Buffer.alloc(payloadBytes + 4);
    if (payloadBytes < 126) return Buffer.concat([Buffer.from([0x81, 0x80 | payloadBytes]), payload]);
    if (payloadBytes < 65_536) {
      return Buffer.concat([Buffer.from([0x81, 0xfe, payloadBytes >> 8, payloadBytes & 0xff]), payload]);
    }
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(payloadBytes));
    return Buffer.concat([Buffer.from([0x81, 0xff]), length, payload]);
  };

  test.each([1, 3, 1000, 1_000_000])('is known when bytes arrive %d at a time', (chunkBytes) => {
    let tooLarge = 0;
    const guard = new FrameSizeGuard(1000, () => {
      tooLarge += 1;
    });
    const sent = Buffer.concat([10, 0, 1000, 1001, 125, 70_000, 126, 5].map(frame));
    for (let at = 0; at < sent.length; at += chunkBytes) guard.watch(sent.subarray(at, at + chunkBytes));
    expect(tooLarge).toBe(2);
  });
});
