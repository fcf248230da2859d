import type { SimulatedCarrier } from '../carrier/simulated-carrier.ts';
import type { WebhookReceiver } from '../harness/webhook-receiver.ts';
import { addresses } from './deployed-stack.ts';
import type { Service } from './network.ts';
import type { RelayGateway } from './relay-gateway.ts';

/** What responds at the address. Throws if nothing does. */
export function serviceFor(
  url: URL,
  services: Readonly<Record<'dynamo' | 'queues' | 'objects' | 'secrets' | 'kms' | 'functions', Service>>,
  [sandbox, live]: readonly SimulatedCarrier[],
  relay: RelayGateway,
  receiver: WebhookReceiver,
): Service {
  const { host, pathname } = url;
  if (host === new URL(addresses.dynamodb).host) return services.dynamo;
  if (host === new URL(addresses.sqs).host) return services.queues;
  if (host === new URL(addresses.s3).host) return services.objects;
  if (host === new URL(addresses.secretsManager).host) return services.secrets;
  if (host === new URL(addresses.kms).host) return services.kms;
  if (host === new URL(addresses.lambda).host) return services.functions;
  if (host === new URL(addresses.relay).host) return relay.service;
  if (
    host === new URL(addresses.api).host &&
    pathname.startsWith('/sandbox-phone/') &&
    sandbox !== undefined
  ) {
    return sandbox.service;
  }
  if (host === 'api.twilio.com' && live !== undefined) return live.service;
  if (host === 'receiver.simulation.example.test') return receiver.service;
  throw new Error(`nobody answers at ${host}`);
}
