import type { Reading, Scan } from './readings.ts';

type Clock = Reading<'time'>;
type Day = Reading<'date'>;

interface Owner {
  readonly day: Day;
  /** The day follows the time: "2 pm on the 3rd". */
  readonly isBehind: boolean;
  /** Another time is closer to the day. */
  readonly isShared: boolean;
}

/** A time this far after its day is a separate moment, and the day its own entity. */
const nearby = 6;

/** Pairs every clock time with its day: "Tuesday at 10 or 10:30, and Thursday the 3rd at 2". */
export function pairMoments(scan: Scan, dates: readonly Day[], times: readonly Clock[]): Reading<'moment'>[] {
  const days = dates.filter(({ value }) => value.precision === 'day');
  const moments: Reading<'moment'>[] = [];
  let [next, used] = [days.length, -1];
  // From the end, so that "10 or 11 on Thursday" shares the day after the last time.
  const owners = new Map<Clock, Owner>();
  for (let index = times.length - 1; index >= 0; index -= 1) {
    const time = times[index];
    if (time === undefined) continue;
    while ((days[next - 1]?.from ?? -1) >= time.to) next -= 1;
    const owner =
      ownerOf(scan, time, days[next - 1], days[next]) ?? sharedOwner(scan, time, times[index + 1], owners);
    if (owner !== null) owners.set(time, owner);
  }
  for (const time of times) {
    const owner = owners.get(time);
    if (owner === undefined) continue;
    const isShared = owner.isShared || owner.day.from <= used;
    if (!owner.isShared) used = Math.max(used, owner.day.from);
    moments.push(momentOf(scan, time, owner.day, isShared));
  }
  return moments;
}

function ownerOf(scan: Scan, time: Clock, before: Day | undefined, after: Day | undefined) {
  // "2 pm on the 3rd", "10:30 Tuesday"; but in "at 10, Thursday at 2" the day starts the next opening.
  const gap = after === undefined ? null : scan.tokens.slice(time.to, Math.min(after.from, time.to + 3));
  const isBehind =
    gap?.every(({ norm }) => ['on', 'this', 'that', 'the', 'in', 'morning', 'afternoon'].includes(norm)) ===
    true;
  if (isBehind && after !== undefined && after.from <= time.to + 3)
    return { day: after, isBehind, isShared: false };
  return before === undefined ? null : { day: before, isBehind: false, isShared: false };
}

/** "10 or 11 on Thursday": the first time shares the day of the second. */
function sharedOwner(scan: Scan, time: Clock, next: Clock | undefined, owners: ReadonlyMap<Clock, Owner>) {
  const owner = next === undefined ? undefined : owners.get(next);
  if (next === undefined || owner?.isBehind !== true || next.from - time.to > 3) return null;
  const between = scan.tokens.slice(time.to, next.from);
  return between.every(({ norm }) => ['or', 'and', ',', 'at'].includes(norm))
    ? { ...owner, isShared: true }
    : null;
}

function momentOf(scan: Scan, time: Clock, day: Day, isShared: boolean): Reading<'moment'> {
  const [first, last] = day.from < time.from ? [day, time] : [time, day];
  const isApart = last.from - first.to > nearby;
  const isNewSentence = scan.tokens
    .slice(first.to, Math.min(last.from, first.to + 40))
    .some(({ kind }) => kind === 'stop' || kind === 'question');
  const certainty = Math.min(day.certainty, time.certainty) * (isNewSentence ? 0.7 : 1);
  const isAlone = isShared || isApart || isNewSentence;
  const [from, to] = isAlone ? [time.from, time.to] : [first.from, last.to];
  return { type: 'moment', value: { day: day.value.day, minutes: time.value }, certainty, from, to };
}
