import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { LocalStackError } from '../local-stack-error.ts';
import type { Deployment } from '../template/deployment.ts';
import { localRegion } from '../template/physical-names.ts';
import { functionArn, functionName } from '../template/resource-types.ts';
import { handlerFileOf } from './handler-file.ts';

const functionSchema = z.object({
  Runtime: z.string().check(z.regex(/^nodejs/, 'only Node runtimes run locally')),
  Handler: z.string().check(z.regex(/^[^.].*\.[^.]+$/, 'must be file.export')),
  Code: z.object({ S3Key: z.string('must be an asset') }),
  Timeout: z._default(z.number(), 3),
  MemorySize: z._default(z.number(), 128),
  Environment: z.optional(z.object({ Variables: z.optional(z.record(z.string(), z.coerce.string())) })),
  ReservedConcurrentExecutions: z.optional(z.number()),
  Layers: z.optional(z.array(z.unknown()).check(z.maxLength(0, 'layers are not supported locally'))),
});

/** A function as a worker runs it. */
export interface FunctionDefinition {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly codeDir: string;
  readonly handler: string;
  /** Everything that the function finds in `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** How many requests may run at the same time; more of them wait. */
  readonly concurrency: number;
  /** How many of them one worker takes at a time: one, as on Lambda, where the template says nothing else. */
  readonly requestsPerWorker: number;
  /** Nobody waits for its answer: queues, streams and schedules call it. */
  readonly isBackground: boolean;
  /** Methods of the REST API call it. */
  readonly servesClients: boolean;
  /** Other functions may run in the same thread. */
  readonly sharesThread: boolean;
}

/** Of a whole virtual processor (docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html). */
const processorMb = 1_769;
/** Lambda's own limit is a thousand; that many threads would only slow each other down here. */
const defaultWorkers = 16;
const metadataSchema = z.object({
  RequestsPerWorker: z._default(z.int().check(z.gte(1)), 1),
  OneRequestPerWorkerIf: z.optional(z.record(z.string(), z.string())),
});

/** One, as on Lambda, where the template says nothing else for a function with such variables. */
function requestsPerWorkerOf(metadata: unknown, variables: Readonly<Record<string, string>>): number {
  const { RequestsPerWorker: most, OneRequestPerWorkerIf: exception } = metadataSchema.parse(metadata);
  const isException =
    exception !== undefined && Object.entries(exception).every(([name, value]) => variables[name] === value);
  return isException ? 1 : most;
}

/** The template's functions with their code and their resolved environment. */
export function defineFunctions(
  deployment: Deployment,
  assets: ReadonlyMap<string, string>,
  awsEnvironment: Readonly<Record<string, string>>,
): FunctionDefinition[] {
  const background = backgroundFunctions(deployment);
  const serving = functionsOfMethods(deployment);
  return deployment.ofType('AWS::Lambda::Function').map((resource) => {
    const properties = deployment.properties(resource, functionSchema);
    const name = functionName(resource);
    const requestsPerWorker = requestsPerWorkerOf(
      deployment.metadata(resource),
      properties.Environment?.Variables ?? {},
    );
    const codeDir = codeDirOf(resource.logicalId, properties.Code.S3Key, assets);
    const isBackground = background.has(name) || background.has(functionArn(name));
    const servesClients = serving.has(functionArn(name));
    return {
      logicalId: resource.logicalId,
      name,
      arn: functionArn(name),
      codeDir,
      handler: properties.Handler,
      environment: {
        ...properties.Environment?.Variables,
        ...awsEnvironment,
        AWS_LAMBDA_FUNCTION_NAME: name,
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
        AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
        AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
        LAMBDA_TASK_ROOT: codeDir,
        _HANDLER: properties.Handler,
        TZ: ':UTC',
        LANG: 'en_US.UTF-8',
      },
      timeoutMs: properties.Timeout * 1000,
      memoryMb: properties.MemorySize,
      concurrency: properties.ReservedConcurrentExecutions ?? defaultWorkers * requestsPerWorker,
      requestsPerWorker,
      isBackground,
      servesClients,
      // An ES module finds the globals of its thread.
      sharesThread:
        (isBackground || servesClients) &&
        properties.MemorySize < processorMb &&
        !handlerFileOf(codeDir, properties.Handler).isModule,
    };
  });
}

const mappingSchema = z.object({ FunctionName: z.string() });
const ruleSchema = z.object({ Targets: z._default(z.array(z.object({ Arn: z.string() })), []) });

/** Names and ARNs of the functions that queues, streams and schedules call. */
function backgroundFunctions(deployment: Deployment): ReadonlySet<string> {
  const mappings = deployment.ofType('AWS::Lambda::EventSourceMapping');
  const rules = deployment.ofType('AWS::Events::Rule');
  return new Set([
    ...mappings.map((mapping) => deployment.properties(mapping, mappingSchema).FunctionName),
    ...rules.flatMap((rule) => deployment.properties(rule, ruleSchema).Targets.map(({ Arn }) => Arn)),
  ]);
}

const methodSchema = z.object({ Integration: z.object({ Uri: z._default(z.string(), '') }) });

/** ARNs of the functions that methods of the REST API call. */
function functionsOfMethods(deployment: Deployment): ReadonlySet<string> {
  const methods = deployment.ofType('AWS::ApiGateway::Method');
  return new Set(
    methods.map((method) => calledBy(deployment.properties(method, methodSchema).Integration.Uri) ?? ''),
  );
}

/** The ARN of the function that an integration's URI (`…/functions/{arn}/invocations`) names. */
export function calledBy(uri: string): string | undefined {
  return /\/functions\/([^/]+)\/invocations$/.exec(uri)?.[1];
}

function codeDirOf(logicalId: string, key: string, assets: ReadonlyMap<string, string>): string {
  const directory = assets.get(key);
  if (directory === undefined) {
    throw new LocalStackError(
      `The code of ${logicalId} (${key}) is not in the cloud assembly; bundle and synthesize again`,
    );
  }
  if (!existsSync(directory)) {
    throw new LocalStackError(`The code of ${logicalId} is not at ${directory}; bundle and synthesize again`);
  }
  return directory;
}

/** The addresses of the embedded servers. */
export interface AwsEndpoints {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly s3: string;
  readonly secretsManager: string;
  readonly kms: string;
  readonly lambda: string;
  /** Of Amazon SES v2. */
  readonly mail: string;
}

/** Of every access key. */
export const localSecretAccessKey = 'local';

/**
 * What Lambda, or the machine of an SDK client next to the stack, has in its environment for the SDK: a region,
 * credentials and, here, where the servers are. The user's own AWS configuration is kept away.
 */
export function awsEnvironmentOf(endpoints: AwsEndpoints, dataDir: string): Record<string, string> {
  return {
    AWS_REGION: localRegion,
    AWS_DEFAULT_REGION: localRegion,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: localSecretAccessKey,
    AWS_SESSION_TOKEN: 'local',
    AWS_CONFIG_FILE: join(dataDir, 'no-aws-config'),
    AWS_SHARED_CREDENTIALS_FILE: join(dataDir, 'no-aws-credentials'),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
    AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
    AWS_ENDPOINT_URL_SESV2: endpoints.mail,
    // The stack brings no language model. Unless an imitation is named that runs on this machine, requests end at once.
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: process.env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME ?? 'http://127.0.0.1:9',
  };
}
