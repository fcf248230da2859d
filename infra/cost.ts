import {
  type Cost,
  type CostLine,
  computeCost,
  total,
  type Usage,
  usualCall,
} from '../shared/cost/arithmetic.ts';
import { callCounts } from '../shared/cost/call-counts.ts';
import { type AwsPrices, priceList } from '../shared/cost/prices.ts';
import { runCommand, UsageError, type Values, wholeNumber } from './command.ts';

const help = `Computes what a call and a month cost, from counted requests and list prices, line by line.

  npm run cost -- [--calls N] [--turns N] [--minutes N] [--projects N] [--region NAME] [--json]

  --calls N      calls in a month (default 1000)
  --turns N      turns of both sides in a call (default: the mean of the measured calls)
  --minutes N    minutes of a call (default: the mean of the measured calls)
  --projects N   projects, each with a key in KMS (default 1)
  --region NAME  region whose prices apply (default us-east-1)
  --json         the same as JSON
  --help         this text

The counts are those of sandbox calls on the local stack (shared/cost/call-counts.json, written by npm run
count-calls), the prices are in shared/cost/prices.json with their date and sources. The carrier's prices are
assumptions, and so is how often Lambda polls an idle queue. Not included: language models, cold starts, storage, failed
and repeated requests, WAF.`;

interface Arguments extends Usage {
  readonly region: string;
  readonly prices: AwsPrices;
  readonly isJson: boolean;
}

const options = {
  calls: { type: 'string', default: '1000' },
  turns: { type: 'string' },
  minutes: { type: 'string' },
  projects: { type: 'string', default: '1' },
  region: { type: 'string', default: 'us-east-1' },
  json: { type: 'boolean', default: false },
} as const;

function readArguments(values: Values<typeof options>): Arguments {
  const prices = priceList.regions[values.region];
  if (prices === undefined) {
    throw new UsageError(`--region must be one of ${Object.keys(priceList.regions).join(', ')}`);
  }
  const usual = usualCall(callCounts.calls);
  return {
    calls: wholeNumber('calls', values.calls, 0, 1_000_000_000),
    turns: values.turns === undefined ? usual.turns : wholeNumber('turns', values.turns, 0, 1_000),
    minutes: values.minutes === undefined ? usual.minutes : minutesOf(values.minutes),
    projects: wholeNumber('projects', values.projects, 0, 100_000),
    region: values.region,
    prices,
    isJson: values.json,
  };
}

function minutesOf(text: string): number {
  const minutes = Number(text);
  if (text === '' || !(minutes >= 0 && minutes <= 240)) {
    throw new UsageError(`--minutes must be a number from 0 to 240, not "${text}"`);
  }
  return minutes;
}

function table(lines: readonly CostLine[]): string {
  return lines
    .map(({ what, units, price: { price, per, unit }, amount }) => {
      const priceText = `$${price}${per === 1 ? '' : ` / ${per.toLocaleString('en-US')}`}`;
      const product = `${amountOf(units).padStart(12)} ${unit.padEnd(29)}× ${priceText.padEnd(20)}`;
      return `  ${what.padEnd(22)}${product}= ${dollars(amount)}`;
    })
    .join('\n');
}

const amountOf = (units: number): string =>
  units.toLocaleString('en-US', { maximumSignificantDigits: units >= 1000 ? 9 : 4 });
const dollars = (amount: number): string => `$${amount.toFixed(6)}`;

function report(cost: Cost, { calls, turns, minutes, region }: Arguments, countedOn: string): string {
  const sum = (what: string, amount: number): string => `  ${what.padEnd(86)}= ${dollars(amount)}`;
  return [
    `Prices of ${region} of ${priceList.date}, counts of ${countedOn}; without free tiers and language models.`,
    'Check the prices in shared/cost/prices.json against the pages it names before relying on them.',
    '',
    `One call with ${turns} turns in ${minutes} minutes`,
    table(cost.call),
    sum('AWS, a call', total(cost.call)),
    '',
    "Of it, the carrier's usage (assumed prices)",
    table(cost.carrier),
    sum('Carrier, a call', total(cost.carrier)),
    '',
    'A month without calls',
    table(cost.idleMonth),
    sum('AWS, a month without calls', total(cost.idleMonth)),
    '',
    `A month with ${calls.toLocaleString('en-US')} calls`,
    sum(`${calls} × ${dollars(cost.perCall)} + ${dollars(total(cost.idleMonth))}`, cost.month),
  ].join('\n');
}

await runCommand('cost', 'The cost was not computed', { help, options }, async (values) => {
  const args = readArguments(values);
  const { calls, turns, minutes, projects, region, prices, isJson } = args;
  const cost = computeCost(callCounts, priceList, prices, { calls, turns, minutes, projects });
  if (isJson) return JSON.stringify({ region, calls, turns, minutes, ...cost }, null, 2);
  return report(cost, args, callCounts.date);
});
