import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import {
  Aws,
  CfnCondition,
  CfnParameter,
  CfnRule,
  Fn,
  type ICfnConditionExpression,
  Stack,
} from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { dialogueVariables } from '#shared/triggers/dialogue-variables.ts';
import { acknowledge, acknowledgeWildcard } from './acknowledge.ts';
import { inlinePolicyReason, type ServiceFunction } from './service-function.ts';

export interface DialogueModelProps {
  /** Functions that may call a language model. */
  readonly users: readonly ServiceFunction[];
}

/**
 * An ID such as `us.anthropic.claude-haiku-4-5-20251001-v1:0` or `amazon.nova-lite-v1:0`, or an ARN that Converse
 * accepts.
 */
const bedrockId = '[a-z0-9-]+(\\.[A-Za-z0-9_-]+)+(:[A-Za-z0-9]+)*';
const bedrockResources = [
  'inference-profile',
  'application-inference-profile',
  'provisioned-model',
  'custom-model-deployment',
  'foundation-model',
];
const bedrockArn = `arn:aws[a-z-]*:bedrock:[a-z0-9-]+:[0-9]*:(${bedrockResources.join('|')})/[A-Za-z0-9.:_-]+`;

const usualModelId = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';
/** Source regions of `us.` inference profiles (Amazon Bedrock user guide, "Supported Regions"). */
const regionsOfUsualModel = ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2'];

/** The choice of dialogue model, as deployment parameters, and the permissions it needs. */
export class DialogueModel extends Construct {
  /** The choice as variables of functions. */
  readonly variables: Readonly<Record<keyof typeof dialogueVariables, string>>;
  readonly #users: readonly ServiceFunction[];

  constructor(scope: Stack, id: string, { users }: DialogueModelProps) {
    super(scope, id);
    this.#users = users;
    const model = new CfnParameter(scope, 'DialogueModel', {
      description:
        'Dialogue model: built-in (scripted in older deployments); or a language model: bedrock, ' +
        'on Amazon Bedrock, or openai, behind any endpoint that speaks the chat completions of OpenAI.',
      default: 'built-in',
      allowedValues: ['built-in', 'scripted', 'bedrock', 'openai'],
    });
    const bedrockModelId = new CfnParameter(scope, 'BedrockModelId', {
      description:
        'The language model on Amazon Bedrock: ID or ARN of an inference profile, ID of a model, ' +
        'or ARN of its provisioned throughput or custom deployment.',
      default: usualModelId,
      allowedPattern: `^${bedrockId}$|^${bedrockArn}$`,
      constraintDescription: 'Must be the ID or ARN of an inference profile or a model of Amazon Bedrock.',
    });
    const standbyModelId = new CfnParameter(scope, 'BedrockStandbyModelId', {
      description:
        'Standby model on Amazon Bedrock, for turns where the language model fails or is late. Empty: none.',
      default: '',
      allowedPattern: `^$|^${bedrockId}$|^${bedrockArn}$`,
    });
    const region = new CfnParameter(scope, 'BedrockRegion', {
      description: 'Region of Amazon Bedrock. Empty: that of the stack.',
      default: '',
      allowedPattern: '^$|^[a-z]{2}(-[a-z]+)+-[0-9]$',
    });
    const openAiBaseUrl = new CfnParameter(scope, 'OpenAiBaseUrl', {
      description:
        'Base URL of the openai endpoint, without /chat/completions. ' + 'Plain HTTP only on this machine.',
      default: '',
      allowedPattern:
        '^$|^https://[^/?#]+(/[^/?#]+)*$|^http://(127\\.0\\.0\\.1|localhost)(:[0-9]+)?(/[^/?#]+)*$',
    });
    const openAiModel = new CfnParameter(scope, 'OpenAiModel', {
      description: 'Model name at the openai endpoint.',
      default: '',
    });
    const openAiSecretArn = new CfnParameter(scope, 'OpenAiSecretArn', {
      description:
        'ARN of the secret in Secrets Manager with the API key of the openai endpoint. Empty: no key.',
      default: '',
      allowedPattern: '^$|^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[A-Za-z0-9/_+=.@-]+$',
    });
    new CfnRule(scope, 'UsualModelIsInTheRegion', {
      ruleCondition: Fn.conditionAnd(
        Fn.conditionEquals(model.valueAsString, 'bedrock'),
        Fn.conditionEquals(bedrockModelId.valueAsString, usualModelId),
        Fn.conditionEquals(region.valueAsString, ''),
      ),
      assertions: [
        {
          assert: Fn.conditionContains(regionsOfUsualModel, Aws.REGION),
          assertDescription:
            `${usualModelId} exists only in the United States: ` +
            'set BedrockModelId to an inference profile of this region, or BedrockRegion.',
        },
      ],
    });
    const fillerAfterMs = new CfnParameter(scope, 'BedrockFillerAfterMs', {
      description: 'Milliseconds without output of the language model after which the agent says a filler.',
      default: '1200',
      allowedPattern: '^[0-9]{1,5}$',
    });
    const giveUpAfterMs = new CfnParameter(scope, 'BedrockGiveUpAfterMs', {
      description:
        'Milliseconds without output after which the language model has failed and the call ends with an apology.',
      default: '6000',
      allowedPattern: '^[0-9]{1,5}$',
    });
    const isRegionGiven = this.condition('BedrockRegionIsGiven', isGiven(region));
    const usedRegion = Fn.conditionIf(
      isRegionGiven.logicalId,
      region.valueAsString,
      Stack.of(this).region,
    ).toString();

    this.variables = {
      DIALOGUE_MODEL: model.valueAsString,
      BEDROCK_MODEL_ID: bedrockModelId.valueAsString,
      BEDROCK_STANDBY_MODEL_ID: standbyModelId.valueAsString,
      BEDROCK_REGION: usedRegion,
      BEDROCK_FILLER_AFTER_MS: fillerAfterMs.valueAsString,
      BEDROCK_GIVE_UP_AFTER_MS: giveUpAfterMs.valueAsString,
      OPENAI_BASE_URL: openAiBaseUrl.valueAsString,
      OPENAI_MODEL: openAiModel.valueAsString,
      OPENAI_SECRET_ARN: openAiSecretArn.valueAsString,
    };
    const usesBedrock = Fn.conditionEquals(model.valueAsString, 'bedrock');
    const usesOpenAi = Fn.conditionEquals(model.valueAsString, 'openai');
    const usesStandby = Fn.conditionAnd(Fn.conditionOr(usesBedrock, usesOpenAi), isGiven(standbyModelId));
    for (const policy of [
      this.allow('', this.condition('UsesBedrock', usesBedrock), this.useOf(bedrockModelId, usedRegion)),
      this.allow(
        'Standby',
        this.condition('UsesBedrockStandby', usesStandby),
        this.useOf(standbyModelId, usedRegion),
      ),
    ]) {
      acknowledgeWildcard(
        policy,
        this.anyModel(),
        'The condition allows it only through one inference profile.',
      );
    }
    this.allow(
      'OpenAiSecret',
      this.condition('UsesOpenAiSecret', Fn.conditionAnd(usesOpenAi, isGiven(openAiSecretArn))),
      [{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: openAiSecretArn.valueAsString }],
    );
  }

  private condition(name: string, expression: ICfnConditionExpression): CfnCondition {
    return new CfnCondition(Stack.of(this), name, { expression });
  }

  /** Attaches a policy to the users if the condition is true. */
  private allow(id: string, condition: CfnCondition, Statement: readonly object[]): CfnPolicy {
    const policy = new CfnPolicy(this, `${id}Policy`, {
      policyName: `DialogueModel${id}`,
      roles: this.#users.map((user) => user.role.roleName),
      policyDocument: { Version: '2012-10-17', Statement },
    });
    policy.cfnOptions.condition = condition;
    acknowledge(policy, inlinePolicyReason);
    return policy;
  }

  private anyModel(): string {
    return Stack.of(this).formatArn({
      service: 'bedrock',
      region: '*',
      account: '',
      resource: 'foundation-model',
      resourceName: '*',
    });
  }

  /**
   * The permissions to use a model, for any kind of ID. An ARN is the resource itself; an ID names either an inference
   * profile of this account or a model. A profile forwards requests to a model in one of its regions, and the caller
   * needs permission for both: for any model, but only through this profile. Sources: Amazon Bedrock user guide,
   * "Prerequisites for inference profiles"; Service Authorization Reference.
   */
  private useOf(modelId: CfnParameter, region: string): object[] {
    const stack = Stack.of(this);
    const id = modelId.valueAsString;
    const isArn = this.condition(
      `${modelId.node.id}IsArn`,
      Fn.conditionEquals(Fn.select(0, Fn.split(':', id)), 'arn'),
    );
    const arnOr = (resource: string, account: string): string => {
      const arn = stack.formatArn({ service: 'bedrock', region, account, resource, resourceName: id });
      return Fn.conditionIf(isArn.logicalId, id, arn).toString();
    };
    const profile = arnOr('inference-profile', stack.account);
    const use = { Effect: 'Allow', Action: 'bedrock:InvokeModelWithResponseStream' };
    return [
      { ...use, Resource: [profile, arnOr('foundation-model', '')] },
      {
        ...use,
        Resource: this.anyModel(),
        Condition: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
      },
    ];
  }
}

function isGiven(parameter: CfnParameter): ICfnConditionExpression {
  return Fn.conditionNot(Fn.conditionEquals(parameter.valueAsString, ''));
}
