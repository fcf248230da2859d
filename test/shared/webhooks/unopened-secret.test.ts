import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openKmsEnvelope, rememberOpened } from '#shared/encryption/kms-envelope.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { listRecordedAttempts } from '#shared/table/webhook-delivery.ts';
import { type DeliveryServices, deliver } from '#shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';
import { newSigningSecret, rotatedSecrets, sealSigningSecret } from '#shared/webhooks/signing-secret.ts';
import { capturedLog } from '../../support/captured-log.ts';
import {
  type DeliveryFixture,
  only,
  type Subscriber,
  startDeliverySite,
} from '../../support/delivery-fixture.ts';
import { kmsClient, secretsKey, startEmbeddedSecrets } from '../../support/embedded-secrets.ts';
import { respondJson, startTestServer, type TestServer } from '../../support/http-server.ts';
import { forThisFile } from '../../support/lifetime.ts';

const [site, secrets] = await Promise.all([
  forThisFile(startDeliverySite()),
  forThisFile(startEmbeddedSecrets()),
]);
let fixture: DeliveryFixture;
let receiver: TestServer;
let services: DeliveryServices;
beforeEach(async () => {
  fixture = await site.newFixture();
  receiver = await startTestServer((_, response) => void response.writeHead(204).end());
  services = { ...fixture.services, secrets: rememberOpened(secrets.envelope) };
});
afterEach(() => receiver.stop());

/** The text that owners see as the cause. */
const cause = 'signing secret cannot be decrypted';

async function newMessage(subscriber: Subscriber): Promise<DeliveryMessage> {
  return only(await fixture.fanOut(fixture.callCompleted(subscriber)));
}

/** An endpoint with another endpoint's secret, which does not open there. */
async function newSubscriberWithForeignSecret(): Promise<Subscriber> {
  const [subscriber, other] = [
    await fixture.newSubscriber(receiver.origin),
    await fixture.newSubscriber(receiver.origin),
  ];
  await fixture.changeSettings(subscriber, { signing_secrets: other.endpoint.signing_secrets });
  return subscriber;
}

/** A KMS that responds to everything in this way. */
async function withKms(
  respond: (response: ServerResponse) => void,
  work: (failing: DeliveryServices) => Promise<void>,
): Promise<void> {
  const kms = await startTestServer((_, response) => respond(response));
  const client = kmsClient(kms.origin);
  try {
    await work({ ...services, secrets: openKmsEnvelope(secretsKey.arn, client) });
  } finally {
    client.destroy();
    await kms.stop();
  }
}

describe('an unreadable signing secret', () => {
  test('fails the attempt with its cause, which is retried by the schedule and raises an alarm', async () => {
    const subscriber = await newSubscriberWithForeignSecret();
    const message = await newMessage(subscriber);
    const written = await capturedLog(() => deliver(services, message));
    const delivery = await fixture.readDelivery(message);
    expect(delivery).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      last_attempt: { status_code: null, error: cause },
    });
    expect(Date.parse(String(delivery.due_at)) - fixture.services.now().getTime()).toBe(5_000);
    expect(
      await listRecordedAttempts(fixture.services.table, delivery, fixture.services.now()),
    ).toMatchObject([{ number: 1, status_code: null, error: cause, response: null }]);
    expect(receiver.requests).toEqual([]);

    expect(written).toContain(`"event":"${alarmingEvents.webhookSecretNotOpened}"`);
    expect(written).toContain(subscriber.endpoint.id);
    for (const { sealed } of (await fixture.readEndpoint(subscriber)).signing_secrets) {
      expect(written).not.toContain(sealed.slice(0, 40));
    }
  });

  test('disables its endpoint after five days, time enough for a repair', async () => {
    const subscriber = await newSubscriberWithForeignSecret();
    await deliver(services, await newMessage(subscriber));
    expect((await fixture.readEndpoint(subscriber)).failing_since).not.toBeNull();
    fixture.pass(5 * 24 * 60 * 60);
    await deliver(services, await newMessage(subscriber));
    expect(await fixture.readEndpoint(subscriber)).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
    });
  });

  test.each([
    'InvalidCiphertextException',
    'IncorrectKeyException',
    'InvalidKeyUsageException',
    'NotFoundException',
    'DisabledException',
    'KMSInvalidStateException',
    'AccessDeniedException',
  ])('is one for which KMS says %s', async (__type) => {
    const message = await newMessage(await fixture.newSubscriber(receiver.origin));
    await withKms(
      (response) => respondJson(response, 400, { __type }),
      (failing) => deliver(failing, message),
    );
    expect(await fixture.readDelivery(message)).toMatchObject({
      attempt_count: 1,
      last_attempt: { error: cause },
    });
  });

  test('does not keep the current one from signing after rotation', async () => {
    const subscriber = await newSubscriberWithForeignSecret();
    const { endpoint } = subscriber;
    const now = fixture.services.now();
    const current = newSigningSecret();
    const sealed = await sealSigningSecret(services.secrets, endpoint, current, now);
    const { signing_secrets } = await fixture.readEndpoint(subscriber);
    await fixture.changeSettings(subscriber, {
      signing_secrets: rotatedSecrets(signing_secrets, sealed, 24, now),
    });

    const message = await newMessage(subscriber);
    const written = await capturedLog(() => deliver(services, message));
    expect(await fixture.readDelivery(message)).toMatchObject({ status: 'delivered' });
    const [got] = receiver.requests;
    const headers = Object.fromEntries(
      Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(current).verify(got?.body ?? '', headers)).toMatchObject({ event: 'call.completed' });
    expect(written).toContain(`"event":"${alarmingEvents.webhookSecretNotOpened}"`);
  });
});

describe('a failing KMS', () => {
  const failure =
    (status: number, __type: string) =>
    (response: ServerResponse): void =>
      respondJson(response, status, { __type });

  test.each<[string, (response: ServerResponse) => void]>([
    ['throttles', failure(400, 'ThrottlingException')],
    ['fails', failure(500, 'KMSInternalException')],
    ['waits for another service', failure(503, 'DependencyTimeoutException')],
    ['cannot reach the key', failure(500, 'KeyUnavailableException')],
    ['takes our credentials for old', failure(400, 'ExpiredTokenException')],
    ['closes the connection', (response) => void response.destroy()],
  ])(
    'because it %s does not count against the endpoint, and the webhook goes out later',
    async (_, respond) => {
      const subscriber = await fixture.newSubscriber(receiver.origin);
      const message = await newMessage(subscriber);
      const written = await capturedLog(() =>
        withKms(respond, async (failing) => {
          await expect(deliver(failing, message)).rejects.toThrow();
        }),
      );
      expect(written).not.toContain(alarmingEvents.webhookSecretNotOpened);
      expect(await fixture.readDelivery(message)).toMatchObject({
        status: 'pending',
        attempt_count: 0,
        schedule_step: 0,
        last_attempt: null,
      });
      expect((await fixture.readEndpoint(subscriber)).failing_since).toBeNull();
      expect(receiver.requests).toEqual([]);

      expect(await fixture.attemptNext(message)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    },
  );
});
