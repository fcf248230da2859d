import { writeFileSync } from 'node:fs';
import type { CallCounts } from '#shared/cost/call-counts.ts';
import { runCommand } from '../../infra/command.ts';
import { demoTasks } from '../../infra/local/demo/scenario.ts';
import type { Asked } from './counting-observer.ts';
import { countMonthly, measureCalls, type RequestsTold } from './measure-calls.ts';

const help = `Counts what a call takes of each service that bills it, and writes it down for npm run cost.

  npm run count-calls [-- --requests]

  --requests   also say which function makes which requests, and the write units of each, an average of the calls
  --help       this text

Makes the four calls of the demo on a local stack of its own, at half of real time, one after the other. Writes
shared/cost/call-counts.json.`;

const nothing: Asked = { requests: 0, writeUnits: 0, ofIndexes: new Map() };

const options = { requests: { type: 'boolean', default: false } } as const;

await runCommand('count-calls', 'The calls were not counted', { help, options }, async (values) => {
  const requests = new Map<string, Asked>();
  const addRequests: RequestsTold = (made) => {
    for (const [name, asked] of made) requests.set(name, sum(requests.get(name), asked));
  };
  const counts: CallCounts = {
    measured_by: 'npm run count-calls',
    date: new Date().toISOString().slice(0, 10),
    ...(await measureCalls(demoTasks, addRequests)),
    monthly: await countMonthly(),
  };
  const text = `${JSON.stringify(counts, null, 2)}\n`;
  writeFileSync(new URL('../../shared/cost/call-counts.json', import.meta.url), text);
  return values.requests ? `${text}\n${inWords(requests, counts.calls.length)}` : text;
});

function sum(one: Asked = nothing, other: Asked): Asked {
  const ofIndexes = new Map(one.ofIndexes);
  for (const [index, units] of other.ofIndexes) ofIndexes.set(index, (ofIndexes.get(index) ?? 0) + units);
  return {
    requests: one.requests + other.requests,
    writeUnits: one.writeUnits + other.writeUnits,
    ofIndexes,
  };
}

function inWords(requests: ReadonlyMap<string, Asked>, calls: number): string {
  const rows = [...requests].sort(([one], [other]) => one.localeCompare(other));
  const all = rows.reduce((total, [, asked]) => sum(total, asked), nothing);
  const each = (count: number): string => (count / calls).toFixed(2).padStart(7);
  const lines = [...rows, ['all', all] as const].map(([name, { requests, writeUnits, ofIndexes }]) => {
    const indexes = [...ofIndexes].map(([index, units]) => `${each(units).trim()} ${index}`).join(', ');
    return `${each(requests)} ${each(writeUnits)}  ${name}${indexes === '' ? '' : ` (${indexes})`}\n`;
  });
  return `  asked   units  by whom, what, and of what items (of the units in which indexes)\n${lines.join('')}`;
}
