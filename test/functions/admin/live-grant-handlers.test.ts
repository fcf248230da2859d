import { expect, test } from 'vitest';
import { createProject } from '#shared/projects/create-project.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { getProject } from '#shared/table/project.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { liveGrantHandlers } from '../../../functions/admin/live-grants.ts';
import { startCarrierServer } from '../../support/carrier-server.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { formPostEvent } from '../../support/lambda-events.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { projectServices } from '../../support/project-services.ts';

const operator = { subject: 'operator', email: 'operator@service.example.com', name: null };
const ours = '+12025550150';

const [embedded, carrier] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startCarrierServer(() => new Date())),
]);
carrier.ownNumbers.push(ours);

const handlers = () =>
  liveGrantHandlers({
    table: embedded.table,
    operators: [operator.email],
    liveCarrier: async () => carrier.client,
  });

function request(projectId: string, body: object): RawRequest {
  const resource = '/admin/projects/{project_id}/live-grant';
  const pathParameters = { project_id: projectId };
  const sourceEvent = formPostEvent({ resource, path: resource, pathParameters, headers: {}, body: '' });
  return {
    method: 'PUT',
    resource,
    path: resource,
    pathParameters,
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
    sourceEvent,
  };
}

test('an operator grants live calls with a number of the account and ends them, and both are audited', async () => {
  const { project } = await createProject(projectServices(embedded.table), {
    name: 'Example Clinic',
    carrier: 'sandbox',
    webhook: null,
  });
  const caller = { person: operator, requestId: 'request', sourceIp: '203.0.113.9' };
  const asked = (number: string) => request(project.id, { caller_number: number, calls_per_day: 20 });
  await expect(handlers().grantLive(caller, asked('+12025550151'))).rejects.toThrow(
    'caller_number must be a number of the carrier account',
  );
  const { body } = await handlers().grantLive(caller, asked(ours));
  expect(body).toMatchObject({
    project_id: project.id,
    live_grant: { caller_number: ours, calls_per_day: 20, withdrawn_at: null },
  });
  expect(await getProject(embedded.table, project.id, { consistently: true })).toMatchObject({
    carrier: 'live',
  });

  const withdrawn = await handlers().withdrawLive(caller, request(project.id, {}));
  expect(withdrawn.body).toMatchObject({ live_grant: { withdrawn_at: expect.any(String) } });
  const { items } = await listAuditEntries(embedded.table, project.id, { limit: 20, before: null });
  const deeds = items.filter(({ action }) => action.startsWith('live.'));
  expect(deeds.map(({ action }) => action).sort()).toEqual(['live.granted', 'live.withdrawn']);
  for (const { actor, source_ip, request_id } of deeds) {
    expect([actor, source_ip, request_id]).toEqual([
      { kind: 'person', subject: operator.subject, email: operator.email },
      '203.0.113.9',
      'request',
    ]);
  }
});
