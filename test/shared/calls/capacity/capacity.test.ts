import { describe, expect, test } from 'vitest';
import { admit, type SlotRefusal, type SlotRequest } from '#shared/calls/capacity/admit.ts';
import { allocateSlots } from '#shared/calls/capacity/allocate-slots.ts';
import {
  type CarrierLimits,
  slotsInUse,
  slotsOf,
  withoutWaiting,
  withWaiting,
} from '#shared/calls/capacity/capacity.ts';
import { type CallCapacity, emptyCapacity } from '#shared/domain/call-capacity.ts';

const now = new Date('2026-03-02T15:00:00.000Z');
const limits: CarrierLimits = { callsPerSecond: 10, maxCalls: 6 };

function later(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

function boardWith(
  slots: Record<string, number>,
  waiting: readonly (readonly [string, number])[] = [],
): CallCapacity {
  return waiting.reduce((capacity, [id, limit]) => withWaiting(capacity, id, limit, now), {
    ...emptyCapacity,
    slots,
  });
}

function refusalOf(
  capacity: CallCapacity,
  projectId: string,
  { limit = 4, ...more }: Partial<Pick<SlotRequest, 'isWaiting' | 'hadTurn'>> & { limit?: number } = {},
): SlotRefusal | null {
  const request = { projectId, projectLimit: limit, isWaiting: true, ...more };
  const admission = admit(capacity, request, limits, now);
  return admission.isAdmitted ? null : admission.refusal;
}

describe('a slot is refused', () => {
  test('if the project uses all of its own', () => {
    expect(refusalOf(boardWith({ a: 3 }), 'a')).toBeNull();
    expect(refusalOf(boardWith({ a: 4 }), 'a')).toBe('project-limit');
  });

  test('if the carrier has none left, regardless of their users', () => {
    expect(refusalOf(boardWith({ a: 2, b: 3 }), 'a')).toBeNull();
    expect(refusalOf(boardWith({ a: 2, b: 4 }), 'a')).toBe('carrier-limit');
  });

  test('while a waiting project has fewer, or as many and has waited longer', () => {
    expect(refusalOf(boardWith({ a: 2, b: 1 }, [['b', 4]]), 'a')).toBe('fair-share');
    expect(refusalOf(boardWith({ a: 1, b: 2 }, [['b', 4]]), 'a')).toBeNull();
    const waiting = [
      ['b', 4],
      ['a', 4],
    ] as const;
    expect(refusalOf(boardWith({ a: 1, b: 1 }, waiting), 'a')).toBe('fair-share');
    expect(refusalOf(boardWith({ a: 1, b: 1 }, waiting), 'b')).toBeNull();
  });

  test('but not for a project that waits for its own calls to end', () => {
    expect(refusalOf(boardWith({ a: 2, b: 1 }, [['b', 1]]), 'a')).toBeNull();
  });

  test('while other tasks of the project have waited longer', () => {
    const capacity = boardWith({ a: 1 }, [['a', 4]]);
    expect(refusalOf(capacity, 'a', { isWaiting: false })).toBe('queue');
    expect(refusalOf(capacity, 'a', { isWaiting: true })).toBeNull();
  });

  test('only by limits to a task that has had its turn', () => {
    const capacity = boardWith({ a: 2, b: 1 }, [
      ['b', 4],
      ['a', 4],
    ]);
    expect(refusalOf(capacity, 'a')).toBe('fair-share');
    expect(refusalOf(capacity, 'a', { hadTurn: true })).toBeNull();
    expect(refusalOf(capacity, 'a', { hadTurn: true, isWaiting: false })).toBeNull();
    expect(refusalOf(capacity, 'a', { hadTurn: true, limit: 2 })).toBe('project-limit');
    expect(refusalOf(boardWith({ a: 2, b: 4 }), 'a', { hadTurn: true })).toBe('carrier-limit');
  });

  test('if the carrier takes no call at the moment', () => {
    const capacity = { ...emptyCapacity, next_slot_at: later(1.001).toISOString() };
    expect(refusalOf(capacity, 'a')).toBe('pace');
    expect(refusalOf({ ...capacity, next_slot_at: later(1).toISOString() }, 'a')).toBeNull();
  });

  test('and the project then waits behind those already waiting', () => {
    const capacity = boardWith({ a: 4, b: 2 }, [['b', 4]]);
    const refused = admit(capacity, { projectId: 'a', projectLimit: 4, isWaiting: false }, limits, now);
    expect(refused.next.waiting.a).toMatchObject({ limit: 4, entered_at: now.toISOString() });
    expect(Date.parse(refused.next.waiting.a?.since ?? '')).toBeGreaterThan(
      Date.parse(capacity.waiting.b?.since ?? ''),
    );
    const again = admit(refused.next, { projectId: 'a', projectLimit: 4, isWaiting: true }, limits, now);
    expect(again.next).toBe(refused.next);
  });
});

describe('a granted slot', () => {
  test('has its own number, in order', () => {
    const slots: number[] = [];
    let capacity = emptyCapacity;
    for (let calls = 0; calls < 4; calls += 1) {
      const given = admit(capacity, { projectId: 'a', projectLimit: 4, isWaiting: false }, limits, now);
      if (!given.isAdmitted) throw new Error(given.refusal);
      slots.push(given.dialAt.getTime() - now.getTime());
      capacity = given.next;
    }
    expect(slots).toEqual([0, 100, 200, 300]);
    expect(capacity.slots).toEqual({ a: 4 });
  });

  test('does not accumulate from unused ones', () => {
    const capacity = { ...emptyCapacity, next_slot_at: later(-60).toISOString() };
    const given = admit(capacity, { projectId: 'a', projectLimit: 4, isWaiting: false }, limits, now);
    expect(given).toMatchObject({ isAdmitted: true, dialAt: now });
    expect(given.next.next_slot_at).toBe(later(0.1).toISOString());
  });
});

describe('free slots are shared out', () => {
  function lanesOf(queues: Record<string, number>): Map<string, string[]> {
    return new Map(
      Object.entries(queues).map(([id, count]) => [
        id,
        Array.from({ length: count }, (_, index) => `${id}${index + 1}`),
      ]),
    );
  }

  test('to as many tasks as there are slots, starting with the project with the fewest', () => {
    const capacity = boardWith({ a: 2, b: 0 }, [
      ['a', 6],
      ['b', 6],
    ]);
    expect(allocateSlots(capacity, lanesOf({ a: 5, b: 5 }), limits, now)).toEqual(['b1', 'b2', 'a1', 'b3']);
  });

  test("up to a project's limit and the end of its wait queue", () => {
    const capacity = boardWith({}, [
      ['a', 1],
      ['b', 6],
    ]);
    expect(allocateSlots(capacity, lanesOf({ a: 5, b: 2 }), limits, now)).toEqual(['a1', 'b1', 'b2']);
  });

  test('as far as the carrier takes calls at the moment', () => {
    const slow = { callsPerSecond: 1, maxCalls: 6 };
    const capacity = boardWith({}, [['a', 6]]);
    expect(allocateSlots(capacity, lanesOf({ a: 5 }), slow, now)).toEqual(['a1', 'a2']);
    const taken = { ...capacity, next_slot_at: later(2).toISOString() };
    expect(allocateSlots(taken, lanesOf({ a: 5 }), slow, now)).toEqual([]);
  });

  test('in the order in which the tasks are then admitted', () => {
    let capacity = boardWith({ a: 1, b: 2 }, [
      ['b', 6],
      ['a', 6],
      ['c', 2],
    ]);
    for (const task of allocateSlots(
      capacity,
      lanesOf({ a: 5, b: 5, c: 5 }),
      { ...limits, maxCalls: 9 },
      now,
    )) {
      const [projectId = ''] = task;
      const limit = capacity.waiting[projectId]?.limit ?? 0;
      const given = admit(
        capacity,
        { projectId, projectLimit: limit, isWaiting: true },
        { ...limits, maxCalls: 9 },
        now,
      );
      expect(given.isAdmitted).toBe(true);
      capacity = given.next;
    }
    expect(slotsInUse(capacity)).toBe(9);
  });
});

describe('over any sequence of events', () => {
  /** Its own small generator, so that a failing seed can be repeated. */
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

  /** Each project's share when slots go one by one to the project with the fewest and with room. */
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
    'no limit is ever exceeded, and backlogged projects all get their fair share (seed %i)',
    (seed) => {
      const random = randomOf(seed);
      const scene = sceneOf(random);
      const projects = Object.keys(scene.limits);
      const shares = fairShares(scene);
      // The first project begins alone and takes what it can get; the others join later, in any order.
      const lastArrival = 40;
      const arrivals = new Map(projects.map((id, index) => [id, index === 0 ? 0 : random(lastArrival)]));
      let capacity = emptyCapacity;
      const calls: { projectId: string; bornAt: number }[] = [];
      const end = (position: number): void => {
        const [ended] = calls.splice(position, 1);
        if (ended === undefined) return;
        const slots = slotsOf(capacity, ended.projectId) - 1;
        capacity = { ...capacity, slots: { ...capacity.slots, [ended.projectId]: slots } };
      };
      let settledAt: number | null = null;
      for (let step = 0; step < 300; step += 1) {
        const present = projects.filter((id) => (arrivals.get(id) ?? 0) <= step);
        // All request slots again and again, in any order, until none gets another.
        for (let wasAdmitted = true; wasAdmitted; ) {
          wasAdmitted = false;
          for (const projectId of [...present].sort(() => random(3) - 1)) {
            const projectLimit = scene.limits[projectId] ?? 0;
            const request = { projectId, projectLimit, isWaiting: true };
            const carrier = { callsPerSecond: fast, maxCalls: scene.maxCalls };
            const { isAdmitted, next } = admit(capacity, request, carrier, later(step));
            capacity = next;
            if (isAdmitted) calls.push({ projectId, bornAt: step });
            wasAdmitted ||= isAdmitted;
            expect(slotsOf(capacity, projectId)).toBeLessThanOrEqual(projectLimit);
            expect(slotsInUse(capacity)).toBeLessThanOrEqual(scene.maxCalls);
          }
        }
        // Nothing is taken away: shares become fair once every earlier call has ended.
        if (calls.every(({ bornAt }) => bornAt > lastArrival)) settledAt ??= step;
        for (const id of settledAt === null ? [] : projects) {
          expect(slotsOf(capacity, id), id).toBeGreaterThanOrEqual((shares[id] ?? 0) - 1);
        }
        for (let ends = random(4); ends > 0; ends -= 1) end(random(3) === 0 ? 0 : random(calls.length));
      }
      expect(settledAt).not.toBeNull();
    },
  );

  test('of many projects that share one line each gets it in turn', () => {
    const projects = ['a', 'b', 'c', 'd'];
    let capacity = projects.reduce((next, id) => withWaiting(next, id, 5, now), emptyCapacity);
    const served: string[] = [];
    for (let calls = 0; calls < 12; calls += 1) {
      for (const projectId of projects) {
        const given = admit(
          capacity,
          { projectId, projectLimit: 5, isWaiting: true },
          { callsPerSecond: fast, maxCalls: 1 },
          now,
        );
        if (given.isAdmitted) served.push(projectId);
        capacity = given.next;
      }
      capacity = { ...capacity, slots: {}, next_slot_at: null };
    }
    expect(served).toEqual([...projects, ...projects, ...projects]);
  });

  test('a project that stops waiting delays no other', () => {
    const capacity = boardWith({ a: 3 }, [['b', 4]]);
    expect(refusalOf(capacity, 'a')).toBe('fair-share');
    expect(refusalOf(withoutWaiting(capacity, ['b']), 'a')).toBeNull();
  });
});
