import { describe, expect, test } from 'vitest';
import { endedStatuses } from '#shared/admin/project-summary.ts';
import { Bars } from '#shared/dashboard/layout/charts/bars.tsx';
import { HourColumns, type HourCounts } from '#shared/dashboard/layout/charts/hour-columns.tsx';

const none = { SUCCESS: 0, VOICEMAIL: 0, NO_ANSWER: 0, BUSY: 0, FAILED: 0, CANCELLED: 0 };
/** A day with calls in some of its hours. */
const day = (hours: Readonly<Record<number, Partial<HourCounts>>>): HourCounts[] =>
  Array.from({ length: 24 }, (_, hour) => ({ ...none, ...hours[hour] }));

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly width: number;
  readonly name: string;
}

/** The rectangles of a drawing, with the last word of their class. */
function rectangles(svg: string): Drawn[] {
  return [...svg.matchAll(/<rect ([^>]*)>/g)].map(([, text = '']) => {
    const value = (name: string): string => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? '';
    return {
      x: Number(value('x')),
      y: Number(value('y')),
      width: Number(value('width')),
      height: Number(value('height')),
      name: value('class').split(' ').at(-1) ?? '',
    };
  });
}

/** The columns without the legend below them. */
const columns = (hours: readonly HourCounts[]): string =>
  String(HourColumns({ label: 'Calls', hours })).split('<ul')[0] ?? '';

describe('bars', () => {
  const drawn = (counts: readonly number[]): Drawn[] =>
    rectangles(
      String(Bars({ label: 'Tasks', bars: counts.map((count) => ({ label: 'Some', count, tone: 'good' })) })),
    );

  test('are proportional to their counts', () => {
    const [first, second, third] = drawn([40, 10, 0]);
    expect(first?.width).toBeCloseTo((second?.width ?? 0) * 4);
    expect(third?.width).toBe(0);
    expect(first?.x).toBe(second?.x);
  });

  test('stay visible beside much longer ones', () => {
    expect(drawn([100_000, 1])[1]?.width).toBeGreaterThanOrEqual(2);
  });

  test('of zero have no length', () => {
    expect(drawn([0, 0]).map(({ width }) => width)).toEqual([0, 0]);
  });

  test('have numbers for screen readers', () => {
    const svg = String(Bars({ label: 'Tasks', bars: [{ label: 'Completed', count: 1250, tone: 'good' }] }));
    expect(svg).toContain('aria-label="Tasks: Completed 1,250"');
  });
});

describe('columns by hour', () => {
  test('stack without gaps, as high as their counts', () => {
    const parts = rectangles(columns(day({ 9: { SUCCESS: 2, VOICEMAIL: 1, FAILED: 1 }, 14: { BUSY: 4 } })));
    expect(parts.map(({ name }) => name)).toEqual(['SUCCESS', 'VOICEMAIL', 'FAILED', 'BUSY']);
    const [success, voicemail, failed, busy] = parts;
    // Between parts lies one unit of ground.
    const unit = (busy?.height ?? 0) + 1;
    expect((success?.height ?? 0) + 1).toBeCloseTo(unit / 2);
    expect((voicemail?.height ?? 0) + 1).toBeCloseTo(unit / 4);
    expect(failed?.y).toBeCloseTo(busy?.y ?? 0);
    expect((voicemail?.y ?? 0) + (voicemail?.height ?? 0) + 1).toBeCloseTo(success?.y ?? 0);
    expect(success?.x).toBe(failed?.x);
    expect(busy?.x).toBeGreaterThan(success?.x ?? 0);
  });

  test('have a pattern for each result, readable without color', () => {
    const svg = columns(
      day({ 9: { SUCCESS: 1, VOICEMAIL: 1, NO_ANSWER: 1, BUSY: 1, FAILED: 1, CANCELLED: 1 } }),
    );
    const patterns = [...svg.matchAll(/<path class="mark" d="([^"]*)"/g)].map(([, mark]) => mark);
    expect(new Set(patterns).size).toBe(patterns.length);
    const plain = endedStatuses.filter((status) => !svg.includes(`url(#result-${status})`));
    expect(plain).toEqual(['SUCCESS']);
  });

  test('have a total and a peak for screen readers', () => {
    const svg = columns(day({ 9: { SUCCESS: 2 }, 14: { BUSY: 4 } }));
    expect(svg).toContain('aria-label="Calls: 6 in all, most of them, 4, from 2 PM on"');
  });

  test('have no inline style, which the Content-Security-Policy would block', () => {
    expect(String(HourColumns({ label: 'Calls', hours: day({ 9: { FAILED: 1 } }) }))).not.toContain('style=');
  });
});
