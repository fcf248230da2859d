import * as z from 'zod/mini';
import { UsageError } from '../command.ts';
import { manifests } from '../manifests.ts';
import { parseXml, type Reply } from './ask.ts';
import { askAws } from './aws-api.ts';
import type { BedrockModel } from './aws-checks.ts';

/** A CloudFormation stack as deployed. */
export interface DeployedStack {
  readonly region: string;
  readonly outputs: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
}

const Entries = (key: string, value: string) =>
  z.optional(
    z.union([
      z.literal(''),
      z.object({ member: z.array(z.object({ [key]: z.string(), [value]: z.optional(z.string()) })) }),
    ]),
  );
const Description = z.object({
  DescribeStacksResponse: z.object({
    DescribeStacksResult: z.object({
      Stacks: z.object({
        member: z.array(
          z.object({
            StackId: z.string(),
            Outputs: Entries('OutputKey', 'OutputValue'),
            Parameters: Entries('ParameterKey', 'ParameterValue'),
          }),
        ),
      }),
    }),
  }),
});

/**
 * The stack of this name, or the inconclusive reply. Throws a `UsageError` when it does not exist. Source:
 * DescribeStacks in the API reference of CloudFormation.
 */
export async function describeStack(
  name: string,
  timeoutMs: number,
): Promise<{ stack: DeployedStack } | { reply: Reply | null }> {
  const form = { Action: 'DescribeStacks', Version: '2010-05-15', StackName: name };
  const reply = await askAws({ service: 'cloudformation', method: 'POST', path: '/', form }, timeoutMs);
  if (reply?.status === 400 && reply.text.includes('does not exist')) {
    throw new UsageError(`There is no stack ${name} in this account and region`);
  }
  const description = Description.safeParse(reply?.status === 200 ? parseXml(reply.text) : null);
  const found = description.data?.DescribeStacksResponse.DescribeStacksResult.Stacks.member[0];
  if (found === undefined) return { reply };
  return {
    stack: {
      region: found.StackId.split(':')[3] ?? '',
      outputs: mapOf(found.Outputs, 'OutputKey', 'OutputValue'),
      parameters: mapOf(found.Parameters, 'ParameterKey', 'ParameterValue'),
    },
  };
}

function mapOf(
  entries: z.infer<ReturnType<typeof Entries>>,
  key: string,
  value: string,
): ReadonlyMap<string, string> {
  const members = entries === undefined || entries === '' ? [] : entries.member;
  return new Map(members.map((member) => [member[key] ?? '', member[value] ?? '']));
}

/** The stack's models on Amazon Bedrock, including the standby. */
export function bedrockModels({ parameters, region: ownRegion }: DeployedStack): BedrockModel[] {
  const dialogueModel = parameters.get('DialogueModel');
  const isBedrock = dialogueModel === 'bedrock';
  const models = [
    isBedrock ? parameters.get('BedrockModelId') : '',
    isBedrock || dialogueModel === 'openai' ? parameters.get('BedrockStandbyModelId') : '',
  ];
  const region = parameters.get('BedrockRegion') || ownRegion;
  return models.flatMap((model = '') => (model === '' ? [] : [{ model, region }]));
}

const usualMaxCalls = 100;

/**
 * Concurrent executions when every queue is at its limit and the carrier's account has all the calls it may have,
 * about one each. Assumes the defaults if the deployment is unknown.
 */
export function concurrencyNeeded(stack: DeployedStack | null): number {
  const hasPhone = stack === null || stack.outputs.has('SandboxCarrierSecretArn');
  const workers = manifests.map(({ trigger }) => {
    if (trigger.kind !== 'queue' || (trigger.queue === 'sandboxLineQueue' && !hasPhone)) return 0;
    return trigger.maxConcurrency;
  });
  const calls = Number(stack?.parameters.get('LiveCarrierMaxCalls') ?? usualMaxCalls);
  return workers.reduce((sum, count) => sum + count, calls);
}
