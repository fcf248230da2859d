import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientLimits } from '#shared/aws/client-limits.ts';
import type { ProposingModel } from '../core/conversation-core.ts';
import { languageModel, type ReportTurn } from './language-model.ts';
import { openAiTransport, type ServiceKey } from './openai-transport.ts';

/** The time limit for reading the secret: a person is on the line. */
const timeoutMs = 2_000;

/**
 * A language model behind an endpoint for OpenAI's chat completions.
 *
 * @param secretArn the secret whose whole text is the key; empty without one
 */
export function openOpenAiModel(
  { baseUrl, model, secretArn }: { baseUrl: string; model: string; secretArn: string },
  report: ReportTurn,
): ProposingModel {
  const key = secretArn === '' ? null : keyInSecret(secretArn);
  return languageModel('openai', openAiTransport({ baseUrl, model, key }), report);
}

/** Read on first use and cached until forgotten; a failed read is retried. */
function keyInSecret(secretArn: string): ServiceKey {
  const client = new SecretsManagerClient(clientLimits(timeoutMs));
  let reading: Promise<string> | null = null;
  const read = async (): Promise<string> => {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    if (!SecretString) throw new Error('the secret holds no key');
    return SecretString.trim();
  };
  const forget = (): void => {
    reading = null;
  };
  return {
    forget,
    read() {
      reading ??= read();
      reading.catch(forget);
      return reading;
    },
  };
}
