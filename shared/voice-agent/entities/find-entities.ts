import { findDates } from './dates.ts';
import type { Entity, EntityContext } from './entity.ts';
import { findIdentifiers, type Spelled, spelledRuns } from './identifiers.ts';
import { pairMoments } from './moments.ts';
import { findMoney } from './money.ts';
import { findNames, findProviders } from './names.ts';
import { findPercentages } from './percent.ts';
import { findPhones } from './phones.ts';
import { findQuantities } from './quantities.ts';
import { type Reading, type Scan, scanOf } from './readings.ts';
import { findTimes } from './times.ts';
import type { Token } from './tokens.ts';

/** All entities of these types in the words, in order without overlaps. Linear in the number of tokens. */
export function findEntities(tokens: readonly Token[], context: EntityContext): Entity[] {
  const scan = scanOf(tokens, context);
  const readings = withoutOverlaps(readingsOf(scan), scan);
  const origin = (tokens[0]?.start ?? 0) - (tokens[0]?.before.length ?? 0);
  const source = tokens.map(({ before, text }) => before + text).join('');
  return readings.flatMap(({ from, to, ...entity }) => {
    const [first, last] = [scan.tokens[from], scan.tokens[to - 1]];
    if (first === undefined || last === undefined) return [];
    const { start } = first;
    const { end } = last;
    return [{ ...entity, start, end, text: source.slice(start - origin, end - origin) }];
  });
}

function readingsOf(scan: Scan): Reading[] {
  const runs = spelledRuns(scan);
  const dates = findDates(scan);
  const times = withoutCodes(findTimes(scan, dates), runs, scan);
  const phones = findPhones(scan, runs);
  const moments = pairMoments(
    scan,
    dates,
    times.filter((time) => time.type === 'time'),
  );
  return [
    ...phones,
    ...moments,
    ...dates,
    ...times,
    ...findMoney(scan),
    ...findPercentages(scan),
    ...findQuantities(scan),
    ...withoutPhones(findIdentifiers(scan, runs), phones),
    ...findNames(scan),
    ...findProviders(scan),
    ...bareNumbers(scan),
  ];
}

/** "H W eight nine zero nine M R": contains no time. */
function withoutCodes<Time extends Reading>(
  times: readonly Time[],
  runs: readonly Spelled[],
  { tokens }: Scan,
): Time[] {
  const coded = new Uint8Array(tokens.length);
  for (const { characters, from, to } of runs) {
    const letters = [...characters].filter((character) => character >= 'a').length;
    if (letters > 1 && characters.length > letters + 2) coded.fill(1, from, to);
  }
  return times.filter(({ from }) => coded[from] !== 1 || coded[from - 1] !== 1);
}

/** "202-555-0143, two oh two all of it": a telephone number with a repeated part. */
function withoutPhones(
  codes: readonly Reading<'identifier'>[],
  phones: readonly Reading<'phone'>[],
): Reading[] {
  const ends = new Map(phones.filter(({ certainty }) => certainty > 0.5).map(({ from, to }) => [from, to]));
  return codes.filter(({ from, to }) => (ends.get(from) ?? to) >= to);
}

/** Numbers that get their meaning only from the question they answer. */
function bareNumbers({ tokens }: Scan): Reading<'number'>[] {
  return tokens.flatMap(({ kind, number }, at) =>
    kind === 'number' && number !== null && !number.ordinal
      ? [{ type: 'number', value: number.value, certainty: 0.5, from: at, to: at + 1 }]
      : [],
  );
}

/** "Three weeks from now", asked how many weeks: the count, not the resulting day. */
function aheadOf(type: Reading['type']): number {
  return type === 'quantity' ? 3 : 0.25;
}

/** Of readings of the same words the longest counts, then the requested, most certain, most specific one. */
function withoutOverlaps(readings: readonly Reading[], { tokens, context }: Scan): Reading[] {
  const rank = ({ type, from, to }: Reading): number =>
    to -
    from +
    (type === 'moment'
      ? 0.5
      : type === 'number'
        ? -1
        : context.expecting?.includes(type)
          ? aheadOf(type)
          : 0);
  const taken = new Uint8Array(tokens.length);
  const kept: Reading[] = [];
  for (const reading of readings.toSorted((a, b) => rank(b) - rank(a) || b.certainty - a.certainty)) {
    if (taken.subarray(reading.from, reading.to).includes(1)) continue;
    taken.fill(1, reading.from, reading.to);
    kept.push(reading);
  }
  return kept.toSorted((a, b) => a.from - b.from);
}
