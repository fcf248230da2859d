import { operatorDirectory } from '#shared/domain/directory-entry.ts';
import type { Project } from '#shared/domain/project.ts';
import type { ProjectKey } from '#shared/encryption/project-key.ts';
import type { CreatedProject } from '#shared/projects/create-project.ts';
import { openTable, type Table } from '#shared/table/client.ts';
import { openItem } from '#shared/table/sealing-client.ts';
import { keysInMemory, type LocalKey, type LocalKeys } from '../../infra/local/servers/kms-server.ts';
import { secretsKey } from '../support/embedded-secrets.ts';
import { localKms } from '../support/local-kms.ts';
import { SimulatedCarrier } from './carrier/simulated-carrier.ts';
import {
  dynamoService,
  invocationService,
  kmsService,
  objectService,
  queueService,
  secretsService,
} from './cloud/aws-services.ts';
import { liveCarrierSecretName } from './cloud/deployed-stack.ts';
import { queueSources, streamSource } from './cloud/event-sources.ts';
import { FunctionFleet } from './cloud/function-fleet.ts';
import { Network } from './cloud/network.ts';
import type { QueueSource } from './cloud/queue-source.ts';
import { RelayGateway } from './cloud/relay-gateway.ts';
import { RestGateway } from './cloud/rest-gateway.ts';
import { type Schedules, startSchedules } from './cloud/schedules.ts';
import type { Provisioned, Servers } from './cloud/servers.ts';
import { serviceFor } from './cloud/service-for.ts';
import { StaleReads } from './cloud/stale-reads.ts';
import type { StreamSource } from './cloud/stream-source.ts';
import { TableWatch } from './cloud/table-watch.ts';
import { SimulatedDirectory, sharedNumber } from './harness/directory.ts';
import { FinalAudit } from './harness/final-audit.ts';
import { Ledger } from './harness/ledger.ts';
import { ProjectClients } from './harness/project-clients.ts';
import { createProjects, numbersOf } from './harness/projects.ts';
import { Rules } from './harness/rules.ts';
import type { Weather } from './harness/storm.ts';
import type { Violations } from './harness/violations.ts';
import { WebhookReceiver } from './harness/webhook-receiver.ts';

export interface WorldParts {
  readonly weather: Weather;
  readonly violations: Violations;
  readonly servers: Servers;
  readonly provisioned: Provisioned;
  /** Receives what functions log. */
  readonly print: ((line: string) => void) | null;
  /** How long the table's stream is down, from the start of the run. */
  readonly streamOutageHours: number;
}

/** The carriers' capacity: the sandbox's by its constants, the live one's by the template's defaults. */
const carrierLimits = {
  sandbox: { maxCalls: 100, callsPerSecond: 20 },
  live: { maxCalls: 100, callsPerSecond: 1 },
};

const maxAnswerBytes = 6 * 1024 * 1024;

/**
 * The deployed functions over the embedded servers, between simulated clients, carriers and receivers. Its parts
 * depend on each other in circles, so each finds the others only at run time.
 */
export class World {
  readonly clients: ProjectClients[] = [];
  readonly bucket: string;
  readonly keys: LocalKeys;
  readonly ledger: Ledger;
  readonly rules: Rules;
  readonly watch: TableWatch;
  readonly fleet: FunctionFleet;
  readonly relay: RelayGateway;
  readonly carriers: readonly SimulatedCarrier[];
  readonly audit: FinalAudit;
  readonly receiver: WebhookReceiver;
  readonly sources: readonly QueueSource[];
  readonly stream: StreamSource;
  readonly network: Network;
  readonly schedules: Schedules;
  readonly #parts: WorldParts;
  readonly #gateway: RestGateway;
  readonly #staleReads: StaleReads;
  readonly #projects = new Map<string, Project>();
  readonly #projectKeys = new Map<string, ProjectKey>();
  readonly #created: CreatedProject[] = [];
  readonly #directory = new SimulatedDirectory();
  readonly #secretsKey: LocalKey;

  constructor(parts: WorldParts) {
    this.#parts = parts;
    const { weather, violations, provisioned } = parts;
    const { clock, random, faults, journal } = weather;
    const { report } = violations;
    const { stack, queueServer } = provisioned;
    this.bucket = stack.outputs.RecordingsBucketName ?? '';
    const secretsKeyArn = stack.outputs.SecretsKeyId ?? '';
    this.#secretsKey = { ...secretsKey, id: secretsKeyArn.split('/').at(-1) ?? '', arn: secretsKeyArn };
    this.keys = keysInMemory(this.#secretsKey);

    this.rules = new Rules({
      clock,
      ledger: () => this.ledger,
      projects: this.#projects,
      report,
      directory: this.#directory,
      carrierLimits,
    });
    this.ledger = new Ledger(journal, this.rules);
    this.#staleReads = new StaleReads(clock, random.fork('stale reads'), faults);
    this.watch = this.#watchTable();
    this.fleet = this.#fleet();
    this.#gateway = new RestGateway(this.fleet, clock, random.fork('gateway'));
    this.relay = new RelayGateway(this.fleet, clock, random.fork('relay'));
    this.carriers = [this.#carrier('sandbox'), this.#carrier('live')];
    this.audit = new FinalAudit({
      ledger: this.ledger,
      rules: this.rules,
      carriers: this.carriers,
      queueServer,
      report,
      bucket: this.bucket,
      projects: this.#created,
    });
    this.receiver = this.#webhookReceiver();
    this.sources = queueSources(provisioned, weather, this.fleet);
    this.network = this.#network();
    this.stream = streamSource(provisioned, weather, {
      fleet: this.fleet,
      violations,
      outageHours: parts.streamOutageHours,
    });
    this.schedules = startSchedules(provisioned.deployment, {
      fleet: this.fleet,
      clock,
      random: random.fork('schedules'),
      faults,
      isAnythingDue: (byMs) => this.ledger.isAnythingDue(byMs),
    });
  }

  /** Whether nothing is waiting, running or in transit. */
  get isIdle(): boolean {
    return (
      this.fleet.isIdle &&
      this.stream.isEmpty &&
      this.clients.every(({ isIdle }) => isIdle) &&
      this.carriers.every(({ isIdle }) => isIdle) &&
      this.sources.every(({ isEmpty }) => isEmpty) &&
      this.audit.isNothingOpen
    );
  }

  /** The harness's own connection, without faults. The caller destroys its client. */
  openTable(): Table {
    const { servers, provisioned } = this.#parts;
    return openTable(provisioned.tableName, servers.dynamoClient(), localKms(this.keys).openDataKey);
  }

  /**
   * Creates the projects, their directory and their clients.
   *
   * @param lineLimit concurrent calls of the number that all tasks call; null for many numbers
   */
  async populate(lineLimit: number | null): Promise<void> {
    const { clock, random } = this.#parts.weather;
    const table = this.openTable();
    const isSharedLine = lineLimit !== null;
    const created = await createProjects(
      table,
      this.keys,
      this.#secretsKey,
      random.fork('projects'),
      clock.now,
      isSharedLine,
    );
    this.#created.push(...created);
    for (const { project } of created) {
      this.#projects.set(project.id, project);
      const key = await table.projectKey(project.id);
      if (key !== null) this.#projectKeys.set(project.id, key);
    }
    // Few numbers: many calls wait for each other.
    const numberCount = random.fork('numbers').pick([2, 4, 12]);
    const numbers = created.map((_, index) =>
      isSharedLine ? [sharedNumber] : numbersOf(index, numberCount),
    );
    if (isSharedLine) await this.#directory.add(table, operatorDirectory, sharedNumber, lineLimit, clock.now);
    else {
      const all = [...new Set(numbers.flat())];
      await this.#directory.fill(table, [...this.#projects.keys()], all, random.fork('directory'), clock.now);
    }
    table.client.destroy();
    await this.watch.read();
    for (const [index, project] of created.entries()) {
      this.clients.push(this.#clientsOf(project, index, numbers[index] ?? []));
    }
  }

  #watchTable(): TableWatch {
    const { servers, provisioned } = this.#parts;
    const open = (item: Readonly<Record<string, unknown>>) =>
      openItem(item, async (projectId) => this.#projectKeys.get(projectId) ?? null);
    return new TableWatch(servers.dynamo, provisioned.streamArn, open, (change) => {
      this.ledger.apply(change);
      this.#staleReads.note(change.record);
      this.stream.push(change.record);
    });
  }

  #fleet(): FunctionFleet {
    const { weather, violations, provisioned, print } = this.#parts;
    return new FunctionFleet({
      ...weather,
      functions: provisioned.stack.functions,
      random: weather.random.fork('fleet'),
      send: (invocation, request, outcome) => this.network.send(invocation, request, outcome),
      onLine: (functionName, line) => {
        print?.(`    ${functionName}: ${line.slice(0, 1500)}`);
        violations.checkForCanaries(line, `a log line of ${functionName}`);
      },
      onPayload: (functionName, bytes) => {
        if (bytes <= maxAnswerBytes) return;
        violations.report('26: answers stay below 6 MB', `${functionName}: ${bytes} bytes`, []);
      },
    });
  }

  #carrier(name: 'sandbox' | 'live'): SimulatedCarrier {
    const { weather, violations } = this.#parts;
    return new SimulatedCarrier({
      ...weather,
      name,
      random: weather.random.fork(`carrier ${name}`),
      gateway: this.#gateway,
      relay: this.relay,
      observer: {
        onPlaced: (carrier, call) => this.rules.onPlaced(carrier, call),
        onRinging: (carrier, call) => this.rules.onRinging(carrier, call),
        onEnded: (carrier, call) => this.rules.onEnded(carrier, call),
        onViolation: violations.report,
      },
    });
  }

  #webhookReceiver(): WebhookReceiver {
    const { weather, violations } = this.#parts;
    return new WebhookReceiver({
      clock: weather.clock,
      faults: weather.faults,
      secretOf: (endpoint) => this.#created[Number(endpoint)]?.webhook?.signingSecret ?? null,
      onReceived: ({ endpoint, payload, isFirst }) => {
        if (!isFirst) return;
        const client = this.clients[Number(endpoint)];
        if (client !== undefined) this.audit.onWebhook(client, payload);
      },
      onViolation: violations.report,
    });
  }

  #network(): Network {
    const { weather, violations, servers, provisioned } = this.#parts;
    const { queueServer } = provisioned;
    const [sandbox, live] = this.carriers;
    const services = {
      dynamo: dynamoService(servers.dynamo, this.#staleReads, () => this.watch.read()),
      queues: queueService(queueServer, (queueUrl, request) => {
        const source = this.sources.find(({ queueName }) => queueUrl.endsWith(`/${queueName}`));
        source?.wake(weather.random.between(0.5, 30));
        violations.checkForCanaries(request.body.toString('utf8'), 'a queue message');
      }),
      objects: objectService(queueServer, this.keys),
      kms: kmsService(this.keys),
      functions: invocationService((name, event) => this.fleet.invoke(name, event, () => {})),
      secrets: secretsService((secretId) => {
        const carrier = secretId === liveCarrierSecretName ? live : sandbox;
        return carrier?.secret ?? null;
      }),
    };
    return new Network({
      ...weather,
      random: weather.random.fork('network'),
      fleet: () => this.fleet,
      serviceFor: (url) => serviceFor(url, services, this.carriers, this.relay, this.receiver),
    });
  }

  #clientsOf(project: CreatedProject, index: number, numbers: readonly string[]): ProjectClients {
    const { weather, violations } = this.#parts;
    return new ProjectClients(project, numbers, {
      ...weather,
      gateway: this.#gateway,
      random: weather.random.fork(`clients ${index}`),
      report: violations.report,
      onTaskCreated: (taskId) => this.audit.onTaskCreated(taskId),
      onTaskAccepted: (taskId) => this.audit.onTaskAccepted(taskId),
      onCancelled: (taskId) => this.audit.onCancelled(taskId),
    });
  }
}
