import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { openSandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { openTable } from '#shared/table/client.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import { UsageError } from '../../infra/command.ts';
import type { Options } from './options.ts';
import type { RunningStack } from './stage.ts';

/** Calls on a deployed stack take their natural time, and the sweeper runs once a minute. */
const longestMs = 20 * 60_000;

const StackOutputs = z.object({
  TableName: z.string(),
  SecretsKeyId: z.string(),
  SandboxTableName: z.string(),
  SandboxBucketName: z.string(),
});
type StackOutputs = z.infer<typeof StackOutputs>;

/**
 * A running stack, reached with the AWS credentials of the environment.
 * @throws UsageError if the file with its outputs is unusable
 */
export async function openDeployedStack({
  baseUrl,
  outputsFile,
}: NonNullable<Options['stack']>): Promise<RunningStack> {
  const outputs = await readOutputs(outputsFile);
  const dynamoDb = new DynamoDBClient();
  return {
    baseUrl,
    services: {
      table: openTable(outputs.TableName, dynamoDb),
      secrets: openKmsEnvelope(outputs.SecretsKeyId, new KMSClient()),
      keys: openProjectKeyMaker(outputs.TableName),
      network: openWebhookNetwork('denied'),
    },
    sandbox: openSandboxStore(outputs.SandboxTableName, dynamoDb),
    people: { client: new S3Client({ forcePathStyle: true }), name: outputs.SandboxBucketName },
    sweep: async () => {},
    longestMs,
    close: async () => dynamoDb.destroy(),
  };
}

/** The outputs in a file of `cdk deploy --outputs-file`, or in a local stack's stack.env with its endpoints. */
async function readOutputs(file: string): Promise<StackOutputs> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read: give the file that cdk deploy --outputs-file wrote`);
  });
  const candidates = text.trimStart().startsWith('{') ? stacksOf(text, file) : [environmentOf(text)];
  for (const candidate of candidates) {
    const outputs = StackOutputs.safeParse(candidate);
    if (outputs.success) return outputs.data;
  }
  throw new UsageError(`${file} has no stack with the outputs ${Object.keys(StackOutputs.shape).join(', ')}`);
}

function stacksOf(text: string, file: string): unknown[] {
  try {
    return Object.values(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
  } catch {
    throw new UsageError(`${file} is not JSON with an object for each stack`);
  }
}

/** AWS SDK variables in it apply as if a shell had read the file. */
function environmentOf(text: string): unknown {
  const variables = parseEnv(text);
  for (const [name, value] of Object.entries(variables)) {
    if (name.startsWith('AWS_') && value !== undefined) process.env[name] ??= value;
  }
  return variables;
}
