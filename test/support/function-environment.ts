import { startSecrets } from '../../infra/local/servers/secrets-server.ts';
import type { RunningServer } from '../../infra/loopback.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from './embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from './embedded-table.ts';
import { limitVariables } from './limit-variables.ts';

const sandboxAccountSid = `AC${'0'.repeat(31)}1`;
export const sandboxAuthToken = '0123456789abcdef0123456789abcdef';

/** Real storage for functions in this process, which find it by environment variables, as on the stack. */
export interface FunctionEnvironment {
  readonly tables: EmbeddedTable;
  readonly queues: EmbeddedQueues;
  stop(): Promise<void>;
}

/** Functions read their environment when they load, so import them after this. */
export async function startFunctionEnvironment(
  variables: Record<string, string> = {},
): Promise<FunctionEnvironment> {
  const [tables, queues, secrets]: [EmbeddedTable, EmbeddedQueues, RunningServer] = await Promise.all([
    startEmbeddedTable(),
    startEmbeddedQueues(),
    startSecrets([
      {
        name: 'sandbox-carrier',
        arn: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:sandbox-carrier',
        value: JSON.stringify({ account_sid: sandboxAccountSid, auth_token: sandboxAuthToken }),
      },
    ]),
  ]);
  queues.createBucket('recordings');
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    AWS_ENDPOINT_URL_S3: queues.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    TABLE_NAME: tables.table.name,
    CALL_QUEUE_URL: queues.createQueue('calls'),
    RECORDING_QUEUE_URL: queues.createQueue('recordings'),
    WARMED_FUNCTIONS: '',
    ERASURE_QUEUE_URL: queues.createQueue('erasures'),
    DELIVERY_QUEUE_URL: queues.createQueue('deliveries'),
    RECORDINGS_BUCKET: 'recordings',
    PUBLIC_BASE_URL: 'https://api.example.test/prod',
    RELAY_URL: 'wss://ws.example.test/relay',
    RELAY_MANAGEMENT_URL: 'https://ws.example.test/relay',
    SANDBOX_CARRIER_SECRET_ID: 'sandbox-carrier',
    SANDBOX_CARRIER_BASE_URL: 'https://api.example.test/prod/sandbox-phone',
    LIVE_CARRIER_SECRET_ID: '',
    ...limitVariables,
    ...variables,
  });
  return {
    tables,
    queues,
    async stop() {
      await Promise.all([tables.stop(), queues.stop(), secrets.stop()]);
    },
  };
}
