import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type LocalStack, startLocalStack } from '../../../infra/local/local-stack.ts';
import { type Assembly, type FixtureTemplate, restApi, writeAssembly } from './fixture.ts';

/** A resource of most kinds, and a worker that never finishes its first message. */
export const homeTemplate: FixtureTemplate = {
  functions: {
    Hello: { code: 'exports.handler = async () => ({ statusCode: 200, body: "hello" })' },
    Worker: {
      // Never finishes its first attempt at a message.
      code: `exports.handler = async ({ Records: [{ body, messageId, attributes }] }) => {
        const isFirst = await require('node:fs/promises')
          .writeFile(process.env.LAMBDA_TASK_ROOT + '/' + messageId, '', { flag: 'wx' })
          .then(() => true, () => false);
        const receives = attributes.ApproximateReceiveCount;
        console.log(JSON.stringify({ body, time: isFirst ? 1 : 2 }), JSON.stringify({ receives }));
        if (body === 'refused') throw new Error('refused');
        if (isFirst) await new Promise(() => {});
      }`,
      properties: { Timeout: 900 },
    },
  },
  resources: {
    ...restApi({ 'GET /hello': 'Hello' }),
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      },
    },
    Streamed: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      },
    },
    Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 5400 } },
    Unread: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 5400 } },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
        FunctionName: { Ref: 'Worker' },
        BatchSize: 1,
      },
    },
    Bucket: {
      Type: 'AWS::S3::Bucket',
      Properties: { VersioningConfiguration: { Status: 'Enabled' } },
    },
    Key: { Type: 'AWS::KMS::Key' },
    Secret: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        GenerateSecretString: {
          SecretStringTemplate: '{"account_sid":"AC1"}',
          GenerateStringKey: 'auth_token',
          PasswordLength: 24,
          ExcludePunctuation: true,
        },
      },
    },
  },
  outputs: {
    Table: { Value: { Ref: 'Table' } },
    Queue: { Value: { Ref: 'Queue' } },
    Unread: { Value: { Ref: 'Unread' } },
    Streamed: { Value: { Ref: 'Streamed' } },
    Bucket: { Value: { Ref: 'Bucket' } },
    Secret: { Value: { Ref: 'Secret' } },
    Key: { Value: { 'Fn::GetAtt': ['Key', 'Arn'] } },
  },
};

/** What using a running stack requires. */
export interface Facts {
  readonly baseUrl: string;
  readonly outputs: Record<string, string>;
  readonly endpoints: LocalStack['endpoints'];
}

const factsSchema = z.object({
  baseUrl: z.string(),
  outputs: z.record(z.string(), z.string()),
  endpoints: z.object({
    dynamodb: z.string(),
    sqs: z.string(),
    s3: z.string(),
    secretsManager: z.string(),
    kms: z.string(),
    mail: z.string(),
    lambda: z.string(),
  }),
});

const script = fileURLToPath(new URL('stack-process.ts', import.meta.url));

/** A place with a template and data, where a stack can be restarted again and again. */
export class StackHome {
  readonly directory: string;
  readonly dataDir: string;
  #assembly: Assembly;
  readonly #running: { stop(): Promise<void> }[] = [];

  private constructor(directory: string, assembly: Assembly) {
    this.directory = directory;
    this.dataDir = join(directory, 'data');
    this.#assembly = assembly;
  }

  static async open(): Promise<StackHome> {
    const directory = await mkdtemp(join(tmpdir(), 'local-stack-'));
    return new StackHome(directory, await writeAssembly(join(directory, 'assembly'), homeTemplate));
  }

  /** Stops every stack started here, and removes the place. */
  async close(): Promise<void> {
    for (const each of this.#running.splice(0)) await each.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Adds these resources to the template of the next start. */
  async changeResources(resources: NonNullable<FixtureTemplate['resources']>): Promise<void> {
    this.#assembly = await writeAssembly(join(this.directory, 'assembly'), {
      ...homeTemplate,
      resources: { ...homeTemplate.resources, ...resources },
    });
  }

  async start(data = this.dataDir, port = 0): Promise<LocalStack> {
    const stack = await startLocalStack({ ...this.#assembly, dataDir: data, port });
    this.#running.push(stack);
    return stack;
  }

  /** Starts a stack in a separate process, which can be killed. */
  async startProcess(...more: string[]): Promise<{ child: ChildProcess; facts: Facts }> {
    const child = spawn(process.execPath, [...this.#processArguments, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    this.#running.push({
      stop: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    });
    const [line] = await once(child.stdout, 'data');
    return { child, facts: factsSchema.parse(JSON.parse(String(line))) };
  }

  /** The exit of a process that tries to start a stack but cannot. */
  async exitCodeOfAnotherProcess(): Promise<number> {
    const child = spawn(process.execPath, this.#processArguments, { stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    return Number(code);
  }

  get #processArguments(): string[] {
    const { templatePath, assemblyDir } = this.#assembly;
    return [script, templatePath, assemblyDir, this.dataDir];
  }

  /** Whether the worker has started this attempt at the message, the first or a later one. */
  async worked(body: string, time: 1 | 2): Promise<boolean> {
    const log = await readFile(join(this.dataDir, 'functions.log'), 'utf8').catch(() => '');
    return log.includes(JSON.stringify({ body, time }));
  }
}

/** How an SDK client reaches a server of the stack. */
export const clientAt = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

/** Whether something listens on the address's port. */
export async function accepts(host: string, url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The text of the template's secret. */
export async function secretOf({ endpoints, outputs }: Facts): Promise<string> {
  const secrets = new SecretsManagerClient(clientAt(endpoints.secretsManager));
  const { SecretString } = await secrets.send(
    new GetSecretValueCommand({ SecretId: String(outputs.Secret) }),
  );
  return String(SecretString);
}
