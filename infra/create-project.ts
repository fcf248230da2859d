import { defaultAgentSettings, LanguageModel, OnBehalfOf } from '../shared/domain/agent-settings.ts';
import { EmailAddress } from '../shared/domain/person.ts';
import {
  alwaysOpen,
  type CallingHours,
  CallPolicy,
  defaultCallPolicy,
  defaultMaxConcurrentCalls,
  defaultRedialPolicy,
  longestCallSeconds,
  RedialledResult,
  type RedialPolicy,
} from '../shared/domain/project.ts';
import { taskTypes } from '../shared/domain/task-type.ts';
import { defaultEvents, WebhookEventName } from '../shared/domain/webhook.ts';
import { openProjectKeyMaker } from '../shared/encryption/kms-data-key.ts';
import { openKmsEnvelope } from '../shared/encryption/kms-envelope.ts';
import { createProject, type NewProject } from '../shared/projects/create-project.ts';
import { defaultRetention, projectLimits } from '../shared/projects/project-settings.ts';
import { openTable } from '../shared/table/client.ts';
import { openWebhookNetwork } from '../shared/webhooks/address.ts';
import { given, listOf, oneOf, runCommand, UsageError, type Values } from './command.ts';

const voicemailChoices = CallPolicy.shape.voicemail.options;
const longestMinutes = longestCallSeconds / 60;

const { concurrentCalls, attempts, recordingRetentionDays } = projectLimits;
const holdMinutes = defaultCallPolicy.max_hold_seconds / 60;
const sharedLineHoldMinutes = defaultCallPolicy.shared_line_max_hold_seconds / 60;
const callMinutes = defaultCallPolicy.max_call_seconds / 60;

const help = `Creates a sandbox project with an API key and an optional webhook endpoint. Go live with grant-live.

  npm run create-project -- --table NAME --name NAME [options]

  --table NAME              the service's table (output TableName of the stack)
  --name NAME               name of the project
  --owner EMAIL             address that the project's owner signs in with (default: no owner)
  --caller-number NUMBER    caller ID of the simulated calls, E.164 (default: one of the reserved numbers)
  --carrier NAME            sandbox (simulated people), as for every new project
  --countries LIST          comma list of the countries that may be called (default: all)
  --task-types LIST         comma list of the task types to enable (default: all)
                            ${taskTypes.join(', ')}
  --voicemail CHOICE        leave-message (neutral, with a number to call back, the default) or hang-up
  --callback-number NUMBER  the number in that message, E.164 (default: the caller number)
  --max-hold-minutes N      give up a call on hold after N minutes, 1 to ${longestMinutes} (default: ${holdMinutes})
  --max-shared-line-hold-minutes N
                            the same for toll-free numbers, and for payers and call centers in a directory
                            (default: ${sharedLineHoldMinutes})
  --max-call-minutes N      the carrier hangs up after N minutes, 1 to ${longestMinutes} (default: ${callMinutes})
  --calling-hours HOURS     when phones may ring, in their local time: HH:MM-HH:MM or always
                            (default: always)
  --calling-days LIST       days when they may ring, such as mon-fri or mon,wed,sat-sun (default: all)
  --no-holidays             not on public holidays
  --max-concurrent-calls N  calls at the same time, 1 to ${concurrentCalls} (default: ${defaultMaxConcurrentCalls})
  --max-attempts N          calls per task, 1 to ${attempts} (default: ${defaultRedialPolicy.max_attempts})
  --redial-delays LIST      seconds before the second, third, … call; the last one serves for all further ones
                            (default: ${defaultRedialPolicy.delays_seconds.join(',')})
  --redial-after LIST       comma list of results of an undecided call that lead to a redial, or none; SUCCESS is a
                            conversation without a definite answer (default: all)
                            ${RedialledResult.options.join(', ')}
  --recording-retention-days N
                            recordings are deleted after N days, 1 to ${recordingRetentionDays}, or never
                            (default: ${defaultRetention.recording_retention_days})
  --agent-name NAME         name the agent introduces itself with (default: none)
  --organization NAME       organization it calls for (default: none)
  --on-behalf-of WHOM       patient (the default) or provider
  --npi NUMBER              National Provider Identifier of the organization, 10 digits
  --tax-id NUMBER           its tax ID, such as 12-3456789
  --disclose LIST           comma list of what the agent may disclose beyond a task's needs: topics such as email, or
                            fields such as patient.address
  --withhold LIST           comma list of what it never discloses
  --language-model CHOICE   default (live: the deployment's model, sandbox: the built-in one), built-in or
                            language-model
  --voice NAME              voice of Amazon Polly, such as Matthew-Neural (default: Joanna-Neural)
  --language TAG            language of voice and speech recognition, BCP 47 (default: ${defaultAgentSettings.language})
  --speech-hints LIST       comma list of words that speech recognition should expect
  --webhook-url URL         a public https address that receives events
  --secrets-key ID          the key that seals the webhook's signing secret (output SecretsKeyId of the stack); required
                            with --webhook-url
  --webhook-events LIST     comma list of events (default: the first two)
                            ${WebhookEventName.options.join(', ')}
  --help                    this text

Region, credentials and endpoints come from the environment, as for the AWS command line. With WEBHOOK_LOOPBACK=allowed
webhooks may go to this machine, by http too, as the local stack lets them.
Prints JSON with project_id, api_key and webhook_signing_secret. The key is shown this once and cannot be read again.`;

interface Arguments {
  readonly tableName: string;
  /** Empty for a project without a webhook, which has nothing to seal. */
  readonly secretsKeyId: string;
  readonly newProject: NewProject;
}

const options = {
  table: { type: 'string' },
  name: { type: 'string' },
  owner: { type: 'string' },
  carrier: { type: 'string', default: 'sandbox' },
  countries: { type: 'string' },
  'caller-number': { type: 'string' },
  'task-types': { type: 'string', default: taskTypes.join(',') },
  voicemail: { type: 'string', default: defaultCallPolicy.voicemail },
  'callback-number': { type: 'string' },
  'max-hold-minutes': { type: 'string' },
  'max-shared-line-hold-minutes': { type: 'string' },
  'max-call-minutes': { type: 'string' },
  'calling-hours': { type: 'string' },
  'calling-days': { type: 'string' },
  'no-holidays': { type: 'boolean', default: false },
  'max-concurrent-calls': { type: 'string' },
  'max-attempts': { type: 'string' },
  'redial-delays': { type: 'string' },
  'redial-after': { type: 'string' },
  'recording-retention-days': { type: 'string' },
  'agent-name': { type: 'string' },
  organization: { type: 'string' },
  'on-behalf-of': { type: 'string', default: defaultAgentSettings.on_behalf_of },
  npi: { type: 'string' },
  'tax-id': { type: 'string' },
  disclose: { type: 'string' },
  withhold: { type: 'string' },
  'language-model': { type: 'string', default: defaultAgentSettings.language_model },
  voice: { type: 'string' },
  language: { type: 'string', default: defaultAgentSettings.language },
  'speech-hints': { type: 'string' },
  'webhook-url': { type: 'string' },
  'secrets-key': { type: 'string' },
  'webhook-events': { type: 'string' },
} as const;

function readArguments(values: Values<typeof options>): Arguments {
  const callerNumber = values['caller-number'];
  if (values.carrier !== 'sandbox') {
    throw new UsageError('--carrier must be sandbox: go live with npm run grant-live');
  }
  const maxConcurrentCalls = values['max-concurrent-calls'];
  const retentionDays = values['recording-retention-days'];
  const webhook = webhookOf(values['webhook-url'], values['webhook-events']);
  return {
    tableName: given('--table', values.table),
    secretsKeyId: webhook === null ? '' : given('--secrets-key', values['secrets-key']),
    newProject: {
      name: given('--name', values.name),
      carrier: 'sandbox',
      enabledTaskTypes: listOf('--task-types', taskTypes, values['task-types']),
      callPolicy: {
        ...voicemailOf(values.voicemail, values['callback-number']),
        ...secondsOf('max_hold_seconds', '--max-hold-minutes', values['max-hold-minutes']),
        ...secondsOf(
          'shared_line_max_hold_seconds',
          '--max-shared-line-hold-minutes',
          values['max-shared-line-hold-minutes'],
        ),
        ...secondsOf('max_call_seconds', '--max-call-minutes', values['max-call-minutes']),
      },
      callingHours: callingHoursOf({
        hours: values['calling-hours'],
        days: values['calling-days'],
        withoutHolidays: values['no-holidays'],
      }),
      redialPolicy: redialPolicyOf(values['max-attempts'], values['redial-delays'], values['redial-after']),
      agent: {
        agent_name: values['agent-name'] ?? null,
        organization_name: values.organization ?? null,
        on_behalf_of: oneOf('--on-behalf-of', OnBehalfOf.options, values['on-behalf-of']),
        npi: values.npi ?? null,
        tax_id: values['tax-id'] ?? null,
        disclosure: { allow: entriesOf(values.disclose), deny: entriesOf(values.withhold) },
        language_model: oneOf('--language-model', LanguageModel.options, values['language-model']),
        voice: values.voice ?? null,
        language: values.language,
        speech_hints: entriesOf(values['speech-hints']),
      },
      webhook,
      members: values.owner === undefined ? [] : [{ email: emailOf(values.owner), role: 'owner' }],
      ...(callerNumber === undefined ? {} : { callerNumber }),
      ...(values.countries === undefined ? {} : { allowedCountries: entriesOf(values.countries) }),
      ...(maxConcurrentCalls === undefined
        ? {}
        : { maxConcurrentCalls: wholeNumber('--max-concurrent-calls', maxConcurrentCalls) }),
      ...(retentionDays === undefined
        ? {}
        : {
            recordingRetentionDays:
              retentionDays === 'never' ? null : wholeNumber('--recording-retention-days', retentionDays),
          }),
    },
  };
}

function entriesOf(list = ''): string[] {
  return list === '' ? [] : list.split(',').map((entry) => entry.trim());
}

function emailOf(text: string): string {
  const email = EmailAddress.safeParse(text);
  if (!email.success) throw new UsageError('--owner must be an email address');
  return email.data;
}

function voicemailOf(voicemailText: string, callbackNumber: string | undefined): Partial<CallPolicy> {
  const voicemail = oneOf('--voicemail', voicemailChoices, voicemailText);
  if (voicemail === 'hang-up' && callbackNumber !== undefined) {
    throw new UsageError('--callback-number needs --voicemail leave-message');
  }
  return {
    voicemail,
    ...(callbackNumber === undefined ? {} : { callback_number: callbackNumber }),
  };
}

function secondsOf(
  member: keyof CallPolicy,
  option: string,
  minutesText: string | undefined,
): Partial<CallPolicy> {
  if (minutesText === undefined) return {};
  const minutes = /^\d{1,3}$/.test(minutesText) ? Number(minutesText) : 0;
  if (minutes < 1 || minutes > longestMinutes) {
    throw new UsageError(`${option} must be a whole number from 1 to ${longestMinutes}`);
  }
  return { [member]: minutes * 60 };
}

/** Reads digits only; the project's schema decides which numbers make sense. */
function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${option} must be a whole number`);
  return Number(text);
}

function callingHoursOf(wishes: {
  hours: string | undefined;
  days: string | undefined;
  withoutHolidays: boolean;
}): CallingHours {
  return {
    ...(wishes.hours === undefined ? alwaysOpen : timesOf(wishes.hours)),
    days: wishes.days === undefined ? alwaysOpen.days : daysOf(wishes.days),
    on_holidays: !wishes.withoutHolidays,
  };
}

function timesOf(text: string): Pick<CallingHours, 'opens' | 'closes'> {
  if (text === 'always') return { opens: alwaysOpen.opens, closes: alwaysOpen.closes };
  const [, opens, closes] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  if (opens === undefined || closes === undefined) {
    throw new UsageError('--calling-hours must be HH:MM-HH:MM, such as 08:00-21:00, or always');
  }
  return { opens, closes };
}

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Days of the week (1 is Monday) from a list of days and ranges; a range may wrap around the week. */
function daysOf(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = '', last = first, ...rest] = part.trim().toLowerCase().split('-');
    if (rest.length > 0)
      throw new UsageError('--calling-days must be days or ranges of days, such as mon-fri');
    const from = dayNames.indexOf(oneOf('--calling-days', dayNames, first));
    const to = dayNames.indexOf(oneOf('--calling-days', dayNames, last));
    const count = ((to - from + dayNames.length) % dayNames.length) + 1;
    return Array.from({ length: count }, (_, index) => ((from + index) % dayNames.length) + 1);
  });
}

function redialPolicyOf(
  attempts: string | undefined,
  delays: string | undefined,
  results: string | undefined,
): Partial<RedialPolicy> {
  return {
    ...(attempts === undefined ? {} : { max_attempts: wholeNumber('--max-attempts', attempts) }),
    ...(delays === undefined
      ? {}
      : { delays_seconds: delays.split(',').map((delay) => wholeNumber('--redial-delays', delay.trim())) }),
    ...(results === undefined ? {} : { redialled_results: redialledResultsOf(results) }),
  };
}

function redialledResultsOf(text: string): RedialledResult[] {
  return text === 'none' ? [] : listOf('--redial-after', RedialledResult.options, text);
}

function webhookOf(url: string | undefined, events: string | undefined): NewProject['webhook'] {
  if (url === undefined) {
    if (events !== undefined) throw new UsageError('--webhook-events needs --webhook-url');
    return null;
  }
  const selected = events ?? defaultEvents.join(',');
  return { url, events: listOf('--webhook-events', WebhookEventName.options, selected) };
}

await runCommand('create-project', 'The project could not be created', { help, options }, async (values) => {
  const args = readArguments(values);
  const { project, apiKey, webhook } = await createProject(
    {
      table: openTable(args.tableName),
      secrets: openKmsEnvelope(args.secretsKeyId),
      keys: openProjectKeyMaker(args.tableName),
      network: openWebhookNetwork(process.env.WEBHOOK_LOOPBACK ?? 'refused'),
    },
    args.newProject,
  );
  return JSON.stringify(
    {
      project_id: project.id,
      api_key: apiKey,
      webhook_signing_secret: webhook?.signingSecret ?? null,
    },
    null,
    2,
  );
});
