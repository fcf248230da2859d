import { describe, expect, test } from 'vitest';
import { readWebhook, revealSecret, rotateSecret } from '#shared/admin/webhooks.ts';
import { readSecretRotation } from '#shared/http/admin-requests.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { changeEndpoint } from '#shared/webhooks/change-endpoint.ts';
import { forThisFile } from '../../support/lifetime.ts';
import {
  auditOf,
  hoursFromNow,
  newSiteWithWebhook,
  now,
  startWebhookServices,
  verifying,
} from './webhook-site.ts';

const services = await forThisFile(startWebhookServices());

describe('the signing secret', () => {
  test('is shown to an owner again, which is audited', async () => {
    const { owner, projectId, address, created } = await newSiteWithWebhook(services);
    expect(await revealSecret(services, owner, address)).toEqual({ signing_secret: created.signing_secret });
    expect((await auditOf(services, projectId)).at(-1)).toMatchObject({
      action: 'webhook-secret.viewed',
      target: { type: 'webhook', id: address.webhookId },
      actor: { kind: 'person', email: owner.person.email },
    });
  });

  test('verifies beside its successor for 24 hours after rotation, then only the new one does', async () => {
    const { owner, address, created } = await newSiteWithWebhook(services);
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
    expect(await verifying(services, address, both, now)).toEqual([true, true]);
    expect(await verifying(services, address, both, new Date(hoursFromNow(24).getTime() - 1))).toEqual([
      true,
      true,
    ]);
    expect(await verifying(services, address, both, hoursFromNow(24))).toEqual([false, true]);
    const resource = await readWebhook(services.table, owner, address, hoursFromNow(24));
    expect(resource.signing_secrets).toHaveLength(1);
    expect(await revealSecret(services, owner, address)).toEqual({ signing_secret: rotated.signing_secret });
  });

  test('that cannot be opened is reported to the owner, and a rotation repairs it', async () => {
    const { owner, projectId, address } = await newSiteWithWebhook(services);
    const { address: another } = await newSiteWithWebhook(services);
    const foreign = await getWebhookEndpoint(services.table, another.projectId, another.webhookId);
    if (foreign === null) throw new Error('no endpoint');
    const { signing_secrets } = foreign;
    await changeEndpoint(
      services.table,
      { projectId, webhookId: address.webhookId },
      () => ({ settings: { signing_secrets } }),
      now,
    );
    await expect(revealSecret(services, owner, address)).rejects.toMatchObject({
      code: 'conflict',
      detail: 'The signing secret cannot be decrypted: rotate it',
    });
    const rotated = await rotateSecret(services, owner, address, { overlap_hours: 24 }, now);
    expect(await revealSecret(services, owner, address)).toEqual({ signing_secret: rotated.signing_secret });
    expect(await verifying(services, address, [rotated.signing_secret], now)).toEqual([true]);
  });

  test('stops verifying at once after rotation without overlap', async () => {
    const { owner, address, created } = await newSiteWithWebhook(services);
    const rotated = await rotateSecret(services, owner, address, { overlap_hours: 0 }, now);
    expect(await verifying(services, address, [created.signing_secret, rotated.signing_secret], now)).toEqual(
      [false, true],
    );
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
