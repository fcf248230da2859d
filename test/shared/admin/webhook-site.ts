import { Webhook } from 'standardwebhooks';
import { createWebhook, NewWebhookBody, type WebhookServices } from '#shared/admin/webhooks.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { AdminCaller, Member, Role } from '#shared/domain/person.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { signedHeaders } from '#shared/webhooks/signature.ts';
import { openSigningSecrets } from '#shared/webhooks/signing-secret.ts';
import { startEmbeddedSecrets } from '../../support/embedded-secrets.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { machineNetwork } from '../../support/project-services.ts';
import { sampleProject } from '../../support/sample-tasks.ts';

/** Tables and secrets for webhooks. */
export async function startWebhookServices(): Promise<WebhookServices & { stop(): Promise<unknown> }> {
  const [embedded, secrets] = await Promise.all([startEmbeddedTable(), startEmbeddedSecrets()]);
  return {
    table: embedded.table,
    secrets: secrets.envelope,
    network: machineNetwork,
    stop: () => Promise.all([embedded.stop(), secrets.stop()]),
  };
}

export const now = new Date();
export const hoursFromNow = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
export const url = 'https://hooks.example.com/x?token=of-the-receiver';
export const newWebhook = (wishes: Partial<NewWebhookBody> = {}): NewWebhookBody =>
  NewWebhookBody.parse({ url, ...wishes });

interface Site {
  readonly projectId: string;
  readonly owner: AdminCaller;
  readonly viewer: AdminCaller;
}

/** A new project with an owner and a viewer. */
export async function newSite(services: WebhookServices): Promise<Site> {
  const project = sampleProject({ id: uuidv7() });
  const caller = (role: Role): AdminCaller => ({
    person: { subject: role, email: `${role}.${project.id}@clinic.example.com`, name: null },
    requestId: 'request-1',
  });
  const member = (role: Role): Member => ({
    project_id: project.id,
    email: caller(role).person.email,
    role,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  });
  await writeTransaction(services.table, [
    putProject(services.table, project),
    addMemberItem(services.table, member('owner')),
    addMemberItem(services.table, member('viewer')),
  ]);
  return { projectId: project.id, owner: caller('owner'), viewer: caller('viewer') };
}

export async function newSiteWithWebhook(services: WebhookServices, wishes: Partial<NewWebhookBody> = {}) {
  const site = await newSite(services);
  const created = await createWebhook(services, {
    caller: site.owner,
    projectId: site.projectId,
    newWebhook: newWebhook(wishes),
    now,
  });
  return { ...site, created, address: { projectId: site.projectId, webhookId: created.id } };
}

export async function auditOf(services: WebhookServices, projectId: string) {
  const { items } = await listAuditEntries(services.table, projectId, { limit: 100, before: null });
  return items.reverse();
}

/** The secrets that verify what is sent to the endpoint at a time. */
export async function verifying(
  services: WebhookServices,
  { projectId, webhookId }: { projectId: string; webhookId: string },
  candidates: readonly string[],
  at: Date,
): Promise<boolean[]> {
  const endpoint = await getWebhookEndpoint(services.table, projectId, webhookId);
  if (endpoint === null) throw new Error('no endpoint');
  const signing = await openSigningSecrets(services.secrets, endpoint, at);
  // The public library uses the real clock.
  const headers = signedHeaders(signing, { id: 'msg_1', sentAt: new Date(), body: '{}' });
  return candidates.map((secret) => {
    try {
      new Webhook(secret).verify('{}', headers);
      return true;
    } catch {
      return false;
    }
  });
}
