import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { copyAssembly } from '../../../infra/assembly.ts';
import { readAssets } from '../../../infra/local/functions/cloud-assembly.ts';
import {
  awsEnvironmentOf,
  defineFunctions,
  type FunctionDefinition,
} from '../../../infra/local/functions/function-definition.ts';
import { createDeployment, type Deployment } from '../../../infra/local/template/deployment.ts';
import { loadTemplate, stackNameOf, type Template } from '../../../infra/local/template/template.ts';

/**
 * Addresses of the parts of the simulated world. The names exist only in it, and nothing listens on the
 * ports: they look like the local stack's addresses, because SDK clients treat names differently from numbers.
 */
export const addresses = {
  api: 'https://api.simulation.example.test',
  relay: 'wss://relay.simulation.example.test/relay',
  dynamodb: 'http://127.0.0.1:8001',
  sqs: 'http://127.0.0.1:8002',
  s3: 'http://127.0.0.1:8003',
  secretsManager: 'http://127.0.0.1:8004',
  kms: 'http://127.0.0.1:8005',
  mail: 'http://127.0.0.1:8006',
  lambda: 'http://127.0.0.1:8007',
} as const;

export const liveCarrierSecretName = 'live-carrier';

const mappingSchema = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z._default(z.number(), 10),
  FunctionResponseTypes: z._default(z.array(z.string()), []),
  FilterCriteria: z.optional(z.object({ Filters: z.array(z.object({ Pattern: z.string() })) })),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.optional(z.number()) })),
  MaximumRetryAttempts: z._default(z.number(), -1),
  DestinationConfig: z.optional(
    z.object({ OnFailure: z.optional(z.object({ Destination: z.optional(z.string()) })) }),
  ),
});

/** An event source mapping of the template. */
export interface EventSourceMapping {
  readonly sourceArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly patterns: readonly string[];
  readonly maxRetries: number;
  readonly deadLettersArn: string | null;
}

/** The synthesized template with its bundles: what is simulated is what is deployed. */
export interface StackTemplate {
  readonly template: Template;
  readonly stackName: string;
  readonly assets: ReadonlyMap<string, string>;
}

/** Builds into its own directory, so that the code does not change during a run. */
export async function buildStack(directory: string): Promise<void> {
  const { templatePath } = await copyAssembly('dev', join(directory, 'assembly'));
  await writeFile(join(directory, 'template-path'), templatePath);
}

/** Reads what was built in the directory. */
export async function loadStack(directory: string): Promise<StackTemplate> {
  const templatePath = await readFile(join(directory, 'template-path'), 'utf8');
  return {
    template: await loadTemplate(templatePath),
    stackName: stackNameOf(templatePath),
    assets: await readAssets(dirname(templatePath)),
  };
}

export interface DeployedStack {
  readonly functions: readonly FunctionDefinition[];
  readonly mappings: readonly EventSourceMapping[];
  readonly outputs: Readonly<Record<string, string>>;
}

/** @param streamArn the ARN of a table's stream, once the table exists */
export function openDeployment(
  { template, stackName }: StackTemplate,
  streamArn: (tableName: string) => string | undefined,
): Deployment {
  return createDeployment({
    stackName,
    template,
    parameters: {
      PublicBaseUrl: addresses.api,
      PublicRelayUrl: addresses.relay,
      LiveCarrierSecretId: liveCarrierSecretName,
    },
    servers: { queueOrigin: addresses.sqs, streamArn },
  });
}

/** The parts of the template that run here; the tables must exist. */
export function readStack(
  { assets }: StackTemplate,
  deployment: Deployment,
  dataDirectory: string,
): DeployedStack {
  return {
    functions: defineFunctions(deployment, assets, {
      ...awsEnvironmentOf(addresses, dataDirectory),
      RELAY_MANAGEMENT_URL: addresses.relay.replace(/^ws/, 'http'),
    }),
    mappings: mappingsOf(deployment),
    outputs: deployment.outputs(),
  };
}

/** Functions without a limit of their own; enough for many concurrent ones. */
const defaultConcurrency = 16;

function mappingsOf(deployment: Deployment): EventSourceMapping[] {
  return deployment.ofType('AWS::Lambda::EventSourceMapping').map((resource) => {
    const mapping = deployment.properties(resource, mappingSchema);
    return {
      sourceArn: mapping.EventSourceArn,
      functionName: mapping.FunctionName.split(':').at(-1) ?? '',
      batchSize: mapping.BatchSize,
      concurrency: mapping.ScalingConfig?.MaximumConcurrency ?? defaultConcurrency,
      patterns: (mapping.FilterCriteria?.Filters ?? []).map(({ Pattern }) => Pattern),
      maxRetries: mapping.MaximumRetryAttempts < 0 ? Number.POSITIVE_INFINITY : mapping.MaximumRetryAttempts,
      deadLettersArn: mapping.DestinationConfig?.OnFailure?.Destination ?? null,
    };
  });
}
