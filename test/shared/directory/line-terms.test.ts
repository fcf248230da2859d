import { describe, expect, test } from 'vitest';
import { calledPlace } from '#shared/calling-hours/called-place.ts';
import { nextOpening } from '#shared/calling-hours/opening.ts';
import { type LineTerms, lineTerms, withLineLimits } from '#shared/directory/line-terms.ts';
import { defaultCallingHours } from '#shared/domain/project.ts';
import { directoryEntry } from '../../support/directory-entries.ts';
import { sampleProject } from '../../support/sample-tasks.ts';

const number = '+12025550101';
const tollFree = '+18005550101';
const project = sampleProject();
const weekdays = { days: [1, 2, 3, 4, 5], opens: '08:00', closes: '18:00' };

function zones(phone_number: string, terms: LineTerms, changes: Partial<typeof project> = {}) {
  return calledPlace({ ...project, ...changes }, { phone_number, task_data: null }, null, terms).zones;
}

function limits(terms: LineTerms, call_policy = project.call_policy) {
  const { max_hold_seconds: hold, max_call_seconds: call } = withLineLimits(
    { call_policy },
    terms,
  ).call_policy;
  return { hold, call };
}

describe('the terms of a line', () => {
  test('are one call at a time to an unknown number, and ten to a toll-free one', () => {
    expect(lineTerms(number, null, null)).toMatchObject({ maxCalls: 1, projectCalls: 1, isShared: false });
    expect(lineTerms(tollFree, null, null)).toMatchObject({ maxCalls: 10, projectCalls: 10, isShared: true });
  });

  test("are the operator's, which a project narrows and never lifts", () => {
    const operator = directoryEntry(number, { concurrent_calls: 4, max_hold_minutes: 30 });
    const more = { concurrent_calls: 9, max_hold_minutes: 55, name: 'Ours', project_id: project.id };
    expect(lineTerms(number, operator, directoryEntry(number, more))).toMatchObject({
      name: 'Ours',
      maxCalls: 4,
      projectCalls: 4,
      maxHoldSeconds: 1800,
    });
    const less = { ...more, concurrent_calls: 2, max_hold_minutes: 10 };
    expect(lineTerms(number, operator, directoryEntry(number, less))).toMatchObject({
      maxCalls: 4,
      projectCalls: 2,
      maxHoldSeconds: 600,
    });
    expect(lineTerms(number, null, directoryEntry(number, more))).toMatchObject({
      maxCalls: 1,
      isShared: false,
    });
  });

  test("limit hold time to the project's unless a directory says otherwise", () => {
    expect(limits(lineTerms(number, null, null))).toEqual({ hold: 1200, call: 4500 });
  });

  test('allow a shared line as much hold time as its queue may take', () => {
    const own = { project_id: project.id };
    expect(limits(lineTerms(tollFree, null, null))).toEqual({ hold: 2400, call: 4500 });
    expect(limits(lineTerms(number, directoryEntry(number), null))).toEqual({ hold: 2400, call: 4500 });
    expect(limits(lineTerms(number, null, directoryEntry(number, own)))).toEqual({ hold: 2400, call: 4500 });
    const clinic = directoryEntry(number, { kind: 'clinic' });
    expect(limits(lineTerms(number, clinic, null))).toEqual({ hold: 1200, call: 4500 });
  });

  test('are the strictest of the directories, whatever the project says', () => {
    const operator = directoryEntry(number, { max_hold_minutes: 55, max_call_minutes: 90 });
    const own = directoryEntry(number, { project_id: project.id, max_call_minutes: 80 });
    expect(limits(lineTerms(number, operator, own))).toEqual({ hold: 3300, call: 4800 });
  });

  test("are the project's without a directory entry", () => {
    const call_policy = { ...project.call_policy, shared_line_max_hold_seconds: 600, max_call_seconds: 900 };
    expect(limits(lineTerms(tollFree, null, null), call_policy)).toEqual({ hold: 600, call: 900 });
  });
});

describe('the clocks of a line', () => {
  test("are the operator's, to which a project can only add", () => {
    const hours = { time_zone: 'America/Chicago', weekly: [] };
    const operator = directoryEntry(number, { hours });
    const own = directoryEntry(number, { hours: { time_zone: 'America/Denver', weekly: [] } });
    expect(zones(number, lineTerms(number, operator, null))).toEqual(['America/Chicago']);
    expect(zones(number, lineTerms(number, operator, own))).toEqual(['America/Chicago', 'America/Denver']);
    expect(zones(number, lineTerms(number, null, own))).toEqual(['America/New_York', 'America/Denver']);
  });

  test("of a toll-free line are the project's own if it may ring then", () => {
    const terms = lineTerms(tollFree, null, null);
    expect(zones(tollFree, terms, { time_zone: 'America/Chicago' })).toEqual(['America/Chicago']);
    expect(zones(tollFree, terms, { time_zone: 'Asia/Tokyo' })).toContain('Pacific/Honolulu');
    expect(zones(tollFree, terms)).toContain('Pacific/Honolulu');
    expect(zones(number, lineTerms(number, null, null), { time_zone: 'America/Denver' })).toEqual([
      'America/New_York',
    ]);
  });
});

describe('the hours of a line', () => {
  const hours = {
    time_zone: 'America/New_York',
    weekly: [weekdays, { ...weekdays, days: [6], closes: '12:00' }],
  };
  const terms = lineTerms(number, directoryEntry(number, { hours }), null);
  const opening = (at: string, line = terms) => {
    const place = calledPlace(project, { phone_number: number, task_data: null }, null, line);
    return nextOpening(defaultCallingHours, place, new Date(at));
  };

  test.each([
    ['on a weekday within them', '2026-06-10T21:59:00.000Z', '2026-06-10T21:59:00.000Z'],
    ['on a weekday after them', '2026-06-10T22:00:00.000Z', '2026-06-11T12:00:00.000Z'],
    ['on a Saturday morning', '2026-06-13T15:59:00.000Z', '2026-06-13T15:59:00.000Z'],
    ['on a Saturday afternoon', '2026-06-13T16:00:00.000Z', '2026-06-15T12:00:00.000Z'],
  ])('let it ring %s', (_, at, opensAt) => {
    expect(opening(at)?.at.toISOString()).toBe(opensAt);
  });

  test('explain why it does not ring', () => {
    expect(opening('2026-06-13T16:00:00.000Z')?.reason).toBe(
      'Outside the calling hours of the number called (08:00-18:00 on Mon-Fri, 08:00-12:00 on Sat in ' +
        'America/New_York).',
    );
  });

  test('of operator and project without overlap are empty', () => {
    const evening = {
      time_zone: 'America/New_York',
      weekly: [{ ...weekdays, opens: '19:00', closes: '20:00' }],
    };
    const own = directoryEntry(number, { hours: evening });
    const never = lineTerms(number, directoryEntry(number, { hours }), own);
    expect(opening('2026-06-10T16:00:00.000Z', never)).toBeNull();
  });
});
