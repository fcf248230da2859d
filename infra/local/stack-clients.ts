import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { dataKeyOpener, openProjectKeyMaker } from '../../shared/encryption/kms-data-key.ts';
import { openKmsEnvelope } from '../../shared/encryption/kms-envelope.ts';
import type { ProjectServices } from '../../shared/projects/create-project.ts';
import type { PersonaBucket } from '../../shared/sandbox-phone/personas/persona-bucket.ts';
import { openSandboxStore, type SandboxStore } from '../../shared/sandbox-phone/store/sandbox-store.ts';
import { openTable, type Table } from '../../shared/table/client.ts';
import { openWebhookNetwork } from '../../shared/webhooks/address.ts';
import type { LocalStack } from './local-stack.ts';

/*
 * The stack's own storage, for the process that started it: to create a project, add personas, inspect the data.
 */

export function stackTable(stack: LocalStack): Table {
  return openTable(outputOf(stack, 'TableName'), dynamoDb(stack), dataKeyOpener(kms(stack)));
}

/** What it takes to make a project on the stack, whose webhooks may go to this machine. */
export function projectServices(stack: LocalStack): ProjectServices {
  return {
    table: stackTable(stack),
    secrets: openKmsEnvelope(outputOf(stack, 'SecretsKeyId'), kms(stack)),
    keys: openProjectKeyMaker(outputOf(stack, 'TableName'), kms(stack)),
    network: openWebhookNetwork('allowed'),
  };
}

export function sandboxStore(stack: LocalStack): SandboxStore {
  return openSandboxStore(outputOf(stack, 'SandboxTableName'), dynamoDb(stack));
}

export function sandboxBucket(stack: LocalStack): PersonaBucket {
  const client = new S3Client({ ...access(stack), endpoint: stack.endpoints.s3, forcePathStyle: true });
  return { client, name: outputOf(stack, 'SandboxBucketName') };
}

function dynamoDb(stack: LocalStack): DynamoDBClient {
  return new DynamoDBClient({ ...access(stack), endpoint: stack.endpoints.dynamodb });
}

function kms(stack: LocalStack): KMSClient {
  return new KMSClient({ ...access(stack), endpoint: stack.endpoints.kms });
}

function access({ awsEnvironment }: LocalStack) {
  return {
    region: awsEnvironment.AWS_REGION ?? 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
}

function outputOf(stack: LocalStack, name: string): string {
  const value = stack.outputs[name];
  if (value === undefined) throw new Error(`the template has no output ${name}`);
  return value;
}
