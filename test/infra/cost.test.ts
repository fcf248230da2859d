import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { computeCost, total, unitsAt, usualCall } from '#shared/cost/arithmetic.ts';
import { callCounts, type MeasuredCall } from '#shared/cost/call-counts.ts';
import { priceList } from '#shared/cost/prices.ts';
import { noCounts } from '../bench/counting-observer.ts';
import { countMonthly } from '../bench/measure-calls.ts';
import { type CommandRun, runCommandOn } from '../support/command-run.ts';

const cost = (...args: string[]): Promise<CommandRun> => runCommandOn({ endpoint: '' }, 'cost', args);

const measured = (turns: number, units: number): MeasuredCall => ({
  label: `${turns} turns`,
  turns,
  connected_seconds: 60,
  counts: { ...noCounts(), dynamodb_write_units: units },
});

const Line = z.object({
  units: z.number(),
  price: z.object({ price: z.number(), per: z.number() }),
  amount: z.number(),
});
const Report = z.object({
  call: z.array(Line),
  carrier: z.array(Line),
  idleMonth: z.array(Line),
  perCall: z.number(),
  month: z.number(),
});

describe('the cost of a call', () => {
  test('grows with turns like the measured calls', () => {
    const calls = [measured(10, 120), measured(20, 220), measured(30, 320)];
    expect(unitsAt(calls, 'dynamodb_write_units', 20)).toBeCloseTo(220);
    expect(unitsAt(calls, 'dynamodb_write_units', 45)).toBeCloseTo(470);
    expect(unitsAt(calls, 'dynamodb_write_units', 0)).toBeCloseTo(20);
  });

  test('neither falls with more turns nor is negative without any, whatever was measured', () => {
    const falling = [measured(10, 120), measured(20, 100)];
    expect(unitsAt(falling, 'dynamodb_write_units', 100)).toBeCloseTo(110);
    const steep = [measured(10, 10), measured(20, 200)];
    expect(unitsAt(steep, 'dynamodb_write_units', 0)).toBeCloseTo(0);
    expect(unitsAt(steep, 'dynamodb_write_units', 15)).toBeCloseTo(105);
  });

  test('is units × price in each line, and the lines add up', () => {
    const region = priceList.regions['us-east-1'];
    if (region === undefined) throw new Error('no prices');
    const usage = { calls: 500, ...usualCall(callCounts.calls), projects: 1 };
    const { call, carrier, idleMonth, perCall, month } = computeCost(callCounts, priceList, region, usage);
    for (const { units, price, amount, what } of [...call, ...carrier, ...idleMonth]) {
      expect(amount, what).toBeCloseTo((units * price.price) / price.per, 12);
      expect(units, what).toBeGreaterThanOrEqual(0);
    }
    expect(perCall).toBeCloseTo(total(call) + total(carrier), 12);
    expect(month).toBeCloseTo(500 * perCall + total(idleMonth), 9);
  });

  test('has a named source for every price, and marks assumptions', () => {
    for (const { source } of Object.values(priceList.regions).flatMap((prices) => Object.values(prices))) {
      expect(source).toMatch(/^(AWS|Amazon) .* ?pricing/);
    }
    for (const { source } of Object.values(priceList.assumptions)) expect(source).toMatch(/^assumed: /);
  });

  test('matches the resources of stage prod and the work of the sweeper', async () => {
    expect(callCounts.monthly).toEqual(await countMonthly());
  });
});

describe('npm run cost', () => {
  test('computes a longer call and a month of other calls', async () => {
    const report = async (...args: string[]) => Report.parse(JSON.parse((await cost(...args)).stdout));
    const one = await report('--json');
    const other = await report('--calls', '200', '--turns', '60', '--minutes', '12.5', '--json');
    expect(other.perCall).toBeGreaterThan(one.perCall);
    expect(other.carrier.map(({ units }) => units)).toEqual([13, 13, 13, 1]);
    const idle = other.idleMonth.reduce((sum, { amount }) => sum + amount, 0);
    expect(other.month).toBeCloseTo(200 * other.perCall + idle, 9);
  });

  test.each([
    [['--region', 'mars-1'], '--region must be one of us-east-1'],
    [['--minutes', 'long'], '--minutes must be a number from 0 to 240'],
    [['--turns', '-1'], ''],
    [['--cheap'], "Unknown option '--cheap'"],
  ])('refuses %j', async (args, message) => {
    expect(await cost(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});
