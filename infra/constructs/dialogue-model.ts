import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import { ArnFormat, CfnCondition, CfnParameter, Fn, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

export interface DialogueModelProps {
  /** Every function that lets a dialogue model take a turn. */
  readonly users: readonly ServiceFunction[];
}

/** Which dialogue model holds the conversations, as parameters of the deployment, and what it needs. */
export class DialogueModel extends Construct {
  constructor(scope: Stack, id: string, { users }: DialogueModelProps) {
    super(scope, id);
    const model = new CfnParameter(scope, 'DialogueModel', {
      description:
        'Who holds the conversations: scripted, built in, or bedrock, a language model on Amazon Bedrock for which the scripted one stands by.',
      default: 'scripted',
      allowedValues: ['scripted', 'bedrock'],
    });
    const profile = new CfnParameter(scope, 'BedrockModelId', {
      description: 'Id of the inference profile through which the language model is used.',
      default: 'us.anthropic.claude-haiku-4-5-20251001-v1:0',
      allowedPattern: '^[a-z-]+\\.[a-z0-9-]+\\.[A-Za-z0-9:_-]+$',
      constraintDescription: 'Must be the id of an inference profile: its area, the provider and the model.',
    });
    const region = new CfnParameter(scope, 'BedrockRegion', {
      description: 'Region of Amazon Bedrock. Empty: that of the stack.',
      default: '',
      allowedPattern: '^$|^[a-z]{2}(-[a-z]+)+-[0-9]$',
    });
    const fillerAfterMs = new CfnParameter(scope, 'BedrockFillerAfterMs', {
      description: 'Milliseconds without a word of the language model after which a gap is bridged.',
      default: '1200',
      allowedPattern: '^[0-9]{1,5}$',
    });
    const giveUpAfterMs = new CfnParameter(scope, 'BedrockGiveUpAfterMs', {
      description: 'Milliseconds without a word after which the scripted model takes the turn.',
      default: '6000',
      allowedPattern: '^[0-9]{1,5}$',
    });
    const isRegionGiven = new CfnCondition(scope, 'BedrockRegionIsGiven', {
      expression: Fn.conditionNot(Fn.conditionEquals(region.valueAsString, '')),
    });
    const ownRegion = Stack.of(this).region;
    const usedRegion = Fn.conditionIf(isRegionGiven.logicalId, region.valueAsString, ownRegion).toString();

    for (const user of users) {
      user.setEnvironment('DIALOGUE_MODEL', model.valueAsString);
      user.setEnvironment('BEDROCK_MODEL_ID', profile.valueAsString);
      user.setEnvironment('BEDROCK_REGION', usedRegion);
      user.setEnvironment('BEDROCK_FILLER_AFTER_MS', fillerAfterMs.valueAsString);
      user.setEnvironment('BEDROCK_GIVE_UP_AFTER_MS', giveUpAfterMs.valueAsString);
    }
    const usesBedrock = new CfnCondition(scope, 'UsesBedrock', {
      expression: Fn.conditionEquals(model.valueAsString, 'bedrock'),
    });
    const policy = new CfnPolicy(this, 'Policy', {
      policyName: 'DialogueModel',
      roles: users.map((user) => user.role.roleName),
      policyDocument: this.policyDocument(profile.valueAsString, usedRegion),
    });
    policy.cfnOptions.condition = usesBedrock;
  }

  /**
   * A profile passes requests on to a model in one of its regions, and the caller needs leave for both. The model may be
   * in any region, but is used through this profile only.
   * Source: Amazon Bedrock user guide, "Prerequisites for inference profiles".
   */
  private policyDocument(profileId: string, region: string): object {
    const stack = Stack.of(this);
    const profileArn = stack.formatArn({
      service: 'bedrock',
      region,
      resource: 'inference-profile',
      resourceName: profileId,
    });
    const [provider, model] = [1, 2].map((part) => Fn.select(part, Fn.split('.', profileId)));
    const modelArn = stack.formatArn({
      service: 'bedrock',
      region: '*',
      account: '',
      resource: 'foundation-model',
      resourceName: `${provider}.${model}`,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    const Action = 'bedrock:InvokeModelWithResponseStream';
    return {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action, Resource: profileArn },
        {
          Effect: 'Allow',
          Action,
          Resource: modelArn,
          Condition: { StringEquals: { 'bedrock:InferenceProfileArn': profileArn } },
        },
      ],
    };
  }
}
