import type { Spelled } from './identifiers.ts';
import { normAt, type Reading, type Scan } from './readings.ts';

/**
 * Numbers of the North American Numbering Plan in E.164. Ten digits after "reference number" may also be an
 * identifier; the caller's context decides by the certainty.
 */
export function findPhones(scan: Scan, runs: readonly Spelled[]): Reading<'phone'>[] {
  const joined = runs.flatMap((run, index) => [
    run,
    ...withNext(scan, run, runs[index + 1], runs[index + 2]),
  ]);
  return joined.flatMap((run) => {
    const [number] = [run, ...saidFirst(run)].flatMap(({ characters, to }) => {
      const national = nationalNumber(characters);
      return national === null ? [] : [{ value: `+1${national}`, to }];
    });
    const certainty = scan.topics[run.from] === 'identifier' ? 0.5 : 0.95;
    return number === undefined
      ? []
      : [{ type: 'phone', ...number, certainty, from: opening(scan, run.from) } as const];
  });
}

/** "202-555-0143, two oh two all of it": the part before each pause, longest first. */
function saidFirst({ text, pauses }: Spelled): Pick<Spelled, 'characters' | 'to'>[] {
  return pauses
    .map(({ length, to }) => ({ characters: text.slice(0, length).replaceAll(/[-/]/g, ''), to }))
    .toReversed();
}

/** "(202) 555-0143": the parentheses divide a spelled sequence. */
function withNext(scan: Scan, run: Spelled, next: Spelled | undefined, last: Spelled | undefined): Spelled[] {
  const isDivided = (first: Spelled, second: Spelled): boolean =>
    second.from - first.to <= 2 &&
    scan.tokens
      .slice(first.to, second.from)
      .every(({ norm }) => ['(', ')', '-', '.', 'dot', 'point', 'area', 'code'].includes(norm));
  if (next === undefined || !isDivided(run, next)) return [];
  const two = { ...next, characters: run.characters + next.characters, from: run.from };
  const isThree = last !== undefined && isDivided(next, last);
  return isThree ? [two, { ...last, characters: two.characters + last.characters, from: run.from }] : [two];
}

function opening(scan: Scan, from: number): number {
  return ['+', '('].includes(normAt(scan, from - 1)) ? from - 1 : from;
}

function nationalNumber(characters: string): string | null {
  const national = characters.length === 11 && characters.startsWith('1') ? characters.slice(1) : characters;
  const isNumber = national.length === 10 && [...national].every((digit) => digit >= '0' && digit <= '9');
  return isNumber && (national[0] ?? '') > '1' && (national[3] ?? '') > '1' ? national : null;
}
