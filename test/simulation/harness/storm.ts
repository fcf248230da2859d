import type { SimulatedCarrier } from '../carrier/simulated-carrier.ts';
import type { DynamoServer } from '../cloud/embedded-servers.ts';
import type { FunctionFleet } from '../cloud/function-fleet.ts';
import type { QueueSource } from '../cloud/queue-source.ts';
import type { RelayGateway } from '../cloud/relay-gateway.ts';
import type { TableWatch } from '../cloud/table-watch.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { Journal } from './journal.ts';
import { poisonBodies } from './poison.ts';
import type { ProjectClients } from './project-clients.ts';

/** Decides when something happens, and whether. */
export interface Weather {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly journal: Journal;
}

/** What can fail as a whole. */
export interface Struck {
  readonly fleet: FunctionFleet;
  readonly relay: RelayGateway;
  readonly dynamo: DynamoServer;
  readonly watch: TableWatch;
  readonly carriers: readonly SimulatedCarrier[];
}

/** Lets the clients create all tasks, in bursts and one by one. Returns once nothing goes wrong anymore. */
export function scheduleWork(
  { clock, random: root, faults }: Weather,
  clients: readonly ProjectClients[],
  tasks: number,
  isSharedLine: boolean,
): number {
  const random = root.fork('work');
  // By then, every instance knows of the projects.
  let atMs = 10_000;
  if (isSharedLine) {
    // All at once, so that they wait for each other; the storm lasts as long as they take.
    for (let created = 0; created < tasks; created += 1) {
      clock.after(atMs + created * 100, () => clients[created % clients.length]?.createTask());
    }
    const stormMs = tasks * 60_000;
    clock.after(stormMs, () => faults.stop());
    return clock.nowMs + stormMs;
  }
  for (let created = 0; created < tasks; ) {
    const burst = random.chance(0.1) ? 1 + random.below(12) : 1;
    const client = random.pick(clients);
    for (let count = 0; count < burst && created < tasks; count += 1, created += 1) {
      clock.after(atMs + random.between(0, 500), () => client.createTask());
    }
    atMs += random.between(1_000, 60_000);
  }
  const stormMs = atMs + random.between(0.1, 2.5) * 3_600_000;
  clock.after(stormMs, () => faults.stop());
  return clock.nowMs + stormMs;
}

/** Sends some messages that no function can understand. */
export function schedulePoison(
  { clock, random: root }: Weather,
  sources: readonly QueueSource[],
  endAtMs: number,
): void {
  const random = root.fork('poison');
  for (const source of sources) {
    for (let count = random.below(3); count > 0; count -= 1) {
      const body = random.pick(poisonBodies);
      clock.at(random.between(clock.nowMs, endAtMs), () => source.poison(body));
    }
  }
}

/** Lets whole parts of the world fail or restart occasionally, until everything goes well again. */
export function scheduleDisasters(
  { clock, random: root, faults, journal }: Weather,
  { fleet, relay, dynamo, watch, carriers }: Struck,
  endAtMs: number,
): void {
  const random = root.fork('disasters');
  const next = (): void => {
    clock.after(random.between(30_000, 1_200_000), async () => {
      if (clock.nowMs > endAtMs) return;
      if (faults.strikes('the stack restarts', 0.3)) {
        journal.note([], 'FAULT the stack restarts');
        relay.restart();
        fleet.restart();
      }
      if (faults.strikes('DynamoDB is killed', 0.1)) {
        journal.note([], 'FAULT DynamoDB is killed');
        await dynamo.kill();
        await dynamo.start();
        watch.reconnect();
      }
      if (faults.strikes('a carrier’s token is rotated', 0.03)) {
        const carrier = random.pick(carriers);
        journal.note([], `FAULT the token of the ${carrier.name} carrier is rotated`);
        carrier.rotateToken();
      }
      if (faults.strikes('an outage', 0.15)) {
        const of = random.pick([
          'DynamoDB',
          'SQS',
          'S3',
          'Secrets Manager',
          'KMS',
          'carrier',
          'receiver',
          '@connections',
        ]);
        // Shorter than the service waits for anything before it settles for less.
        const untilMs = random.between(1_000, random.pick([20_000, 300_000, 1_200_000]));
        journal.note([], `FAULT ${of} has an outage of ${Math.round(untilMs / 1000)} s`);
        faults.beginOutage(of);
        clock.after(untilMs, () => faults.endOutage(of));
      }
      if (faults.strikes('the clock jumps', 0.2)) {
        const jumpMs = random.between(500, random.pick([5_000, 60_000, 600_000]));
        journal.note([], `FAULT the clock jumps by ${Math.round(jumpMs / 1000)} s`);
        fleet.jump(jumpMs);
      }
      next();
    });
  };
  next();
}
