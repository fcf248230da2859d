import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import { newEndpoint } from '#shared/webhooks/new-endpoint.ts';
import { signedHeaders } from '#shared/webhooks/signature.ts';
import {
  newSigningSecret,
  openCurrentSecret,
  openSigningSecrets,
  rotatedSecrets,
  sealSigningSecret,
} from '#shared/webhooks/signing-secret.ts';
import { localKmsEnvelope, machineNetwork } from '../../support/project-services.ts';

const secrets = localKmsEnvelope();
// The public library uses the real clock and refuses messages that are not recent.
const now = new Date();
const hoursFromNow = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
const projectId = '01890000-0000-7000-8000-000000000001';

const settings = { url: 'https://hooks.example.com/', description: '', events: ['call.completed' as const] };

function createEndpoint() {
  return newEndpoint({ secrets, network: machineNetwork }, projectId, settings, now);
}

async function rotate(endpoint: WebhookEndpoint, overlapHours: number, at: Date) {
  const secret = newSigningSecret();
  const sealed = await sealSigningSecret(secrets, endpoint, secret, at);
  const signing_secrets = rotatedSecrets(endpoint.signing_secrets, sealed, overlapHours, at);
  return { secret, endpoint: { ...endpoint, signing_secrets } };
}

const body = '{"event":"call.completed"}';

/** Whether a receiver with the secret accepts what is sent to the endpoint at a time. */
async function verifies(secret: string, endpoint: WebhookEndpoint, at: Date): Promise<boolean> {
  const signing = await openSigningSecrets(secrets, endpoint, at);
  const headers = signedHeaders(signing, { id: 'msg_1', sentAt: now, body });
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('a signature', () => {
  test('verifies with the public library, and not after a change of one byte of the body, ID or time', async () => {
    const { signingSecret } = await createEndpoint();
    const headers = signedHeaders([signingSecret], { id: 'msg_1', sentAt: now, body });
    const receiver = new Webhook(signingSecret);
    expect(receiver.verify(body, headers)).toEqual(JSON.parse(body));
    for (let position = 0; position < body.length; position += 1) {
      const changed = Buffer.from(body);
      changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
      expect(() => receiver.verify(changed.toString(), headers)).toThrow();
    }
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    expect(() => receiver.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow();
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow();
  });

  test('exists for each secret, newest first', () => {
    const [newest, oldest] = [newSigningSecret(), newSigningSecret()];
    const message = { id: 'msg_1', sentAt: now, body };
    expect(signedHeaders([newest, oldest], message)['webhook-signature']).toBe(
      [newest, oldest].map((secret) => new Webhook(secret).sign('msg_1', now, body)).join(' '),
    );
  });
});

describe('a signing secret', () => {
  test('is stored sealed, and opens only for its own endpoint', async () => {
    const { endpoint, signingSecret } = await createEndpoint();
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(endpoint)).not.toContain(signingSecret.slice(6));
    expect(await openCurrentSecret(secrets, endpoint)).toBe(signingSecret);
    const { endpoint: other } = await createEndpoint();
    const copied = { ...other, signing_secrets: endpoint.signing_secrets };
    await expect(openCurrentSecret(secrets, copied)).rejects.toThrow();
  });

  test('signs beside its successor for 24 hours after rotation, then only the new one does', async () => {
    const { endpoint, signingSecret: before } = await createEndpoint();
    const { secret: after, endpoint: rotated } = await rotate(endpoint, 24, now);
    for (const at of [now, hoursFromNow(12), new Date(hoursFromNow(24).getTime() - 1)]) {
      expect([await verifies(before, rotated, at), await verifies(after, rotated, at)]).toEqual([true, true]);
    }
    for (const at of [hoursFromNow(24), hoursFromNow(1000)]) {
      expect([await verifies(before, rotated, at), await verifies(after, rotated, at)]).toEqual([
        false,
        true,
      ]);
    }
  });

  test('no longer signs after rotation without overlap, and neither do earlier ones', async () => {
    const { endpoint, signingSecret: first } = await createEndpoint();
    const { secret: second, endpoint: once } = await rotate(endpoint, 24, now);
    const { secret: third, endpoint: twice } = await rotate(once, 0, hoursFromNow(1));
    const verified = [first, second, third].map((secret) => verifies(secret, twice, hoursFromNow(1)));
    expect(await Promise.all(verified)).toEqual([false, false, true]);
  });

  test('keeps earlier unexpired ones on another rotation, each for its own time', async () => {
    const { endpoint, signingSecret: first } = await createEndpoint();
    const { secret: second, endpoint: once } = await rotate(endpoint, 24, now);
    const { secret: third, endpoint: twice } = await rotate(once, 2, hoursFromNow(23));
    const verifiedAt = (hours: number): Promise<boolean[]> =>
      Promise.all([first, second, third].map((secret) => verifies(secret, twice, hoursFromNow(hours))));
    expect(await verifiedAt(23)).toEqual([true, true, true]);
    expect(await verifiedAt(24)).toEqual([false, true, true]);
    expect(await verifiedAt(25)).toEqual([false, false, true]);
  });

  test('is one of at most five after many rotations, the newest', async () => {
    let { endpoint, signingSecret: secret } = await createEndpoint();
    const all = [secret];
    for (let rotation = 1; rotation <= 7; rotation += 1) {
      ({ endpoint, secret } = await rotate(endpoint, 24, now));
      all.unshift(secret);
    }
    expect(await openSigningSecrets(secrets, endpoint, now)).toEqual(all.slice(0, 5));
  });
});
