import { CfnCondition, CfnParameter, Fn, type Stack } from 'aws-cdk-lib/core';

/**
 * In what one deployment, or the local stack, may differ from another. Who signs people in and who holds the
 * conversations are chosen by parameters of their own, which stand with those constructs.
 */
export function addParameters(stack: Stack) {
  return {
    publicBaseUrl: new AddressParameter(stack, 'PublicBaseUrl', {
      description:
        'Address that clients and the carrier use, without a slash at its end. Empty: that of the API.',
      allowedPattern: '^$|^https?://[^/?#]+(/[^/?#]+)*$',
    }),
    publicRelayUrl: new AddressParameter(stack, 'PublicRelayUrl', {
      description:
        'Address of the conversation relay as the carrier dials it. Empty: that of the WebSocket API.',
      allowedPattern: '^$|^wss?://[^/?#]+(/[^/?#]+)*$',
    }),
    requestsPerSecond: new CfnParameter(stack, 'RequestsPerSecond', {
      description:
        'How many requests per second the REST API takes, of all clients, people and carriers together.',
      type: 'Number',
      default: 200,
      minValue: 1,
      maxValue: 10_000,
    }),
    requestBurst: new CfnParameter(stack, 'RequestBurst', {
      description: 'How many requests the REST API takes at once after a quiet time.',
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
    sandboxPhonePace: new CfnParameter(stack, 'SandboxPhonePace', {
      description: 'Real seconds that one second of a simulated call takes, from 0 to 1, which is real time.',
      default: '0.05',
      allowedPattern: '^(0(\\.\\d+)?|1(\\.0+)?)$',
    }),
    sandboxPhoneCallsPerSecond: new CfnParameter(stack, 'SandboxPhoneCallsPerSecond', {
      description:
        'How many simulated calls may start in a second; those beyond wait in the queue of the carrier. 0: no limit.',
      default: '0',
      allowedPattern: '^\\d{1,3}(\\.\\d+)?$',
    }),
    sandboxPhoneSpeech: new CfnParameter(stack, 'SandboxPhoneSpeech', {
      description:
        'What simulated calls sound like: voices, or tones of the same length, which cost almost nothing.',
      default: 'voices',
      allowedValues: ['voices', 'tones'],
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
