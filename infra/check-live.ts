import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { inboundCallUrl } from '../shared/carrier/callbacks.ts';
import { liveCarrierBaseUrl } from '../shared/carrier/carrier-client.ts';
import {
  type CarrierCredentials,
  CarrierSecretError,
  type CarrierSecretFault,
  readCarrierSecret,
} from '../shared/carrier/credentials.ts';
import { type BedrockModel, checkAws, unanswered } from './check-live/aws-checks.ts';
import { type CarrierNeeds, checkCarrier, secretCheck } from './check-live/carrier-checks.ts';
import {
  bedrockModels,
  concurrencyNeeded,
  type DeployedStack,
  describeStack,
} from './check-live/deployed-stack.ts';
import { cannotTell, type Finding, missing, report } from './check-live/finding.ts';
import { liveNeeds } from './check-live/live-needs.ts';
import { given, runCommand, UsageError, type Values, wholeNumber } from './command.ts';

const help = `Checks with the carrier and AWS that real calls can be made, and says what to fix. Changes nothing.

  npm run check-live -- --stack NAME [options]
  npm run check-live -- --table NAME --base-url URL --carrier-secret NAME [options]

  --stack NAME            the CloudFormation stack, such as VoiceAgentTasks-prod; implies the next seven
  --table NAME            the service's table (output TableName of the stack)
  --base-url URL          where the service is (output BaseUrl)
  --carrier-secret NAME   the secret with the live carrier's credentials (parameter LiveCarrierSecretId)
  --alarm-topic ARN       the topic that alarms report to (output AlarmTopicArn)
  --mail-from ADDRESS     the sender of the service's email, if it sends any (parameter MailFrom)
  --bedrock-model ID      the language model on Amazon Bedrock, if calls use one: ID or ARN
  --bedrock-region R      its region (default: that of the environment)
  --carrier-url URL       the carrier's address, for rehearsals with a sandbox phone (default: ${liveCarrierBaseUrl})
  --timeout-seconds N     timeout of each request, 1 to 60 (default: 10)
  --json                  prints the findings as JSON: check, state (ok, missing, cannot-tell), seen, todo
  --help                  this text

Region, credentials and endpoints come from the environment, as for the AWS command line. Asks a
language model for one token, at almost no cost. Exits with 0 when nothing is known to be missing, 1 when something is
or the stack cannot be read, and 2 on a usage error.`;

/** A finding only when the stack cannot be read, so that hardly anything was checked. */
const stackCheck = 'stack';

interface Arguments {
  readonly stackName: string | null;
  readonly tableName: string | null;
  readonly baseUrl: string | null;
  readonly carrierSecretId: string | null;
  readonly alarmTopicArn: string | null;
  readonly mailFrom: string | null;
  readonly bedrock: BedrockModel | null;
  readonly carrierUrl: string;
  readonly timeoutMs: number;
  readonly asJson: boolean;
}

const options = {
  stack: { type: 'string' },
  table: { type: 'string' },
  'base-url': { type: 'string' },
  'carrier-secret': { type: 'string' },
  'alarm-topic': { type: 'string' },
  'mail-from': { type: 'string' },
  'bedrock-model': { type: 'string' },
  'bedrock-region': { type: 'string' },
  'carrier-url': { type: 'string', default: liveCarrierBaseUrl },
  'timeout-seconds': { type: 'string', default: '10' },
  json: { type: 'boolean', default: false },
} as const;

function readArguments(values: Values<typeof options>): Arguments {
  const stackName = values.stack ?? null;
  const carrierUrl = values['carrier-url'].replace(/\/$/, '');
  if (!URL.canParse(carrierUrl)) throw new UsageError('--carrier-url must be an address');
  return {
    stackName,
    tableName: stackName === null ? given('--table, or --stack,', values.table) : (values.table ?? null),
    baseUrl: values['base-url']?.replace(/\/$/, '') ?? null,
    carrierSecretId:
      stackName === null
        ? given('--carrier-secret', values['carrier-secret'])
        : (values['carrier-secret'] ?? null),
    alarmTopicArn: values['alarm-topic'] ?? null,
    mailFrom: values['mail-from'] ?? null,
    bedrock: bedrockModelOf(values['bedrock-model'], values['bedrock-region']),
    carrierUrl,
    timeoutMs: wholeNumber('timeout-seconds', values['timeout-seconds'], 1, 60) * 1000,
    asJson: values.json,
  };
}

function bedrockModelOf(model: string | undefined, region: string | undefined): BedrockModel | null {
  if (model === undefined) return null;
  return {
    model,
    region: given('--bedrock-region', region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION),
  };
}

/** All findings, in the order of the checklist in docs/deploy.md. */
async function findingsOf(args: Arguments): Promise<Finding[]> {
  const { stackName, timeoutMs } = args;
  const described = stackName === null ? null : await describeStack(stackName, timeoutMs);
  const stack = described !== null && 'stack' in described ? described.stack : null;
  const unknownStack =
    described !== null && 'reply' in described
      ? [unanswered(stackCheck, 'cloudformation', 'cloudformation:DescribeStacks', described.reply)]
      : [];
  const tableName = args.tableName ?? stack?.outputs.get('TableName') ?? null;
  const projects = tableName === null ? null : await liveNeeds(tableName, timeoutMs);
  const [aws, carrier] = await Promise.all([
    checkAws(
      {
        alarmTopicArn: args.alarmTopicArn ?? stack?.outputs.get('AlarmTopicArn') ?? null,
        bedrock: modelsOf(args, stack),
        mailFrom: args.mailFrom ?? stack?.parameters.get('MailFrom') ?? '',
        concurrency: concurrencyNeeded(stack),
      },
      timeoutMs,
    ),
    carrierFindings(args, stack, projects?.needs ?? { callerNumbers: [], countries: [] }),
  ]);
  return [...unknownStack, ...aws, ...carrier, ...(projects === null ? [] : [projects.finding])];
}

function modelsOf({ bedrock }: Arguments, stack: DeployedStack | null): readonly BedrockModel[] {
  if (bedrock !== null) return [bedrock];
  return stack === null ? [] : bedrockModels(stack);
}

async function carrierFindings(
  { carrierSecretId, baseUrl, carrierUrl, timeoutMs }: Arguments,
  stack: DeployedStack | null,
  needs: CarrierNeeds,
): Promise<Finding[]> {
  const secretId = carrierSecretId ?? stack?.parameters.get('LiveCarrierSecretId') ?? null;
  if (secretId === null) {
    return [cannotTell(secretCheck, 'The secret is not named.', 'Name it by --carrier-secret.')];
  }
  if (secretId === '') {
    const todo = 'Store one (docs/deploy.md, Live calls) and deploy with --parameters LiveCarrierSecretId=….';
    return [missing(secretCheck, 'The stack has none.', todo)];
  }
  const client = new SecretsManagerClient({
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
  });
  let credentials: CarrierCredentials;
  try {
    credentials = await readCarrierSecret(client, secretId);
  } catch (error) {
    if (!(error instanceof CarrierSecretError)) throw error;
    return [secretFinding(error.fault, secretId)];
  } finally {
    client.destroy();
  }
  const publicBaseUrl = baseUrl ?? stack?.outputs.get('BaseUrl') ?? null;
  const voiceUrl = publicBaseUrl === null ? null : inboundCallUrl(publicBaseUrl);
  return checkCarrier({ credentials, baseUrl: carrierUrl, voiceUrl, timeoutMs }, needs);
}

function secretFinding(fault: CarrierSecretFault, secretId: string): Finding {
  switch (fault) {
    case 'missing':
      return missing(
        secretCheck,
        'No secret has this name.',
        `Store it: aws secretsmanager create-secret --name ${secretId} --secret-string … (docs/deploy.md, Live calls).`,
      );
    case 'malformed':
      return missing(
        secretCheck,
        'Its content is incomplete or malformed.',
        'Store account_sid, api_key_sid, api_key_secret and auth_tokens as JSON: ' +
          `aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string … .`,
      );
    case 'denied':
      return cannotTell(
        secretCheck,
        'Secrets Manager denies access to it.',
        'Use credentials that allow secretsmanager:GetSecretValue on it and use of its key.',
      );
    case 'unavailable':
      return cannotTell(
        secretCheck,
        'Secrets Manager did not answer.',
        'Run this again in a minute, with the region and the credentials of the stack in the environment.',
      );
  }
}

await runCommand('check-live', 'The check was not made', { help, options }, async (values) => {
  const args = readArguments(values);
  const findings = await findingsOf(args);
  if (findings.some(({ check, state }) => state === 'missing' || check === stackCheck)) process.exitCode = 1;
  return args.asJson ? JSON.stringify({ findings }, null, 2) : report(findings);
});
