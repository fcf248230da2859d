import type { Weather } from '../harness/storm.ts';
import type { Violations } from '../harness/violations.ts';
import type { FunctionFleet } from './function-fleet.ts';
import { QueueSource } from './queue-source.ts';
import type { Provisioned } from './servers.ts';
import { StreamSource } from './stream-source.ts';

/** The template's event source mappings of queues. */
export function queueSources(
  { stack, queues, queueServer: server }: Provisioned,
  weather: Weather,
  fleet: FunctionFleet,
): QueueSource[] {
  return stack.mappings.flatMap((mapping) => {
    const queue = queues.find(({ arn }) => arn === mapping.sourceArn);
    if (queue === undefined) return [];
    const random = weather.random.fork(`queue ${mapping.functionName}`);
    const queueUrl = `http://127.0.0.1:${server.server.port}${new URL(queue.url).pathname}`;
    return [new QueueSource({ ...weather, mapping, queueName: queue.name, queueUrl, server, fleet, random })];
  });
}

/** The template's event source mapping of the table's stream. */
export function streamSource(
  { stack }: Provisioned,
  weather: Weather,
  { fleet, violations }: { fleet: FunctionFleet; violations: Violations },
): StreamSource {
  const mapping = stack.mappings.find(({ sourceArn }) => sourceArn.includes(':dynamodb:'));
  if (mapping === undefined) throw new Error('no function reads the table’s stream');
  return new StreamSource({
    ...weather,
    mapping,
    fleet,
    random: weather.random.fork('stream'),
    onGivenUp: (isDisturbed) => {
      if (!isDisturbed) {
        violations.report('27: only poison is given up', 'a change of the table was skipped', []);
      }
    },
  });
}
