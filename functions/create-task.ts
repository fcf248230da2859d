import { patientSeen, taskCreated } from '#shared/audit/actions.ts';
import { openFailFastQueue } from '#shared/aws/message-queue.ts';
import { dialLimits } from '#shared/calls/dial/dial-limits.ts';
import { Created } from '#shared/domain/created.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import { openClientApi } from '#shared/http/client-api.ts';
import { readFlag } from '#shared/http/parameters.ts';
import { readNewTask } from '#shared/http/task-requests.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { createTask as operation } from '#shared/operations/v1/create-task.ts';
import { getProject } from '#shared/table/project.ts';
import { checkSandboxPhone } from '#shared/tasks/check-sandbox-phone.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { checkCreation } from '#shared/tasks/dry-run/check-creation.ts';
import { enqueueDial } from '#shared/tasks/enqueue-dial.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { apiEndpoint, type Caller, type DryRunAnswer } from '#shared/triggers/http.ts';
import { manifest } from './manifests/create-task.ts';

const env = readEnvironment(manifest.environment);
const { table, access, admission } = openClientApi(env);
const hasSandboxPhone = env.SANDBOX_CARRIER_BASE_URL !== '';
const queue = openFailFastQueue(env.CALL_QUEUE_URL);

const create = idempotent({ table, body: Created }, async (caller: Caller, { newTask }: Order, remember) => {
  const { projectId } = caller;
  // When both carriers are present, the project need not be read.
  const project = hasSandboxPhone ? null : await getProject(table, projectId);
  if (project !== null) checkSandboxPhone(project, hasSandboxPhone);
  const task = await createTask(table, {
    projectId,
    newTask,
    alongside: (made) => [...remember({ id: made.id }), access.changed(caller, taskCreated(made))],
  });
  annotateLog({ task_id: task.id });
  await enqueueDial(queue, task);
  return { id: task.id };
});

async function foresee(caller: Caller, { newTask }: Order): Promise<DryRunAnswer> {
  const creatable = await checkCreation({ table, hasSandboxPhone }, caller.projectId, newTask);
  // Loaded on demand: calling hours and the agent outweigh the rest of the function. Must not throw ServiceError,
  // because its bundle has its own copy of the class.
  const { foreseeTask } = await import('#shared/tasks/dry-run/foresee-task.ts');
  const forecast = await foreseeTask({ table, ...dialLimits(env) }, creatable);
  await access.seen(caller, patientSeen(creatable.patient.id));
  return { dryRun: forecast };
}

interface Order {
  readonly newTask: NewTask;
  readonly isDryRun: boolean;
}

export const handler = apiEndpoint(operation, {
  ...admission,
  parse: async (request): Promise<Order> => ({
    newTask: await readNewTask(request),
    isDryRun: readFlag(request, 'dry_run'),
  }),
  perform: async (caller, order, request) =>
    order.isDryRun ? foresee(caller, order) : create(caller, order, request),
});
