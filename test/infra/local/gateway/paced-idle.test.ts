import { expect, test } from 'vitest';
import { pacedIdle } from '../../../../infra/local/gateway/paced-idle.ts';

test('an idle socket lives as long as on API Gateway, in sandbox call time', () => {
  expect(pacedIdle('1')).toEqual({ idleMs: 600_000, keepAliveSeconds: '480' });
  expect(pacedIdle(undefined)).toEqual(pacedIdle('1'));
  expect(pacedIdle('0.1')).toEqual({ idleMs: 60_000, keepAliveSeconds: '48' });
});

test('a person who answers in real time stays connected at any pace', () => {
  for (const pace of ['0', '0.01', '0.05']) {
    expect(pacedIdle(pace)).toEqual({ idleMs: 30_000, keepAliveSeconds: '24' });
  }
});
