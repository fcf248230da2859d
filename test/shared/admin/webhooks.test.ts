import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  NewWebhookBody,
  readWebhook,
  readWebhooks,
  revealSecret,
  rotateSecret,
  type WebhookServices,
} from '#shared/admin/webhooks.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { AdminCaller, Member, Role } from '#shared/domain/person.ts';
import { readSecretRotation } from '#shared/http/admin-requests.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { changeEndpoint } from '#shared/webhooks/change-endpoint.ts';
import { signedHeaders } from '#shared/webhooks/signature.ts';
import { openSigningSecrets } from '#shared/webhooks/signing-secret.ts';
import { type EmbeddedSecrets, startEmbeddedSecrets } from '../../support/embedded-secrets.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { machineNetwork } from '../../support/project-services.ts';
import { sampleProject } from '../../support/sample-tasks.ts';
import { scanTable } from '../../support/scan-table.ts';

let embedded: EmbeddedTable;
let secrets: EmbeddedSecrets;
let services: WebhookServices;
beforeAll(async () => {
  [embedded, secrets] = await Promise.all([startEmbeddedTable(), startEmbeddedSecrets()]);
  services = { table: embedded.table, secrets: secrets.envelope, network: machineNetwork };
});
afterAll(() => Promise.all([embedded.stop(), secrets.stop()]));

const now = new Date();
const hoursFromNow = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
const url = 'https://hooks.example.com/x?token=of-the-receiver';
const newWebhook = (wishes: Partial<NewWebhookBody> = {}): NewWebhookBody =>
  NewWebhookBody.parse({ url, ...wishes });

interface Site {
  readonly projectId: string;
  readonly owner: AdminCaller;
  readonly viewer: AdminCaller;
}

/** A new project with an owner and a viewer. */
async function newSite(): Promise<Site> {
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
  await writeTransaction(embedded.table, [
    putProject(embedded.table, project),
    addMemberItem(embedded.table, member('owner')),
    addMemberItem(embedded.table, member('viewer')),
  ]);
  return { projectId: project.id, owner: caller('owner'), viewer: caller('viewer') };
}

async function newSiteWithWebhook(wishes: Partial<NewWebhookBody> = {}) {
  const site = await newSite();
  const created = await createWebhook(services, {
    caller: site.owner,
    projectId: site.projectId,
    newWebhook: newWebhook(wishes),
    now,
  });
  return { ...site, created, address: { projectId: site.projectId, webhookId: created.id } };
}

async function auditOf(projectId: string) {
  const { items } = await listAuditEntries(embedded.table, projectId, { limit: 100, before: null });
  return items.reverse();
}

/** Which of the secrets a receiver can verify with what the endpoint is sent at a time. */
async function verifying(
  { projectId, webhookId }: { projectId: string; webhookId: string },
  candidates: readonly string[],
  at: Date,
): Promise<boolean[]> {
  const endpoint = await getWebhookEndpoint(embedded.table, projectId, webhookId);
  if (endpoint === null) throw new Error('no endpoint');
  const signing = await openSigningSecrets(secrets.envelope, endpoint, at);
  // The public library goes by the real clock.
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

describe('a webhook', () => {
  test('is created with a secret that is told once, and read by every member without it', async () => {
    const { owner, viewer, projectId, created, address } = await newSiteWithWebhook({
      description: 'Staging',
    });
    const { signing_secret, ...resource } = created;
    expect(signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(resource).toEqual({
      id: created.id,
      url,
      description: 'Staging',
      events: ['task.completed', 'call.completed'],
      payload: 'minimal',
      signing_secrets: [{ created_at: now.toISOString(), expires_at: null }],
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    });
    for (const caller of [owner, viewer]) {
      expect(await readWebhook(embedded.table, caller, address)).toEqual(resource);
      expect(await readWebhooks(embedded.table, caller, projectId)).toEqual({ webhooks: [resource] });
    }
  });

  test('and whatever is done with it leaves no secret in the table in plain text', async () => {
    const { owner, address, created } = await newSiteWithWebhook();
    const rotated = await rotateSecret(services, owner, address, { overlap_hours: 24 }, now);
    await revealSecret(services, owner, address);
    const stored = JSON.stringify(await scanTable(embedded.table));
    for (const secret of [created.signing_secret, rotated.signing_secret]) {
      expect(stored).not.toContain(secret.slice('whsec_'.length));
    }
  });

  test.each([
    ['http://hooks.example.com/', 'The webhook URL must use https'],
    ['https://10.0.0.1/', 'The webhook URL must not lead to an address that is not public'],
  ])('cannot have the address %s, when it is created or changed', async (bad, detail) => {
    const { owner, projectId, address } = await newSiteWithWebhook();
    const refused = { code: 'invalid_request', detail };
    await expect(
      createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook({ url: bad }) }),
    ).rejects.toMatchObject(refused);
    await expect(changeWebhook(services, owner, address, { url: bad })).rejects.toMatchObject(refused);
    expect(await readWebhooks(embedded.table, owner, projectId)).toMatchObject({ webhooks: [{ url }] });
  });

  test('cannot have a host that does not resolve', async () => {
    const { owner, projectId } = await newSite();
    const nowhere = {
      ...services,
      network: { allowsLoopback: false, resolve: () => Promise.reject(new Error('ENOTFOUND')) },
    };
    await expect(
      createWebhook(nowhere, { caller: owner, projectId, newWebhook: newWebhook() }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      detail: 'The host of the webhook URL does not resolve',
    });
  });

  test('is one of twenty of its project at most', async () => {
    const { owner, projectId } = await newSite();
    for (let count = 1; count <= 20; count += 1)
      await createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook() });
    await expect(
      createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook() }),
    ).rejects.toMatchObject({
      code: 'conflict',
      detail: 'A project cannot have more than 20 webhooks',
    });
  });

  test('is one of twenty at most, too, when many are created at the same moment', async () => {
    const { owner, projectId } = await newSite();
    for (let count = 1; count <= 17; count += 1)
      await createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook() });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook() }),
      ),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(7);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'conflict' });
    const { webhooks } = await readWebhooks(embedded.table, owner, projectId);
    expect(webhooks).toHaveLength(20);
    const [first] = webhooks;
    if (first === undefined) throw new Error('there are twenty');
    await deleteWebhook(embedded.table, owner, { projectId, webhookId: first.id });
    await createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook() });
    expect((await readWebhooks(embedded.table, owner, projectId)).webhooks).toHaveLength(20);
  });

  test('is sent the whole task only if that was chosen, which the audit log says', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook();
    expect(created.payload).toBe('minimal');
    const full = await changeWebhook(services, owner, address, {
      payload: 'full',
      events: ['task.needs_review', 'call.started'],
    });
    expect(full).toMatchObject({ payload: 'full', events: ['task.needs_review', 'call.started'] });
    expect(await changeWebhook(services, owner, address, { description: 'As before' })).toMatchObject({
      payload: 'full',
    });
    expect(await auditOf(projectId)).toContainEqual(
      expect.objectContaining({
        action: 'webhook.changed',
        before: expect.objectContaining({ payload: 'minimal' }),
        after: expect.objectContaining({ payload: 'full' }),
      }),
    );
  });

  test('is changed in what is given only', async () => {
    const { owner, address, created } = await newSiteWithWebhook({ description: 'Staging' });
    const { signing_secret: _, ...before } = created;
    const later = hoursFromNow(1);
    expect(
      await changeWebhook(services, owner, address, { events: ['call.completed', 'call.completed'] }, later),
    ).toEqual({ ...before, events: ['call.completed'], updated_at: later.toISOString() });
    expect(await changeWebhook(services, owner, address, { description: null })).toMatchObject({
      description: '',
      events: ['call.completed'],
      url,
    });
  });

  test('is not changed, nor is anything written down, when nothing would be different', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook();
    for (const patch of [{}, { url, enabled: true }]) {
      expect(await changeWebhook(services, owner, address, patch)).toMatchObject({
        updated_at: created.updated_at,
      });
    }
    expect(await auditOf(projectId)).toHaveLength(1);
  });

  test('is switched off by its owner, and switched on again with a clean slate', async () => {
    const { owner, projectId, address } = await newSiteWithWebhook();
    expect(await changeWebhook(services, owner, address, { enabled: false }, now)).toMatchObject({
      enabled: false,
      disabled_reason: null,
      disabled_at: now.toISOString(),
    });
    const settings = { disabled_reason: 'failing', failing_since: now.toISOString() } as const;
    await changeEndpoint(
      embedded.table,
      { projectId, webhookId: address.webhookId },
      () => ({ settings }),
      now,
    );
    expect(await changeWebhook(services, owner, address, { enabled: true })).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    });
  });

  test('does not hold the failures of one address against the next', async () => {
    const { owner, projectId, address } = await newSiteWithWebhook();
    const settings = { failing_since: now.toISOString() };
    await changeEndpoint(
      embedded.table,
      { projectId, webhookId: address.webhookId },
      () => ({ settings }),
      now,
    );
    const changed = await changeWebhook(
      services,
      owner,
      address,
      { url: 'https://other.example.com/hook' },
      now,
    );
    expect(changed).toMatchObject({ url: 'https://other.example.com/hook', failing_since: null });
  });

  test('keeps what everybody changed of it at the same moment', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook();
    const settings = { failing_since: now.toISOString() };
    const [rotated] = await Promise.all([
      rotateSecret(services, owner, address, { overlap_hours: 24 }, now),
      changeWebhook(services, owner, address, { description: 'changed' }, now),
      changeWebhook(services, owner, address, { events: ['task.completed'] }, now),
      changeEndpoint(embedded.table, { projectId, webhookId: address.webhookId }, () => ({ settings }), now),
    ]);
    expect(await readWebhook(embedded.table, owner, address, now)).toMatchObject({
      description: 'changed',
      events: ['task.completed'],
      failing_since: now.toISOString(),
    });
    expect(await verifying(address, [created.signing_secret, rotated.signing_secret], now)).toEqual([
      true,
      true,
    ]);
  });

  test('that was removed is there no longer, for anything', async () => {
    const { owner, address, projectId } = await newSiteWithWebhook();
    await deleteWebhook(embedded.table, owner, address);
    const notFound = { code: 'not_found', detail: 'Webhook not found' };
    for (const asking of [
      () => readWebhook(embedded.table, owner, address),
      () => changeWebhook(services, owner, address, { enabled: false }),
      () => deleteWebhook(embedded.table, owner, address),
      () => revealSecret(services, owner, address),
      () => rotateSecret(services, owner, address, { overlap_hours: 24 }),
    ]) {
      await expect(asking()).rejects.toMatchObject(notFound);
    }
    expect(await readWebhooks(embedded.table, owner, projectId)).toEqual({ webhooks: [] });
  });
});

describe('the signing secret', () => {
  test('is shown to an owner again, who is written down to have seen it', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook();
    expect(await revealSecret(services, owner, address)).toEqual({ signing_secret: created.signing_secret });
    expect((await auditOf(projectId)).at(-1)).toMatchObject({
      action: 'webhook-secret.viewed',
      target: { type: 'webhook', id: address.webhookId },
      actor: { kind: 'person', email: owner.person.email },
    });
  });

  test('that was rotated verifies beside the new one for 24 hours, then only the new one does', async () => {
    const { owner, address, created } = await newSiteWithWebhook();
    const rotated = await rotateSecret(
      services,
      owner,
      address,
      readSecretRotation({ body: Buffer.alloc(0) }),
      now,
    );
    expect(rotated.signing_secrets).toEqual([
      { created_at: now.toISOString(), expires_at: null },
      { created_at: now.toISOString(), expires_at: hoursFromNow(24).toISOString() },
    ]);
    const both = [created.signing_secret, rotated.signing_secret];
    expect(await verifying(address, both, now)).toEqual([true, true]);
    expect(await verifying(address, both, new Date(hoursFromNow(24).getTime() - 1))).toEqual([true, true]);
    expect(await verifying(address, both, hoursFromNow(24))).toEqual([false, true]);
    const resource = await readWebhook(embedded.table, owner, address, hoursFromNow(24));
    expect(resource.signing_secrets).toHaveLength(1);
    expect(await revealSecret(services, owner, address)).toEqual({ signing_secret: rotated.signing_secret });
  });

  test('that cannot be opened says so to who wants to see it, and a rotation puts it right', async () => {
    const { owner, projectId, address } = await newSiteWithWebhook();
    const { address: another } = await newSiteWithWebhook();
    const foreign = await getWebhookEndpoint(embedded.table, another.projectId, another.webhookId);
    if (foreign === null) throw new Error('no endpoint');
    const { signing_secrets } = foreign;
    await changeEndpoint(
      embedded.table,
      { projectId, webhookId: address.webhookId },
      () => ({ settings: { signing_secrets } }),
      now,
    );
    await expect(revealSecret(services, owner, address)).rejects.toMatchObject({
      code: 'conflict',
      detail: 'The signing secret cannot be opened: rotate it',
    });
    const rotated = await rotateSecret(services, owner, address, { overlap_hours: 24 }, now);
    expect(await revealSecret(services, owner, address)).toEqual({ signing_secret: rotated.signing_secret });
    expect(await verifying(address, [rotated.signing_secret], now)).toEqual([true]);
  });

  test('that is rotated without overlap stops verifying at once', async () => {
    const { owner, address, created } = await newSiteWithWebhook();
    const rotated = await rotateSecret(services, owner, address, { overlap_hours: 0 }, now);
    expect(await verifying(address, [created.signing_secret, rotated.signing_secret], now)).toEqual([
      false,
      true,
    ]);
  });

  test.each([
    ['{"overlap_hours": 25}', 'invalid_request'],
    ['{"overlap_hours": -1}', 'invalid_request'],
    ['{"overlap_hours": 1.5}', 'invalid_request'],
    ['[]', 'invalid_request'],
    ['{', 'malformed_json'],
  ])('is not rotated by the body %s', (body, code) => {
    expect(() => readSecretRotation({ body: Buffer.from(body) })).toThrow(expect.objectContaining({ code }));
  });
});

describe('who may do what', () => {
  test('a viewer reads, but neither changes anything nor sees the secret', async () => {
    const { viewer, projectId, address } = await newSiteWithWebhook();
    const forbidden = {
      code: 'forbidden',
      detail: expect.stringMatching(/^Only an owner( or a manager)? of the project may do this$/),
    };
    for (const asking of [
      () => createWebhook(services, { caller: viewer, projectId, newWebhook: newWebhook() }),
      () => changeWebhook(services, viewer, address, { enabled: false }),
      () => deleteWebhook(embedded.table, viewer, address),
      () => revealSecret(services, viewer, address),
      () => rotateSecret(services, viewer, address, { overlap_hours: 24 }),
    ]) {
      await expect(asking()).rejects.toMatchObject(forbidden);
    }
    expect(await auditOf(projectId)).toHaveLength(1);
  });

  test('a webhook of another project is one that does not exist, for whoever owns a project', async () => {
    const { address } = await newSiteWithWebhook();
    const { owner, projectId } = await newSite();
    const elsewhere = { projectId, webhookId: address.webhookId };
    await expect(readWebhook(embedded.table, owner, elsewhere)).rejects.toMatchObject({
      code: 'not_found',
      detail: 'Webhook not found',
    });
    await expect(readWebhook(embedded.table, owner, address)).rejects.toMatchObject({
      code: 'not_found',
      detail: 'Project not found',
    });
  });

  test('every change is written down with what it was before and is after, without any secret', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook();
    await changeWebhook(services, owner, address, { enabled: false });
    const rotated = await rotateSecret(services, owner, address, { overlap_hours: 2 });
    await revealSecret(services, owner, address);
    await deleteWebhook(embedded.table, owner, address);
    const entries = await auditOf(projectId);
    expect(entries).toMatchObject([
      {
        action: 'webhook.created',
        before: null,
        after: { url: 'https://hooks.example.com/x', enabled: true },
      },
      { action: 'webhook.changed', before: { enabled: true }, after: { enabled: false } },
      { action: 'webhook-secret.rotated', after: { overlap_hours: 2 } },
      { action: 'webhook-secret.viewed', before: null, after: null },
      { action: 'webhook.deleted', before: { enabled: false }, after: null },
    ]);
    for (const hidden of [created.signing_secret, rotated.signing_secret, 'whsec_', 'of-the-receiver']) {
      expect(JSON.stringify(entries)).not.toContain(hidden);
    }
  });
});
