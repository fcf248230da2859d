import type { Call } from '#shared/domain/call.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import type { CreatedProject } from '#shared/projects/create-project.ts';
import type { SimulatedCarrier } from '../carrier/simulated-carrier.ts';
import type { QueueServer } from '../cloud/embedded-servers.ts';
import type { QueueSource } from '../cloud/queue-source.ts';
import type { Ledger } from './ledger.ts';
import { poisonBodies } from './poison.ts';
import type { ProjectClients } from './project-clients.ts';
import { callIdOf, type Report, type Rules } from './rules.ts';
import type { WebhookPayload, WebhookReceiver } from './webhook-receiver.ts';

export interface AuditHarness {
  readonly ledger: Ledger;
  readonly rules: Rules;
  readonly carriers: readonly SimulatedCarrier[];
  readonly queueServer: QueueServer;
  readonly projects: readonly CreatedProject[];
  readonly bucket: string;
  readonly report: Report;
}

/** The promises that can be checked only once everything has ended, or when a client learns of an end. */
export class FinalAudit {
  readonly #world: AuditHarness;
  readonly #answered = new Set<string>();
  readonly #accepted = new Set<string>();
  readonly #cancelled = new Set<string>();

  constructor(harness: AuditHarness) {
    this.#world = harness;
  }

  /** A task was accepted with 201. */
  onTaskCreated(taskId: string): void {
    const { ledger, report } = this.#world;
    this.#answered.add(taskId);
    if (!ledger.tasks.has(taskId))
      report('1: a task that was answered 201 is kept', 'it is not in the table', [taskId]);
  }

  /** A batch with the task was accepted with 202. */
  onTaskAccepted(taskId: string): void {
    this.#accepted.add(taskId);
  }

  onCancelled(taskId: string): void {
    const { ledger, report } = this.#world;
    this.#cancelled.add(taskId);
    const status = ledger.tasks.get(taskId)?.status;
    if (status !== 'CANCELLED') report('a cancelled task is cancelled', `it is ${status}`, [taskId]);
  }

  /** A client got a webhook: now it must find what the webhook is about. */
  onWebhook(client: ProjectClients, { event, task_id, call_id }: WebhookPayload): void {
    const { report } = this.#world;
    client.readTask(task_id, (task) => {
      if (task === null) return;
      if (event === 'task.completed') {
        if (task.status === 'PENDING' || task.status === 'IN_PROGRESS' || task.task_outcome === null) {
          report('6: task.completed only when it is', `the task is ${task.status}`, [task_id]);
        }
        return;
      }
      const call = task.calls.find(({ id }) => id === call_id);
      if (call === undefined || call.status === 'IN_PROGRESS' || call.call_outcome === null) {
        report('6: call.completed only when it is', `the call is ${call?.status ?? 'not there'}`, [task_id]);
        return;
      }
      if (call.recording_url === null) return;
      client.readRecording(call.id, (status) => {
        if (status !== 302 && status !== null) {
          report('6: call.completed only when the recording can be fetched', `it was answered ${status}`, [
            task_id,
          ]);
        }
      });
    });
  }

  get isNothingOpen(): boolean {
    const { ledger } = this.#world;
    return (
      [...this.#accepted].every((taskId) => ledger.tasks.has(taskId)) &&
      [...ledger.tasks.values()].every(({ status }) => isTerminalTaskStatus(status)) &&
      [...ledger.calls.values()].every(
        ({ completed_at, due_at, recording }) =>
          completed_at !== null && due_at === null && recording.due_at === null,
      ) &&
      [...ledger.deliveries.values()].every(({ status }) => status !== 'pending')
    );
  }

  reportWhatIsOpen(): void {
    const { ledger, report } = this.#world;
    for (const task of ledger.tasks.values()) {
      if (!isTerminalTaskStatus(task.status))
        report('1: every task comes to an end', `it is ${task.status}`, [task.id]);
    }
    for (const call of ledger.calls.values()) {
      if (call.completed_at === null)
        report('5: every call is completed', `it is ${call.status}`, [call.task_id]);
      else if (call.due_at !== null)
        report('5: a completed call waits for nothing', `due ${call.due_at}`, [call.task_id]);
      else if (call.recording.due_at !== null) {
        report('5: every recording waits for nothing in the end', `due ${call.recording.due_at}`, [
          call.task_id,
        ]);
      }
    }
    for (const delivery of ledger.deliveries.values()) {
      if (delivery.status === 'pending') {
        report('8: every webhook is settled', `after ${delivery.attempt_count} attempts`, [
          delivery.payload.task_id,
        ]);
      }
    }
  }

  /** What a client sees as the list of its tasks, once nothing happens anymore. */
  checkList(projectId: string, ids: readonly string[] | null): void {
    const { ledger, report } = this.#world;
    const expected = [...ledger.tasks.values()]
      .filter(({ project_id }) => project_id === projectId)
      .map(({ id }) => id)
      .sort()
      .reverse();
    if (ids !== null && ids.join() !== expected.join()) {
      report(
        'a list holds every task of its project, newest first',
        `${ids.length} of ${expected.length}`,
        [],
      );
    }
  }

  /** How many tasks and calls ended in which way. */
  get ends(): ReadonlyMap<string, number> {
    const { ledger } = this.#world;
    const ends = new Map<string, number>();
    const count = (end: string): void => void ends.set(end, (ends.get(end) ?? 0) + 1);
    for (const { status } of ledger.tasks.values()) count(`task ${status}`);
    for (const { status, submission, recording, closed_by, answered_by } of ledger.calls.values()) {
      count(`call ${status}`);
      count(`submission ${submission}`);
      count(`recording ${recording.status}`);
      count(`closed by ${closed_by}`);
      count(`answered by ${answered_by ?? 'nobody knows whom'}`);
    }
    return ends;
  }

  async check(receiver: WebhookReceiver, sources: readonly QueueSource[]): Promise<void> {
    this.#checkTasks(receiver);
    for (const call of this.#world.ledger.calls.values()) this.#checkCall(call, receiver);
    this.#checkDeadLetters(sources);
    await this.#checkRecordings();
    // From now on tasks are erased.
    this.#accepted.clear();
  }

  #checkTasks(receiver: WebhookReceiver): void {
    const { ledger, report } = this.#world;
    for (const taskId of this.#answered) {
      if (!ledger.tasks.has(taskId))
        report('1: a task that was answered 201 is kept', 'it is gone', [taskId]);
    }
    for (const taskId of this.#accepted) {
      if (!ledger.tasks.has(taskId))
        report('1: a task that a batch was answered with is created', 'it is not', [taskId]);
    }
    for (const task of ledger.tasks.values()) {
      const wasOptedOut = ledger.optOuts.has(`${task.project_id} ${task.phone_number}`);
      const wasPlaced = ledger.callsOf(task.id).some(({ id }) => this.#world.rules.placedOf(id).length > 0);
      const isRefused = task.phone_number === '+12025550191';
      if (
        !wasPlaced &&
        !wasOptedOut &&
        !isRefused &&
        task.status !== 'CANCELLED' &&
        !this.#wasAbandoned(task.id)
      ) {
        report('1: every task is dialed', `it is ${task.status}: ${task.task_outcome}`, [task.id]);
      }
      if (isTerminalTaskStatus(task.status))
        this.#checkWebhook(receiver, task.project_id, 'task.completed', task.id, task.id);
    }
  }

  /** So many calls were lost on the way to the carrier that the service gave up. */
  #wasAbandoned(taskId: string): boolean {
    const calls = this.#world.ledger.callsOf(taskId);
    return calls.length >= 5 && calls.every(({ submission }) => submission === 'abandoned');
  }

  #checkCall(call: Call, receiver: WebhookReceiver): void {
    const { rules, report } = this.#world;
    const taskIds = [call.task_id];
    const placed = rules.placedOf(call.id);
    // A call that cannot be distinguished from a simultaneous one may be given up if nothing came of it there.
    const hasTalked = placed.some(({ isOver, answeredAtMs }) => !isOver || answeredAtMs !== null);
    if (call.submission === 'abandoned' && hasTalked) {
      report(
        '3: an unknown submission is found again',
        'the carrier has the call that was given up',
        taskIds,
      );
    }
    const [atCarrier] = placed;
    if (
      atCarrier !== undefined &&
      call.carrier_call_sid !== null &&
      call.carrier_call_sid !== atCarrier.sid
    ) {
      report('3: the call that was placed is the one that is followed', 'another one was adopted', taskIds);
    }
    if (call.carrier_call_sid !== null) {
      const followed = this.#world.carriers.flatMap(
        ({ calls }) => calls.get(String(call.carrier_call_sid)) ?? [],
      );
      if (followed.some((other) => callIdOf(other) !== call.id)) {
        report(
          '3: no call follows the carrier’s call of another one',
          `it follows ${call.carrier_call_sid}`,
          taskIds,
        );
      }
    }
    if (call.completed_at !== null)
      this.#checkWebhook(receiver, call.project_id, 'call.completed', call.id, call.task_id);
  }

  #checkWebhook(
    receiver: WebhookReceiver,
    projectId: string,
    event: WebhookPayload['event'],
    subjectId: string,
    taskId: string,
  ): void {
    const { projects, ledger, report } = this.#world;
    const index = projects.findIndex(({ project }) => project.id === projectId);
    const endpoint = projects[index]?.webhook?.endpoint;
    if (endpoint === undefined || receiver.hasReceived(String(index), event, subjectId)) return;
    const delivery = [...ledger.deliveries.values()].find(
      ({ payload, webhook_id }) =>
        webhook_id === endpoint.id &&
        payload.event === event &&
        (event === 'call.completed' ? payload.call_id : payload.task_id) === subjectId,
    );
    // A delivery that the receiver refused each time was settled, too.
    if (delivery === undefined) report('8: every end is told', `there is no delivery of ${event}`, [taskId]);
    else if (delivery.status === 'delivered')
      report('8: every end is told', `${event} never arrived`, [taskId]);
  }

  #checkDeadLetters(sources: readonly QueueSource[]): void {
    const { queueServer, report } = this.#world;
    for (const source of sources) {
      const { RedrivePolicy: policy } = queueServer.server.inspectQueue(source.queueName)?.attributes ?? {};
      const arn: unknown =
        policy === undefined || policy === '' ? null : JSON.parse(policy).deadLetterTargetArn;
      const name = String(arn).split(':').at(-1) ?? '';
      const dead = queueServer.server.inspectQueue(name)?.messages.ready ?? [];
      const poison = dead.filter(({ body }) => poisonBodies.includes(body)).length;
      if (poison !== source.poisonCount) {
        report('27: poison ends in the dead-letter queue', `${poison} of ${source.poisonCount} messages`, []);
      }
      for (const { messageId, body } of dead) {
        if (poisonBodies.includes(body)) continue;
        const undisturbed = source.undisturbedFailuresOf(messageId);
        if (undisturbed > 0) {
          report('27: only poison is dead', `${undisturbed} undisturbed failures: ${body.slice(0, 120)}`, []);
        }
      }
    }
  }

  async #checkDeleted(call: Call): Promise<void> {
    const { queueServer, bucket, report } = this.#world;
    const { status } = await queueServer.origin.ask('HEAD', recordingPath(bucket, call), {}, '');
    if (status !== 404)
      report('a recording is kept no longer than the project wants', `S3 answers ${status}`, [call.task_id]);
  }

  /** What the carrier recorded is in our bucket, and gone from the carrier. */
  async #checkRecordings(): Promise<void> {
    const { carriers, ledger, report, queueServer, bucket } = this.#world;
    const callBySid = new Map([...ledger.calls.values()].map((call) => [call.carrier_call_sid, call]));
    for (const carrier of carriers) {
      for (const recording of carrier.recordings.values()) {
        const call = callBySid.get(recording.callSid);
        if (call === undefined || recording.status !== 'completed') continue;
        const taskIds = [call.task_id];
        if (call.recording.status !== 'stored') {
          if (isKeptNoLonger(call)) await this.#checkDeleted(call);
          else report('7: no recording is lost', `${call.recording.reason}`, taskIds);
          continue;
        }
        if (!recording.isDeleted) report('7: the carrier forgets what we keep', 'it still has it', taskIds);
        const { status, headers } = await queueServer.origin.ask(
          'HEAD',
          `/${bucket}/${call.recording.key}`,
          {},
          '',
        );
        if (status !== 200 || Number(headers['content-length']) !== call.recording.bytes) {
          report('7: a recording is stored whole', `S3 answers ${status}`, taskIds);
        }
      }
    }
  }
}

function recordingPath(bucket: string, { project_id, id }: Call): string {
  return `/${bucket}/recordings/${project_id}/${id}.wav`;
}

function isKeptNoLonger({ recording }: Call): boolean {
  return recording.reason?.startsWith('Deleted') === true;
}
