import * as z from 'zod/mini';
import type { RunningServer } from '../../loopback.ts';
import { type AwsJsonResponse, failure, startAwsJson } from './aws-json-server.ts';

export interface LocalSecret {
  readonly name: string;
  readonly arn: string;
  readonly value: string;
}

const requestSchema = z.object({ SecretId: z.string(), VersionStage: z.optional(z.string()) });

/** Serves the one operation of Secrets Manager that functions use: reading the current value of a secret. */
export function startSecrets(secrets: readonly LocalSecret[]): Promise<RunningServer> {
  return startAwsJson(
    new Map([['secretsmanager.GetSecretValue', (content: unknown) => getSecretValue(content, secrets)]]),
  );
}

function getSecretValue(content: unknown, secrets: readonly LocalSecret[]): AwsJsonResponse {
  const parsed = requestSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'SecretId is required');
  const { SecretId: id } = parsed.data;
  const found = secrets.find(({ name, arn }) => name === id || arn === id);
  if (found === undefined) {
    return failure('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  return {
    status: 200,
    body: {
      ARN: found.arn,
      Name: found.name,
      SecretString: found.value,
      VersionId: '00000000-0000-4000-8000-000000000001',
      VersionStages: ['AWSCURRENT'],
    },
  };
}
