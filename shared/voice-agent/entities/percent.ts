import contexts from '../language/en-US/entities/contexts.json' with { type: 'json' };
import { quantityAt } from './quantities.ts';
import { countAt, normAt, phraseAt, phrasesOf, type Reading, readAll, type Scan } from './readings.ts';

const signs = phrasesOf(contexts.percent.map((sign) => [sign, true]));

/** "250% of the poverty level" */
const mostPercent = 1000;

/** "20%", "twenty percent", and both numbers of "twenty to thirty percent". */
export function findPercentages(scan: Scan): Reading<'percent'>[] {
  return readAll(scan, percentAt);
}

function percentAt(scan: Scan, at: number): Reading<'percent'> | null {
  const value = countAt(scan, at);
  if (value === null || value > mostPercent) return null;
  const to = behindSign(scan, at + 1);
  const isAsked = scan.context.expecting?.includes('percent') === true;
  if (to === null && isAsked && value <= 100) return bareShare(scan, at, value);
  return to === null ? null : { type: 'percent', value, certainty: 0.95, from: at, to };
}

/** "They pay at 80", if a share was requested; but not "80/20", where the patient's share is unclear. */
function bareShare(scan: Scan, at: number, value: number): Reading<'percent'> | null {
  const isBeside = (place: number): boolean =>
    scan.tokens[place]?.kind === 'number' || ['-', '/', '$'].includes(normAt(scan, place));
  if (
    scan.tokens[at]?.kind !== 'number' ||
    isBeside(at - 1) ||
    isBeside(at + 1) ||
    quantityAt(scan, at) !== null
  )
    return null;
  return { type: 'percent', value, certainty: 0.5, from: at, to: at + 1 };
}

/** After a number's sign, or after the number if it shares the next one's sign. */
function behindSign(scan: Scan, at: number): number | null {
  const own = phraseAt(scan, at, signs);
  if (own !== null) return own.to;
  const isListed = ['to', 'or', '-'].includes(normAt(scan, at)) && countAt(scan, at + 1) !== null;
  return isListed && phraseAt(scan, at + 2, signs) !== null ? at : null;
}
