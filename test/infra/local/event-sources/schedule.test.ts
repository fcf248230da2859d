import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rateMs, startSchedule } from '../../../../infra/local/event-sources/schedule.ts';

describe('schedules', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each<[string, number]>([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(1 day)', 86_400_000],
  ])('%s', (expression, ms) => {
    expect(rateMs(expression, 'Rule')).toBe(ms);
  });

  test.each(['cron(0 8 * * ? *)', 'rate(0 minutes)', 'rate(1 week)'])('%s is refused', (expression) => {
    expect(() => rateMs(expression, 'Rule')).toThrow('Rule has the schedule');
  });

  test('fires once per period from the start, and never after the stop', () => {
    const started = Date.now();
    const fired: number[] = [];
    const schedule = startSchedule(60_000, new Date(started), (at) => fired.push(at.getTime() - started));
    vi.advanceTimersByTime(59_999);
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(120_001);
    expect(fired).toEqual([60_000, 120_000, 180_000]);
    schedule.stop();
    vi.advanceTimersByTime(600_000);
    expect(fired).toHaveLength(3);
  });

  test('keeps its rhythm after a restart', () => {
    const started = Date.now();
    const fired: number[] = [];
    const lastAt = new Date(started - 40_000);
    const schedule = startSchedule(60_000, lastAt, (at) => fired.push(at.getTime() - started));
    vi.advanceTimersByTime(90_000);
    schedule.stop();
    expect(fired).toEqual([20_000, 80_000]);
  });

  test('fires exactly once at the start if firings were missed', () => {
    const started = Date.now();
    const fired: number[] = [];
    const lastAt = new Date(started - 3_600_000);
    const schedule = startSchedule(60_000, lastAt, (at) => fired.push(at.getTime() - started));
    vi.advanceTimersByTime(119_999);
    schedule.stop();
    expect(fired).toEqual([0, 60_000]);
  });
});
