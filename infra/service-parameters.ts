import { Aws, CfnCondition, CfnParameter, Fn, type IResolvable, type Stack } from 'aws-cdk-lib/core';

/**
 * What may differ between deployments and the local stack. Sign-in, the dialogue model and the sandbox phone declare
 * their parameters beside their constructs.
 */
export function addParameters(stack: Stack) {
  return {
    publicBaseUrl: new AddressParameter(stack, 'PublicBaseUrl', {
      description:
        'Address for clients and the carrier, without trailing slash. Empty: that of ApiDomainName or of the API.',
      allowedPattern: '^$|^https?://[^/?#]+(/[^/?#]+)*$',
    }),
    publicRelayUrl: new AddressParameter(stack, 'PublicRelayUrl', {
      description:
        "Address that the carrier's relay connects to. Empty: that of RelayDomainName or of the API.",
      allowedPattern: '^$|^wss?://[^/?#]+(/[^/?#]+)*$',
    }),
    requestsPerSecond: new CfnParameter(stack, 'RequestsPerSecond', {
      description: 'Requests per second that each method of the REST API accepts from all callers together.',
      type: 'Number',
      default: 200,
      minValue: 1,
      maxValue: 10_000,
    }),
    requestBurst: new CfnParameter(stack, 'RequestBurst', {
      description: 'Burst of requests that each method of the REST API accepts.',
      type: 'Number',
      default: 400,
      minValue: 1,
      maxValue: 5_000,
    }),
    alarmEmail: new CfnParameter(stack, 'AlarmEmail', {
      description: 'Address that receives alarms, once its owner has confirmed. Empty: none.',
      default: '',
      allowedPattern: '^$|^[^@\\s]+@[^@\\s]+$',
    }),
    mailFrom: new CfnParameter(stack, 'MailFrom', {
      description:
        'Sender of invitations and alerts; it or its domain must be verified in Amazon SES. Empty: no email.',
      default: '',
      // No wildcards of a policy, and no display name.
      allowedPattern: '^$|^[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$',
    }),
    carrierRequestsPerSecond: new CfnParameter(stack, 'CarrierRequestsPerSecond', {
      description: 'Callbacks per second that the REST API accepts from all carriers together.',
      type: 'Number',
      default: 200,
      minValue: 1,
      maxValue: 10_000,
    }),
    carrierRequestBurst: new CfnParameter(stack, 'CarrierRequestBurst', {
      description: 'Burst of callbacks that the REST API accepts.',
      type: 'Number',
      default: 400,
      minValue: 1,
      maxValue: 5_000,
    }),
    projectRequestsPerSecond: new CfnParameter(stack, 'ProjectRequestsPerSecond', {
      description: 'Requests per second that a project may make, on average over ten seconds. 0: no limit.',
      default: '50',
      allowedPattern: '^\\d{1,4}$',
    }),
    webhookLoopback: new CfnParameter(stack, 'WebhookLoopback', {
      description: 'Whether webhooks may go to this machine, also by plain HTTP: for the local stack only.',
      default: 'refused',
      allowedValues: ['refused', 'allowed'],
    }),
    optOutScope: new CfnParameter(stack, 'OptOutScope', {
      description:
        'Scope of a request not to be called again: all live projects, or the one that made the call.',
      default: 'operator',
      allowedValues: ['operator', 'project'],
    }),
    silenceSeconds: new CfnParameter(stack, 'SilenceSeconds', {
      description: 'Seconds of silence after which the agent asks, and after as many again hangs up.',
      default: '9',
      allowedPattern: '^([2-9]|[1-5]\\d|60)$',
    }),
    relayKeepAliveSeconds: new CfnParameter(stack, 'RelayKeepAliveSeconds', {
      description:
        'Seconds without a frame, as on hold, after which one is sent: API Gateway closes a socket after 600.',
      default: '480',
      allowedPattern: '^([1-9]\\d?|[1-4]\\d\\d|5[0-6]\\d)$',
    }),
    operatorEmails: new CfnParameter(stack, 'OperatorEmails', {
      description:
        'Comma-separated verified email addresses that may grant live calls by the management API. Empty: none.',
      default: '',
      allowedPattern: '^$|^[^\\s,@]+@[^\\s,@]+(,[^\\s,@]+@[^\\s,@]+)*$',
    }),
    liveCarrierSecretId: new CfnParameter(stack, 'LiveCarrierSecretId', {
      description:
        'Name of the secret with the live carrier account. Empty: calls to the sandbox phone only.',
      default: '',
      allowedPattern: '^[A-Za-z0-9/_+=.@-]*$',
      constraintDescription: 'Must be the name of a secret of this account and region, not its ARN.',
    }),
    liveCarrierCallsPerSecond: new CfnParameter(stack, 'LiveCarrierCallsPerSecond', {
      description: 'New calls per second that the live carrier account accepts without queueing.',
      default: '1',
      allowedPattern: '^([1-9]\\d?|100)$',
    }),
    liveCarrierMaxCalls: new CfnParameter(stack, 'LiveCarrierMaxCalls', {
      description: 'Concurrent calls that the live carrier account accepts, all projects together.',
      default: '100',
      allowedPattern: '^[1-9]\\d{0,3}$',
    }),
    reservedForCalls: new OptionalNumberParameter(stack, 'ReservedForCalls', {
      description: 'Reserved concurrency of voice-agent, and the same of carrier-callback. 0: none.',
      maxValue: 5_000,
    }),
    numberCallsPerDay: new CfnParameter(stack, 'NumberCallsPerDay', {
      description: 'Calls per day to one number, of all live projects together.',
      default: '6',
      allowedPattern: '^([1-9]|[1-4]\\d|50)$',
    }),
    numberGapMinutes: new CfnParameter(stack, 'NumberGapMinutes', {
      description: 'Minutes from the end of a live call to the next one to the same number.',
      default: '10',
      allowedPattern: '^([1-9]\\d{0,2}|1[0-3]\\d\\d|14[0-3]\\d|1440)$',
    }),
    sharedLineCallsPerDay: new CfnParameter(stack, 'SharedLineCallsPerDay', {
      description: 'The same as NumberCallsPerDay for toll-free numbers, behind which many people answer.',
      default: '500',
      allowedPattern: '^[1-9]\\d{0,4}$',
    }),
    sharedLineGapMinutes: new CfnParameter(stack, 'SharedLineGapMinutes', {
      description: 'The same as NumberGapMinutes for toll-free numbers.',
      default: '0',
      allowedPattern: '^(\\d{1,2}|[1-9]\\d\\d)$',
    }),
  };
}

/** An address chosen by the deployment, because a custom domain or the local machine has another one. */
class AddressParameter {
  private readonly parameter: CfnParameter;
  private readonly isGiven: CfnCondition;

  constructor(stack: Stack, id: string, props: { description: string; allowedPattern: string }) {
    this.parameter = new CfnParameter(stack, id, { default: '', ...props });
    this.isGiven = new CfnCondition(stack, `${id}IsGiven`, {
      expression: Fn.conditionNot(Fn.conditionEquals(this.parameter.valueAsString, '')),
    });
  }

  or(own: string): string {
    return Fn.conditionIf(this.isGiven.logicalId, this.parameter.valueAsString, own).toString();
  }
}

/** The number, or `AWS::NoValue` for 0. */
class OptionalNumberParameter {
  private readonly parameter: CfnParameter;
  private readonly isGiven: CfnCondition;

  constructor(stack: Stack, id: string, props: { description: string; maxValue: number }) {
    this.parameter = new CfnParameter(stack, id, { type: 'Number', default: 0, minValue: 0, ...props });
    this.isGiven = new CfnCondition(stack, `${id}IsGiven`, {
      expression: Fn.conditionNot(Fn.conditionEquals({ Ref: id }, '0')),
    });
  }

  get orNoValue(): IResolvable {
    return Fn.conditionIf(this.isGiven.logicalId, this.parameter.valueAsNumber, Aws.NO_VALUE);
  }
}
