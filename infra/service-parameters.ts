import { Aws, CfnCondition, CfnParameter, Fn, type IResolvable, type Stack } from 'aws-cdk-lib/core';

/**
 * In what one deployment, or the local stack, may differ from another. Who signs people in and who holds the
 * conversations are chosen by parameters of their own, which stand with those constructs, as do those of the sandbox
 * phone.
 */
export function addParameters(stack: Stack) {
  return {
    publicBaseUrl: new AddressParameter(stack, 'PublicBaseUrl', {
      description:
        'Address that clients and the carrier use, without a final slash. Empty: that of ApiDomainName or of the API.',
      allowedPattern: '^$|^https?://[^/?#]+(/[^/?#]+)*$',
    }),
    publicRelayUrl: new AddressParameter(stack, 'PublicRelayUrl', {
      description:
        'Address of the conversation relay as the carrier dials it. Empty: that of RelayDomainName or of the API.',
      allowedPattern: '^$|^wss?://[^/?#]+(/[^/?#]+)*$',
    }),
    requestsPerSecond: new CfnParameter(stack, 'RequestsPerSecond', {
      description:
        'How many requests per second each method of the REST API takes, of all clients and people together.',
      type: 'Number',
      default: 200,
      minValue: 1,
      maxValue: 10_000,
    }),
    requestBurst: new CfnParameter(stack, 'RequestBurst', {
      description: 'How many requests each method of the REST API takes at once after a quiet time.',
      type: 'Number',
      default: 400,
      minValue: 1,
      maxValue: 5_000,
    }),
    alarmEmail: new CfnParameter(stack, 'AlarmEmail', {
      description: 'Address that alarms are sent to, once its owner has confirmed. Empty: to nobody.',
      default: '',
      allowedPattern: '^$|^[^@\\s]+@[^@\\s]+$',
    }),
    mailFrom: new CfnParameter(stack, 'MailFrom', {
      description:
        'Address that invitations and alerts come from; it or its domain is verified in Amazon SES. Empty: no mail.',
      default: '',
      // Neither the wildcards of a policy nor a display name.
      allowedPattern: '^$|^[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$',
    }),
    carrierRequestsPerSecond: new CfnParameter(stack, 'CarrierRequestsPerSecond', {
      description: 'How many callbacks per second the REST API takes, of all carriers together.',
      type: 'Number',
      default: 200,
      minValue: 1,
      maxValue: 10_000,
    }),
    carrierRequestBurst: new CfnParameter(stack, 'CarrierRequestBurst', {
      description: 'How many callbacks the REST API takes at once after a quiet time.',
      type: 'Number',
      default: 400,
      minValue: 1,
      maxValue: 5_000,
    }),
    projectRequestsPerSecond: new CfnParameter(stack, 'ProjectRequestsPerSecond', {
      description:
        'How many requests per second a project may make, on average over ten seconds. 0: no limit.',
      default: '50',
      allowedPattern: '^\\d{1,4}$',
    }),
    webhookLoopback: new CfnParameter(stack, 'WebhookLoopback', {
      description:
        'Whether webhooks may go to the machine itself, by plain HTTP too: for the local stack only.',
      default: 'refused',
      allowedValues: ['refused', 'allowed'],
    }),
    optOutScope: new CfnParameter(stack, 'OptOutScope', {
      description:
        'For whom a request not to be called again holds: all live projects, or the one to which it was spoken.',
      default: 'operator',
      allowedValues: ['operator', 'project'],
    }),
    silenceSeconds: new CfnParameter(stack, 'SilenceSeconds', {
      description:
        'After how many seconds in which nobody speaks the agent asks, and after as many again hangs up.',
      default: '9',
      allowedPattern: '^([2-9]|[1-5]\\d|60)$',
    }),
    relayKeepAliveSeconds: new CfnParameter(stack, 'RelayKeepAliveSeconds', {
      description:
        'After how many seconds without a frame, as on hold, one is sent: API Gateway closes a socket after 600.',
      default: '480',
      allowedPattern: '^([1-9]\\d?|[1-4]\\d\\d|5[0-6]\\d)$',
    }),
    operatorEmails: new CfnParameter(stack, 'OperatorEmails', {
      description:
        'Who may grant projects real calls by the management API: verified email addresses and commas. Empty: nobody.',
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
      description: 'New calls per second that the live carrier account takes without queueing them.',
      default: '1',
      allowedPattern: '^([1-9]\\d?|100)$',
    }),
    liveCarrierMaxCalls: new CfnParameter(stack, 'LiveCarrierMaxCalls', {
      description: 'Calls that the live carrier account takes at the same time, all projects together.',
      default: '100',
      allowedPattern: '^[1-9]\\d{0,3}$',
    }),
    reservedForCalls: new OptionalNumberParameter(stack, 'ReservedForCalls', {
      description:
        'Executions of the account that are kept free for voice-agent, and as many for carrier-callback. 0: none.',
      maxValue: 5_000,
    }),
    numberCallsPerDay: new CfnParameter(stack, 'NumberCallsPerDay', {
      description: 'Calls to one number on one day, of all live projects together.',
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

/** An address that can be given from outside, because behind a custom domain or on one machine it is another one. */
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

/** A number that a property has only where it is more than 0. */
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
