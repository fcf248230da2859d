import { parseArgs } from 'node:util';
import { longestCallSeconds } from '../shared/domain/call.ts';
import { CallPolicy, CarrierName, defaultCallPolicy } from '../shared/domain/project.ts';
import { taskTypes } from '../shared/domain/task-type.ts';
import { WebhookEventName } from '../shared/domain/webhook.ts';
import { createProject, type NewProject } from '../shared/projects/create-project.ts';
import { openTable } from '../shared/table/client.ts';
import { given, listOf, oneOf, runCommand, UsageError } from './command.ts';

const voicemailChoices = CallPolicy.shape.voicemail.options;
const longestHoldMinutes = longestCallSeconds / 60;

const help = `Creates a project with an API key and, if wished, a webhook endpoint.

  npm run create-project -- --table NAME --name NAME [options]

  --table NAME              the service's table (output TableName of the stack)
  --name NAME               name of the project
  --carrier NAME            sandbox (simulated people, the default) or live
  --caller-number NUMBER    caller id of the project's calls, E.164; required for live
  --task-types LIST         comma list of the task types to enable (default: all)
                            ${taskTypes.join(', ')}
  --voicemail CHOICE        leave-message (neutral, with a number to call back, the default) or hang-up
  --callback-number NUMBER  the number in that message, E.164 (default: the caller number)
  --max-hold-minutes N      a call that is put on hold for longer is given up, 1 to ${longestHoldMinutes} (default: ${defaultCallPolicy.max_hold_seconds / 60})
  --webhook-url URL         where events are sent; https, or http to this machine
  --webhook-events LIST     comma list of events (default: all)
                            ${WebhookEventName.options.join(', ')}
  --help                    this text

Region, credentials and endpoint come from the environment, as for the AWS command line.
Prints JSON with project_id, api_key and webhook_signing_secret. The key is shown this once and cannot be read again.`;

interface Arguments {
  readonly tableName: string;
  readonly newProject: NewProject;
}

function readArguments(args: string[]): Arguments | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      table: { type: 'string' },
      name: { type: 'string' },
      carrier: { type: 'string', default: 'sandbox' },
      'caller-number': { type: 'string' },
      'task-types': { type: 'string', default: taskTypes.join(',') },
      voicemail: { type: 'string', default: defaultCallPolicy.voicemail },
      'callback-number': { type: 'string' },
      'max-hold-minutes': { type: 'string' },
      'webhook-url': { type: 'string' },
      'webhook-events': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const callerNumber = values['caller-number'];
  return {
    tableName: given('--table', values.table),
    newProject: {
      name: given('--name', values.name),
      carrier: oneOf('--carrier', CarrierName.options, values.carrier),
      enabledTaskTypes: listOf('--task-types', taskTypes, values['task-types']),
      callPolicy: callPolicyOf(values.voicemail, values['callback-number'], values['max-hold-minutes']),
      webhook: webhookOf(values['webhook-url'], values['webhook-events']),
      ...(callerNumber === undefined ? {} : { callerNumber }),
    },
  };
}

function callPolicyOf(
  voicemailText: string,
  callbackNumber: string | undefined,
  maxHoldMinutes: string | undefined,
): Partial<CallPolicy> {
  const voicemail = oneOf('--voicemail', voicemailChoices, voicemailText);
  if (voicemail === 'hang-up' && callbackNumber !== undefined) {
    throw new UsageError('--callback-number needs --voicemail leave-message');
  }
  return {
    voicemail,
    ...(callbackNumber === undefined ? {} : { callback_number: callbackNumber }),
    ...(maxHoldMinutes === undefined ? {} : { max_hold_seconds: holdSecondsOf(maxHoldMinutes) }),
  };
}

function holdSecondsOf(minutesText: string): number {
  const minutes = /^\d{1,3}$/.test(minutesText) ? Number(minutesText) : 0;
  if (minutes < 1 || minutes > longestHoldMinutes) {
    throw new UsageError(`--max-hold-minutes must be a whole number from 1 to ${longestHoldMinutes}`);
  }
  return minutes * 60;
}

function webhookOf(url: string | undefined, events: string | undefined): NewProject['webhook'] {
  if (url === undefined) {
    if (events !== undefined) throw new UsageError('--webhook-events needs --webhook-url');
    return null;
  }
  const names = WebhookEventName.options;
  return { url, events: listOf('--webhook-events', names, events ?? names.join(',')) };
}

await runCommand('create-project', 'The project could not be created', async (argv) => {
  const args = readArguments(argv);
  if (args === 'help') return help;
  const { project, apiKey, webhook } = await createProject(openTable(args.tableName), args.newProject);
  return JSON.stringify(
    {
      project_id: project.id,
      api_key: apiKey,
      webhook_signing_secret: webhook?.signing_secret ?? null,
    },
    null,
    2,
  );
});
