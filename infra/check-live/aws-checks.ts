import * as z from 'zod/mini';
import { failureReasonOf } from '../../shared/voice-agent/dialogue/dialogue-failure.ts';
import {
  bedrockTransport,
  openBedrockClient,
} from '../../shared/voice-agent/language-model/bedrock-transport.ts';
import { parseJson, parseXml, type Reply, whyNoAnswer } from './ask.ts';
import { type AwsService, askAws } from './aws-api.ts';
import { cannotTell, type Finding, missing, ok } from './finding.ts';

export interface BedrockModel {
  /** ID or ARN. */
  readonly model: string;
  readonly region: string;
}

/** Facts about the deployed stack; null when unknown. */
export interface StackNeeds {
  readonly alarmTopicArn: string | null;
  /** Empty when calls do not use Amazon Bedrock. */
  readonly bedrock: readonly BedrockModel[];
  /** Sender of email; empty when none is sent. */
  readonly mailFrom: string;
  /** Concurrent executions when everything runs at its limit. */
  readonly concurrency: number;
}

export async function checkAws(stack: StackNeeds, timeoutMs: number): Promise<Finding[]> {
  return Promise.all([
    checkConcurrency(stack.concurrency, timeoutMs),
    checkAlarms(stack.alarmTopicArn, timeoutMs),
    ...(stack.mailFrom === '' ? [] : [checkMail(stack.mailFrom, timeoutMs)]),
    ...stack.bedrock.map((model) => checkBedrock(model, timeoutMs)),
  ]);
}

const AccountSettings = z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.int() }) });

/** Source: GetAccountSettings in the API reference of Lambda. */
async function checkConcurrency(needed: number, timeoutMs: number): Promise<Finding> {
  const check = 'concurrent executions of Lambda';
  const quotas = 'Service Quotas > AWS Lambda > Concurrent executions';
  const reply = await askAws(
    { service: 'lambda', method: 'GET', path: '/2016-08-19/account-settings/' },
    timeoutMs,
  );
  const settings = AccountSettings.safeParse(reply?.status === 200 ? parseJson(reply.text) : null);
  if (!settings.success) return unanswered(check, 'lambda', 'lambda:GetAccountSettings', reply);
  const { ConcurrentExecutions: granted } = settings.data.AccountLimit;
  return granted >= needed
    ? ok(check, `The account may run ${granted}; at its limits the stack needs ${needed}.`)
    : missing(
        check,
        `The account may run ${granted}; at its limits the stack needs ${needed}.`,
        `Ask for ${Math.max(1000, needed)} under ${quotas}, or lower LiveCarrierMaxCalls.`,
      );
}

const Subscription = z.object({ Protocol: z.string(), SubscriptionArn: z.string() });
const Subscriptions = z.object({
  ListSubscriptionsByTopicResponse: z.object({
    ListSubscriptionsByTopicResult: z.object({
      Subscriptions: z.union([z.literal(''), z.object({ member: z.array(Subscription) })]),
    }),
  }),
});

/** Source: ListSubscriptionsByTopic in the API reference of SNS; an unconfirmed address has no ARN yet. */
async function checkAlarms(topicArn: string | null, timeoutMs: number): Promise<Finding> {
  const check = 'alarms by mail';
  if (topicArn === null) {
    return cannotTell(
      check,
      'The topic is not named.',
      'Name the stack with --stack, or its AlarmTopicArn with --alarm-topic.',
    );
  }
  const form = { Action: 'ListSubscriptionsByTopic', Version: '2010-03-31', TopicArn: topicArn };
  const reply = await askAws({ service: 'sns', method: 'POST', path: '/', form }, timeoutMs);
  const answer = Subscriptions.safeParse(reply?.status === 200 ? parseXml(reply.text) : null);
  if (!answer.success) return unanswered(check, 'sns', 'sns:ListSubscriptionsByTopic', reply);
  const { Subscriptions: list } = answer.data.ListSubscriptionsByTopicResponse.ListSubscriptionsByTopicResult;
  const mails = list === '' ? [] : list.member.filter(({ Protocol }) => Protocol.startsWith('email'));
  if (mails.some(({ SubscriptionArn }) => SubscriptionArn.startsWith('arn:'))) {
    return ok(check, 'An address has confirmed its subscription.');
  }
  return mails.length === 0
    ? missing(
        check,
        'Alarms have no recipient.',
        'Deploy with --parameters AlarmEmail=… and confirm the email that arrives.',
      )
    : missing(
        check,
        'The address has not confirmed its subscription.',
        'Click the link in the email from AWS Notifications, or resend it under SNS > Subscriptions.',
      );
}

const Identity = z.object({ VerifiedForSendingStatus: z.boolean() });
const Account = z.object({ ProductionAccessEnabled: z.boolean(), SendingEnabled: z.boolean() });

/** Source: GetEmailIdentity and GetAccount in the API reference of SES v2. A domain verifies its addresses. */
async function checkMail(address: string, timeoutMs: number): Promise<Finding> {
  const check = 'mail of the service';
  const ask = (path: string) =>
    askAws({ service: 'ses', method: 'GET', path: `/v2/email/${path}` }, timeoutMs);
  let isVerified = false;
  for (const identity of [address, address.split('@')[1] ?? '']) {
    const reply = await ask(`identities/${encodeURIComponent(identity)}`);
    const found = Identity.safeParse(reply?.status === 200 ? parseJson(reply.text) : null);
    if (!found.success && reply?.status !== 404) {
      return unanswered(check, 'ses', 'ses:GetEmailIdentity', reply);
    }
    isVerified ||= found.data?.VerifiedForSendingStatus === true;
  }
  if (!isVerified) {
    return missing(
      check,
      `Neither ${address} nor its domain is verified in SES.`,
      'Verify one under Amazon SES > Identities (docs/deploy.md, Mail).',
    );
  }
  const reply = await ask('account');
  const account = Account.safeParse(reply?.status === 200 ? parseJson(reply.text) : null);
  if (!account.success) return unanswered(check, 'ses', 'ses:GetAccount', reply);
  const { ProductionAccessEnabled, SendingEnabled } = account.data;
  if (!SendingEnabled) {
    return missing(
      check,
      'SES has paused the account.',
      'Read why under Amazon SES > Account dashboard, and answer there.',
    );
  }
  return ProductionAccessEnabled
    ? ok(check, `SES sends from ${address} to any address.`)
    : missing(
        check,
        'The account is in the SES sandbox: email reaches verified addresses only.',
        'Ask for production access under Amazon SES > Account dashboard.',
      );
}

/** Asks for one token, with the same request as the voice agent. */
async function checkBedrock({ model, region }: BedrockModel, timeoutMs: number): Promise<Finding> {
  const check = `language model ${model}`;
  const request = {
    rules: 'Say yes.',
    plan: 'None.',
    tools: [{ name: 'nothing', description: 'None', inputSchema: { type: 'object' } }],
    messages: [{ role: 'user' as const, blocks: [{ type: 'text' as const, text: 'Yes?' }] }],
    maxTokens: 1,
  };
  const client = openBedrockClient(region);
  try {
    const reply = bedrockTransport(client, model).stream(request, AbortSignal.timeout(timeoutMs));
    for await (const _ of reply) break;
    return ok(check, `It responds in ${region}.`);
  } catch (error) {
    return bedrockRefusal(check, region, failureReasonOf(error));
  } finally {
    client.destroy();
  }
}

function bedrockRefusal(check: string, region: string, reason: ReturnType<typeof failureReasonOf>): Finding {
  switch (reason) {
    case 'access-denied':
      return missing(
        check,
        'Access to it is denied.',
        `Submit its provider's form under Amazon Bedrock > Model catalog in ${region}, ` +
          'and let your own role do bedrock:InvokeModelWithResponseStream.',
      );
    case 'invalid-request':
      return missing(
        check,
        `Bedrock does not serve it in ${region}.`,
        'Compare BedrockModelId and BedrockRegion with Amazon Bedrock > Cross-region inference: ' +
          'a us. profile exists in the United States only.',
      );
    case 'throttled':
      return cannotTell(
        check,
        'Bedrock is throttling requests to it.',
        'Compare its requests and tokens per minute under Service Quotas > Amazon Bedrock with your expected calls.',
      );
    default:
      return cannotTell(
        check,
        `It did not respond (${reason}).`,
        'Run this again in a minute, and look at the AWS Health Dashboard.',
      );
  }
}

const serviceNames: Record<AwsService, string> = {
  cloudformation: 'CloudFormation',
  lambda: 'Lambda',
  ses: 'SES',
  sns: 'SNS',
};

/** The finding for a question that AWS did not answer. */
export function unanswered(check: string, service: AwsService, action: string, reply: Reply | null): Finding {
  const name = serviceNames[service];
  if (reply === null) {
    return cannotTell(check, `The local stack has no ${name}.`, 'Run this on a deployed stack.');
  }
  const isRefused = reply.status === 401 || reply.status === 403;
  return cannotTell(
    check,
    `${name} ${whyNoAnswer(reply)}.`,
    isRefused
      ? `Use credentials of the account that allow ${action}.`
      : 'Run this again in a minute, with the region and the credentials of the stack in the environment.',
  );
}
