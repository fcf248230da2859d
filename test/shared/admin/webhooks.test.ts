import { describe, expect, test } from 'vitest';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  readWebhook,
  readWebhooks,
  revealSecret,
  rotateSecret,
} from '#shared/admin/webhooks.ts';
import { changeEndpoint } from '#shared/webhooks/change-endpoint.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { scanTable } from '../../support/scan-table.ts';
import {
  auditOf,
  hoursFromNow,
  newSite,
  newSiteWithWebhook,
  newWebhook,
  now,
  startWebhookServices,
  url,
  verifying,
} from './webhook-site.ts';

const services = await forThisFile(startWebhookServices());
describe('a webhook', () => {
  test('is created with a secret that is shown once, and visible to every member without it', async () => {
    const { owner, viewer, projectId, created, address } = await newSiteWithWebhook(services, {
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
      expect(await readWebhook(services.table, caller, address)).toEqual(resource);
      expect(await readWebhooks(services.table, caller, projectId)).toEqual({ webhooks: [resource] });
    }
  });

  test('never leaves a secret in the table in plain text', async () => {
    const { owner, address, created } = await newSiteWithWebhook(services);
    const rotated = await rotateSecret(services, owner, address, { overlap_hours: 24 }, now);
    await revealSecret(services, owner, address);
    const stored = JSON.stringify(await scanTable(services.table));
    for (const secret of [created.signing_secret, rotated.signing_secret]) {
      expect(stored).not.toContain(secret.slice('whsec_'.length));
    }
  });

  test.each([
    ['http://hooks.example.com/', 'The webhook URL must begin with https://'],
    ['https://10.0.0.1/', 'The webhook URL must lead to a public address'],
  ])('cannot have the address %s on creation or change', async (bad, detail) => {
    const { owner, projectId, address } = await newSiteWithWebhook(services);
    const refused = { code: 'invalid_request', detail };
    await expect(
      createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook({ url: bad }) }),
    ).rejects.toMatchObject(refused);
    await expect(changeWebhook(services, owner, address, { url: bad })).rejects.toMatchObject(refused);
    expect(await readWebhooks(services.table, owner, projectId)).toMatchObject({ webhooks: [{ url }] });
  });

  test('cannot have a host that does not resolve', async () => {
    const { owner, projectId } = await newSite(services);
    const nowhere = {
      ...services,
      network: { allowsLoopback: false, resolve: () => Promise.reject(new Error('ENOTFOUND')) },
    };
    await expect(
      createWebhook(nowhere, { caller: owner, projectId, newWebhook: newWebhook() }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      detail: 'The host of the webhook URL cannot be found; check its spelling',
    });
  });

  test('is one of at most twenty per project', async () => {
    const { owner, projectId } = await newSite(services);
    for (let count = 1; count <= 20; count += 1)
      await createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook() });
    await expect(
      createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook() }),
    ).rejects.toMatchObject({
      code: 'conflict',
      detail: 'A project cannot have more than 20 webhooks',
    });
  });

  test('is one of at most twenty even with concurrent creations', async () => {
    const { owner, projectId } = await newSite(services);
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
    const { webhooks } = await readWebhooks(services.table, owner, projectId);
    expect(webhooks).toHaveLength(20);
    const [first] = webhooks;
    if (first === undefined) throw new Error('there are twenty');
    await deleteWebhook(services.table, owner, { projectId, webhookId: first.id });
    await createWebhook(services, { caller: owner, projectId, newWebhook: newWebhook() });
    expect((await readWebhooks(services.table, owner, projectId)).webhooks).toHaveLength(20);
  });

  test('receives the whole task only if chosen, which is audited', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook(services);
    expect(created.payload).toBe('minimal');
    const full = await changeWebhook(services, owner, address, {
      payload: 'full',
      events: ['task.needs_review', 'call.started'],
    });
    expect(full).toMatchObject({ payload: 'full', events: ['task.needs_review', 'call.started'] });
    expect(await changeWebhook(services, owner, address, { description: 'As before' })).toMatchObject({
      payload: 'full',
    });
    expect(await auditOf(services, projectId)).toContainEqual(
      expect.objectContaining({
        action: 'webhook.changed',
        before: expect.objectContaining({ payload: 'minimal' }),
        after: expect.objectContaining({ payload: 'full' }),
      }),
    );
  });

  test('changes only in the given members', async () => {
    const { owner, address, created } = await newSiteWithWebhook(services, { description: 'Staging' });
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

  test('does not change and is not audited if nothing differs', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook(services);
    for (const patch of [{}, { url, enabled: true }]) {
      expect(await changeWebhook(services, owner, address, patch)).toMatchObject({
        updated_at: created.updated_at,
      });
    }
    expect(await auditOf(services, projectId)).toHaveLength(1);
  });

  test('is disabled by its owner, and enabled again with a clean record', async () => {
    const { owner, projectId, address } = await newSiteWithWebhook(services);
    expect(await changeWebhook(services, owner, address, { enabled: false }, now)).toMatchObject({
      enabled: false,
      disabled_reason: null,
      disabled_at: now.toISOString(),
    });
    const settings = { disabled_reason: 'failing', failing_since: now.toISOString() } as const;
    await changeEndpoint(
      services.table,
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

  test('does not carry failures over to a new address', async () => {
    const { owner, projectId, address } = await newSiteWithWebhook(services);
    const settings = { failing_since: now.toISOString() };
    await changeEndpoint(
      services.table,
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

  test('keeps all concurrent changes', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook(services);
    const settings = { failing_since: now.toISOString() };
    const [rotated] = await Promise.all([
      rotateSecret(services, owner, address, { overlap_hours: 24 }, now),
      changeWebhook(services, owner, address, { description: 'changed' }, now),
      changeWebhook(services, owner, address, { events: ['task.completed'] }, now),
      changeEndpoint(services.table, { projectId, webhookId: address.webhookId }, () => ({ settings }), now),
    ]);
    expect(await readWebhook(services.table, owner, address, now)).toMatchObject({
      description: 'changed',
      events: ['task.completed'],
      failing_since: now.toISOString(),
    });
    expect(await verifying(services, address, [created.signing_secret, rotated.signing_secret], now)).toEqual(
      [true, true],
    );
  });

  test('is gone for every operation once deleted', async () => {
    const { owner, address, projectId } = await newSiteWithWebhook(services);
    await deleteWebhook(services.table, owner, address);
    const notFound = { code: 'not_found', detail: 'Webhook not found' };
    for (const asking of [
      () => readWebhook(services.table, owner, address),
      () => changeWebhook(services, owner, address, { enabled: false }),
      () => deleteWebhook(services.table, owner, address),
      () => revealSecret(services, owner, address),
      () => rotateSecret(services, owner, address, { overlap_hours: 24 }),
    ]) {
      await expect(asking()).rejects.toMatchObject(notFound);
    }
    expect(await readWebhooks(services.table, owner, projectId)).toEqual({ webhooks: [] });
  });
});

describe('access to webhooks', () => {
  test('a viewer reads, but neither changes anything nor sees the secret', async () => {
    const { viewer, projectId, address } = await newSiteWithWebhook(services);
    const forbidden = {
      code: 'forbidden',
      detail: expect.stringMatching(/^Only an owner( or a manager)? of the project may do this$/),
    };
    for (const asking of [
      () => createWebhook(services, { caller: viewer, projectId, newWebhook: newWebhook() }),
      () => changeWebhook(services, viewer, address, { enabled: false }),
      () => deleteWebhook(services.table, viewer, address),
      () => revealSecret(services, viewer, address),
      () => rotateSecret(services, viewer, address, { overlap_hours: 24 }),
    ]) {
      await expect(asking()).rejects.toMatchObject(forbidden);
    }
    expect(await auditOf(services, projectId)).toHaveLength(1);
  });

  test('a webhook of another project does not exist for any owner', async () => {
    const { address } = await newSiteWithWebhook(services);
    const { owner, projectId } = await newSite(services);
    const elsewhere = { projectId, webhookId: address.webhookId };
    await expect(readWebhook(services.table, owner, elsewhere)).rejects.toMatchObject({
      code: 'not_found',
      detail: 'Webhook not found',
    });
    await expect(readWebhook(services.table, owner, address)).rejects.toMatchObject({
      code: 'not_found',
      detail: 'Project not found',
    });
  });

  test('every change is audited with values before and after, without secrets', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook(services);
    await changeWebhook(services, owner, address, { enabled: false });
    const rotated = await rotateSecret(services, owner, address, { overlap_hours: 2 });
    await revealSecret(services, owner, address);
    await deleteWebhook(services.table, owner, address);
    const entries = await auditOf(services, projectId);
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
