import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientLimits } from '#shared/aws/client-limits.ts';
import type { ProposingModel } from '../core/conversation-core.ts';
import { languageModel, type ReportTurn } from './language-model.ts';
import { openAiTransport, type ServiceKey } from './openai-transport.ts';

/** A reading of the secret has this long: somebody is on the line. */
const timeoutMs = 2_000;

/**
 * A language model behind an endpoint that speaks OpenAI's chat completions.
 *
 * @param secretArn the secret whose whole text is the key; empty when none is wanted
 */
export function openOpenAiModel(
  { baseUrl, model, secretArn }: { baseUrl: string; model: string; secretArn: string },
  report: ReportTurn,
): ProposingModel {
  const key = secretArn === '' ? null : keyInSecret(secretArn);
  return languageModel('openai', openAiTransport({ baseUrl, model, key }), report);
}

/** Read when it is first needed and kept until it is forgotten; a reading that failed is tried again. */
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
