import type { EndpointAddress } from '#shared/admin/authorize-endpoint.ts';
import { ProjectTaskBody, projectTaskBodies } from '#shared/admin/tasks.ts';
import type { Period } from '#shared/admin/usage.ts';
import { SecretRotation } from '#shared/admin/webhooks.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { EmailAddress } from '#shared/domain/person.ts';
import { RequestedTaskType } from '#shared/domain/task-type.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import { WebhookDeliveryStatus } from '#shared/domain/webhook.ts';
import { checkNewTask } from '#shared/tasks/check-new-task.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { readBody, readJsonObject, validateNew } from './json-body.ts';
import { readChoice, readPathId, readText } from './parameters.ts';
import { validate } from './validate.ts';

/** The project in the path as received; `authorizeProject` checks it. */
export function readProjectId({ pathParameters }: Pick<RawRequest, 'pathParameters'>): string {
  return pathParameters.project_id ?? '';
}

/** The IDs in the path. Throws `invalid_request`; `authorizeProject` checks the project. */
export function readEndpointAddress(request: Pick<RawRequest, 'pathParameters'>): EndpointAddress {
  return { projectId: readProjectId(request), webhookId: readPathId(request, 'webhook_id', 'webhook') };
}

/** The ID in the path. Throws `invalid_request`. */
export function readDeliveryId({ pathParameters }: Pick<RawRequest, 'pathParameters'>): string {
  const id = pathParameters.delivery_id ?? '';
  if (!/^msg_[0-9a-f]{32}$/.test(id)) throw invalidField('delivery_id', 'Invalid delivery ID format');
  return id;
}

/** The status filter of deliveries; null when absent. Throws `invalid_request`. */
export function readDeliveryStatus(request: Pick<RawRequest, 'query'>): WebhookDeliveryStatus | null {
  return readChoice(request, 'status', WebhookDeliveryStatus.options);
}

/** The optional days of a query. Throws `invalid_request`. */
export function readPeriod(request: Pick<RawRequest, 'query'>): Partial<Period> {
  const [from, to] = [readDay(request, 'from'), readDay(request, 'to')];
  return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
}

function readDay(request: Pick<RawRequest, 'query'>, name: string): string | null {
  const text = readText(request, name);
  if (text === null) return null;
  const day = CalendarDate.safeParse(text);
  if (!day.success) throw invalidField(name, `${name} must be a calendar date in the form YYYY-MM-DD`);
  return day.data;
}

/** The address in the path, in lower case. Throws `invalid_request`. */
export function readMemberEmail({ pathParameters }: Pick<RawRequest, 'pathParameters'>): string {
  const email = EmailAddress.safeParse(pathParameters.email);
  if (!email.success) throw invalidField('email', 'Invalid email address format');
  return email.data;
}

/** The requested rotation. Throws `invalid_request`. */
export function readSecretRotation(request: { readonly body: Buffer }): SecretRotation {
  return request.body.byteLength === 0 ? validate(SecretRotation, {}) : readBody(request, SecretRotation);
}

/** The body of `POST …/tasks`, checked like that of `POST /v1/task`. */
export async function readProjectTask(request: { readonly body: Buffer }): Promise<ProjectTaskBody> {
  const body = readJsonObject(request);
  const taskType = RequestedTaskType.safeParse(body.task_type);
  const schema = taskType.success ? projectTaskBodies[taskType.data] : ProjectTaskBody;
  const newTask = validateNew(schema, body);
  await checkNewTask(newTask);
  return newTask;
}
