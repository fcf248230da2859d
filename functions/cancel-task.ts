import { clientAddresses } from '#shared/http/addresses.ts';
import { apiKeyAuthentication } from '#shared/http/api-key-authentication.ts';
import { readPathId } from '#shared/http/parameters.ts';
import { idempotent } from '#shared/idempotency/idempotent.ts';
import { openTable } from '#shared/table/client.ts';
import { announceEnd, openAnnouncementQueue } from '#shared/tasks/announce-task.ts';
import { type CancelledTask, cancelTask } from '#shared/tasks/cancel-task.ts';
import { TaskResource, toTaskResource } from '#shared/tasks/task-resource.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { environment } from '#shared/triggers/environment.ts';
import { apiEndpoint } from '#shared/triggers/http.ts';

const table = openTable(environment('TABLE_NAME'));
const queue = openAnnouncementQueue(environment('CALL_QUEUE_URL'));
const addresses = clientAddresses(environment('PUBLIC_BASE_URL'));

const toResource = (cancelled: CancelledTask): TaskResource => toTaskResource(cancelled, addresses);

export const handler = apiEndpoint({
  authenticate: apiKeyAuthentication(table),
  limitRate: projectRateLimit(table, environment('PROJECT_REQUESTS_PER_SECOND')),
  parse: (request) => readPathId(request, 'task_id', 'task'),
  perform: idempotent(
    { table, status: 200, body: TaskResource },
    async ({ projectId }, taskId: string, remember) => {
      const cancelled = await cancelTask(table, {
        projectId,
        taskId,
        alongside: (made) => remember(toResource(made)),
      });
      if (cancelled.callToEnd !== null) await announceEnd(queue, cancelled.callToEnd);
      return toResource(cancelled);
    },
  ),
  response: TaskResource,
});
