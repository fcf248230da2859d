import { describe, expect, test } from 'vitest';
import { emptySwitchboard, type Switchboard } from '#shared/domain/switchboard.ts';
import { admit, type LineRefusal } from '#shared/switchboard/admit.ts';
import { shareOut } from '#shared/switchboard/share-out.ts';
import {
  type CarrierCapacity,
  linesInUse,
  linesOf,
  withoutWaiting,
  withWaiting,
} from '#shared/switchboard/switchboard.ts';

const now = new Date('2026-03-02T15:00:00.000Z');
const capacity: CarrierCapacity = { callsPerSecond: 10, maxCalls: 6 };

function later(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

function boardWith(
  lines: Record<string, number>,
  waiting: readonly (readonly [string, number])[] = [],
): Switchboard {
  return waiting.reduce((board, [id, limit]) => withWaiting(board, id, limit, now), {
    ...emptySwitchboard,
    lines,
  });
}

function refusalOf(
  board: Switchboard,
  projectId: string,
  { limit = 4, isWaiting = true }: { limit?: number; isWaiting?: boolean } = {},
): LineRefusal | null {
  const admission = admit(board, { projectId, projectLimit: limit, isWaiting }, capacity, now);
  return admission.isAdmitted ? null : admission.refusal;
}

describe('a line is refused', () => {
  test('when the project has all of its own', () => {
    expect(refusalOf(boardWith({ a: 3 }), 'a')).toBeNull();
    expect(refusalOf(boardWith({ a: 4 }), 'a')).toBe('project-limit');
  });

  test('when the carrier has none left, whoever has them', () => {
    expect(refusalOf(boardWith({ a: 2, b: 3 }), 'a')).toBeNull();
    expect(refusalOf(boardWith({ a: 2, b: 4 }), 'a')).toBe('carrier-limit');
  });

  test('while a waiting project has fewer, or as many and has waited for longer', () => {
    expect(refusalOf(boardWith({ a: 2, b: 1 }, [['b', 4]]), 'a')).toBe('fair-share');
    expect(refusalOf(boardWith({ a: 1, b: 2 }, [['b', 4]]), 'a')).toBeNull();
    const waiting = [
      ['b', 4],
      ['a', 4],
    ] as const;
    expect(refusalOf(boardWith({ a: 1, b: 1 }, waiting), 'a')).toBe('fair-share');
    expect(refusalOf(boardWith({ a: 1, b: 1 }, waiting), 'b')).toBeNull();
  });

  test('but not for a project that waits for the end of its own calls', () => {
    expect(refusalOf(boardWith({ a: 2, b: 1 }, [['b', 1]]), 'a')).toBeNull();
  });

  test('while other tasks of the project have waited for longer', () => {
    const board = boardWith({ a: 1 }, [['a', 4]]);
    expect(refusalOf(board, 'a', { isWaiting: false })).toBe('queue');
    expect(refusalOf(board, 'a', { isWaiting: true })).toBeNull();
  });

  test('when the carrier takes no call in the next moment', () => {
    const board = { ...emptySwitchboard, next_slot_at: later(1.001).toISOString() };
    expect(refusalOf(board, 'a')).toBe('pace');
    expect(refusalOf({ ...board, next_slot_at: later(1).toISOString() }, 'a')).toBeNull();
  });

  test('and the project stands on the board from then on, behind those who wait already', () => {
    const board = boardWith({ a: 4, b: 2 }, [['b', 4]]);
    const refused = admit(board, { projectId: 'a', projectLimit: 4, isWaiting: false }, capacity, now);
    expect(refused.next.waiting.a).toMatchObject({ limit: 4, entered_at: now.toISOString() });
    expect(Date.parse(refused.next.waiting.a?.since ?? '')).toBeGreaterThan(
      Date.parse(board.waiting.b?.since ?? ''),
    );
    const again = admit(refused.next, { projectId: 'a', projectLimit: 4, isWaiting: true }, capacity, now);
    expect(again.next).toBe(refused.next);
  });
});

describe('a line that is given', () => {
  test('comes with a slot of its own, one after the other', () => {
    const slots: number[] = [];
    let board = emptySwitchboard;
    for (let calls = 0; calls < 4; calls += 1) {
      const given = admit(board, { projectId: 'a', projectLimit: 4, isWaiting: false }, capacity, now);
      if (!given.isAdmitted) throw new Error(given.refusal);
      slots.push(given.slotAt.getTime() - now.getTime());
      board = given.next;
    }
    expect(slots).toEqual([0, 100, 200, 300]);
    expect(board.lines).toEqual({ a: 4 });
  });

  test('does not save up slots that nobody took', () => {
    const board = { ...emptySwitchboard, next_slot_at: later(-60).toISOString() };
    const given = admit(board, { projectId: 'a', projectLimit: 4, isWaiting: false }, capacity, now);
    expect(given).toMatchObject({ isAdmitted: true, slotAt: now });
    expect(given.next.next_slot_at).toBe(later(0.1).toISOString());
  });
});

describe('free lines are shared out', () => {
  function lanesOf(lanes: Record<string, number>): Map<string, string[]> {
    return new Map(
      Object.entries(lanes).map(([id, count]) => [
        id,
        Array.from({ length: count }, (_, index) => `${id}${index + 1}`),
      ]),
    );
  }

  test('to just so many tasks as there are lines, the project with the fewest first', () => {
    const board = boardWith({ a: 2, b: 0 }, [
      ['a', 6],
      ['b', 6],
    ]);
    expect(shareOut(board, lanesOf({ a: 5, b: 5 }), capacity, now)).toEqual(['b1', 'b2', 'a1', 'b3']);
  });

  test('up to the limit of a project and to the end of its lane', () => {
    const board = boardWith({}, [
      ['a', 1],
      ['b', 6],
    ]);
    expect(shareOut(board, lanesOf({ a: 5, b: 2 }), capacity, now)).toEqual(['a1', 'b1', 'b2']);
  });

  test('as far as the carrier takes calls in the next moment', () => {
    const slow = { callsPerSecond: 1, maxCalls: 6 };
    const board = boardWith({}, [['a', 6]]);
    expect(shareOut(board, lanesOf({ a: 5 }), slow, now)).toEqual(['a1', 'a2']);
    const taken = { ...board, next_slot_at: later(2).toISOString() };
    expect(shareOut(taken, lanesOf({ a: 5 }), slow, now)).toEqual([]);
  });

  test('in the order in which the tasks are then let through', () => {
    let board = boardWith({ a: 1, b: 2 }, [
      ['b', 6],
      ['a', 6],
      ['c', 2],
    ]);
    for (const task of shareOut(board, lanesOf({ a: 5, b: 5, c: 5 }), { ...capacity, maxCalls: 9 }, now)) {
      const [projectId = ''] = task;
      const limit = board.waiting[projectId]?.limit ?? 0;
      const given = admit(
        board,
        { projectId, projectLimit: limit, isWaiting: true },
        { ...capacity, maxCalls: 9 },
        now,
      );
      expect(given.isAdmitted).toBe(true);
      board = given.next;
    }
    expect(linesInUse(board)).toBe(9);
  });
});

describe('over any course of events', () => {
  /** A small generator of its own, so that a failing seed can be looked at again. */
  function randomOf(seed: number): (below: number) => number {
    let state = seed + 1;
    return (below) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
  }

  interface Scene {
    readonly limits: Record<string, number>;
    readonly maxCalls: number;
  }

  function sceneOf(random: (below: number) => number): Scene {
    const projects = Array.from({ length: 2 + random(4) }, (_, index) => `p${index}`);
    return {
      limits: Object.fromEntries(projects.map((id) => [id, 1 + random(12)])),
      maxCalls: 1 + random(20),
    };
  }

  /** What each project gets when lines are dealt one by one to whoever has fewest and room. */
  function fairShares({ limits, maxCalls }: Scene): Record<string, number> {
    const shares = Object.fromEntries(Object.keys(limits).map((id) => [id, 0]));
    for (let line = 0; line < maxCalls; line += 1) {
      const [next] = Object.entries(shares)
        .filter(([id, count]) => count < (limits[id] ?? 0))
        .sort(([, a], [, b]) => a - b);
      if (next === undefined) break;
      shares[next[0]] = next[1] + 1;
    }
    return shares;
  }

  const fast = 1_000_000;

  test.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'no limit is ever passed, and backlogged projects all come to their fair share (seed %i)',
    (seed) => {
      const random = randomOf(seed);
      const scene = sceneOf(random);
      const projects = Object.keys(scene.limits);
      const shares = fairShares(scene);
      // The first project begins alone and takes what it can get; the others come later, in any order.
      const lastArrival = 40;
      const arrivals = new Map(projects.map((id, index) => [id, index === 0 ? 0 : random(lastArrival)]));
      let board = emptySwitchboard;
      const calls: { projectId: string; bornAt: number }[] = [];
      const end = (position: number): void => {
        const [ended] = calls.splice(position, 1);
        if (ended === undefined) return;
        const lines = linesOf(board, ended.projectId) - 1;
        board = { ...board, lines: { ...board.lines, [ended.projectId]: lines } };
      };
      let settledAt: number | null = null;
      for (let step = 0; step < 300; step += 1) {
        const present = projects.filter((id) => (arrivals.get(id) ?? 0) <= step);
        // All ask again and again, in any order, until nobody gets a line any more.
        for (let wasAdmitted = true; wasAdmitted; ) {
          wasAdmitted = false;
          for (const projectId of [...present].sort(() => random(3) - 1)) {
            const projectLimit = scene.limits[projectId] ?? 0;
            const request = { projectId, projectLimit, isWaiting: true };
            const carrier = { callsPerSecond: fast, maxCalls: scene.maxCalls };
            const { isAdmitted, next } = admit(board, request, carrier, later(step));
            board = next;
            if (isAdmitted) calls.push({ projectId, bornAt: step });
            wasAdmitted ||= isAdmitted;
            expect(linesOf(board, projectId)).toBeLessThanOrEqual(projectLimit);
            expect(linesInUse(board)).toBeLessThanOrEqual(scene.maxCalls);
          }
        }
        // Nobody's line is taken away: fair shares come about once every call of the time before has ended.
        if (calls.every(({ bornAt }) => bornAt > lastArrival)) settledAt ??= step;
        for (const id of settledAt === null ? [] : projects) {
          expect(linesOf(board, id), id).toBeGreaterThanOrEqual((shares[id] ?? 0) - 1);
        }
        for (let ends = random(4); ends > 0; ends -= 1) end(random(3) === 0 ? 0 : random(calls.length));
      }
      expect(settledAt).not.toBeNull();
    },
  );

  test('of many projects that share one line each gets it in its turn', () => {
    const projects = ['a', 'b', 'c', 'd'];
    let board = projects.reduce((next, id) => withWaiting(next, id, 5, now), emptySwitchboard);
    const served: string[] = [];
    for (let calls = 0; calls < 12; calls += 1) {
      for (const projectId of projects) {
        const given = admit(
          board,
          { projectId, projectLimit: 5, isWaiting: true },
          { callsPerSecond: fast, maxCalls: 1 },
          now,
        );
        if (given.isAdmitted) served.push(projectId);
        board = given.next;
      }
      board = { ...board, lines: {}, next_slot_at: null };
    }
    expect(served).toEqual([...projects, ...projects, ...projects]);
  });

  test('a project that has left the board holds nobody up', () => {
    const board = boardWith({ a: 3 }, [['b', 4]]);
    expect(refusalOf(board, 'a')).toBe('fair-share');
    expect(refusalOf(withoutWaiting(board, ['b']), 'a')).toBeNull();
  });
});
