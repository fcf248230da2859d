import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CallCounts } from '#shared/cost/call-counts.ts';
import { parsed, runCommand } from '../../infra/command.ts';
import { demoTasks } from '../../infra/local/demo/scenario.ts';
import { countMonthly, measureCalls, type RequestsTold } from './measure-calls.ts';

const help = `Counts what a call takes of each service that bills it, and writes it down for npm run cost.

  npm run count-calls [-- --requests]

  --requests   also say which function makes which requests, an average of the calls
  --help       this text

Makes the four calls of the demo on a local stack of its own, at half of real time, one after the other. Writes
shared/cost/call-counts.json.`;

await runCommand('count-calls', 'The calls were not counted', async (args) => {
  const { values } = parsed(() =>
    parseArgs({
      args,
      options: { requests: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    }),
  );
  if (values.help) return help;
  const requests = new Map<string, number>();
  const addRequests: RequestsTold = (made) => {
    for (const [name, count] of made) requests.set(name, (requests.get(name) ?? 0) + count);
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

function inWords(requests: ReadonlyMap<string, number>, calls: number): string {
  const rows = [...requests].sort(([one], [other]) => one.localeCompare(other));
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  return [...rows, ['all', total] as const]
    .map(([name, count]) => `${(count / calls).toFixed(2).padStart(7)}  ${name}\n`)
    .join('');
}
