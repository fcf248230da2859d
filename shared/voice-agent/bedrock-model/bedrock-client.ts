import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const connectWithinMs = 2_000;
/** Longest silence of a connection; the turn itself is given up long before. */
const silentSocketMs = 20_000;

/**
 * The client for Amazon Bedrock. It speaks HTTP/1.1 with a pool of connections that live on between invocations; the
 * SDK's default for this service is an HTTP/2 session, which a frozen function finds dead when it wakes up. It never
 * repeats a request, because whoever waits on the line is served sooner by the scripted model.
 */
export function openBedrockClient(region: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    region,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: connectWithinMs,
      socketTimeout: silentSocketMs,
    }),
  });
}
