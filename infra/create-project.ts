import { parseArgs } from 'node:util';
import { ServiceError } from '../shared/domain/errors.ts';
import { CarrierName } from '../shared/domain/project.ts';
import { taskTypes } from '../shared/domain/task-type.ts';
import { WebhookEventName } from '../shared/domain/webhook.ts';
import { createProject, type NewProject } from '../shared/projects/create-project.ts';
import { openTable } from '../shared/table/client.ts';

const help = `Creates a project with an API key and, if wished, a webhook endpoint.

  npm run create-project -- --table NAME --name NAME [options]

  --table NAME            the service's table (output TableName of the stack)
  --name NAME             name of the project
  --carrier NAME          sandbox (simulated people, the default) or live
  --caller-number NUMBER  caller id of the project's calls, E.164; required for live
  --task-types LIST       comma list of the task types to enable (default: all)
                          ${taskTypes.join(', ')}
  --webhook-url URL       where events are sent; https, or http to this machine
  --webhook-events LIST   comma list of events (default: all)
                          ${WebhookEventName.options.join(', ')}
  --help                  this text

Region, credentials and endpoint come from the environment, as for the AWS command line.
Prints JSON with project_id, api_key and webhook_signing_secret. The key is shown this once and cannot be read again.
`;

/** Something the person who runs this can put right; its message is all they need. */
class UsageError extends Error {}

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
      'webhook-url': { type: 'string' },
      'webhook-events': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const {
    'caller-number': callerNumber,
    'webhook-url': webhookUrl,
    'webhook-events': webhookEvents,
  } = values;
  if (webhookUrl === undefined && webhookEvents !== undefined) {
    throw new UsageError('--webhook-events needs --webhook-url');
  }
  return {
    tableName: given('--table', values.table),
    newProject: {
      name: given('--name', values.name),
      carrier: oneOf('--carrier', CarrierName.options, values.carrier),
      enabledTaskTypes: listOf('--task-types', taskTypes, values['task-types']),
      webhook:
        webhookUrl === undefined
          ? null
          : {
              url: webhookUrl,
              events: listOf(
                '--webhook-events',
                WebhookEventName.options,
                webhookEvents ?? WebhookEventName.options.join(','),
              ),
            },
      ...(callerNumber === undefined ? {} : { callerNumber }),
    },
  };
}

function given(option: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is required`);
  return value;
}

function oneOf<Name extends string>(option: string, names: readonly Name[], value: string): Name {
  const found = names.find((name) => name === value);
  if (found === undefined) throw new UsageError(`${option} must be one of ${names.join(', ')}`);
  return found;
}

function listOf<Name extends string>(option: string, names: readonly Name[], value: string): Name[] {
  return [...new Set(value.split(',').map((name) => oneOf(option, names, name.trim())))];
}

/** parseArgs reports unknown and incomplete options as TypeErrors with a code. */
function isUsersMistake(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ServiceError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

try {
  const args = readArguments(process.argv.slice(2));
  if (args === 'help') {
    console.log(help);
  } else {
    const { project, apiKey, webhook } = await createProject(openTable(args.tableName), args.newProject);
    console.log(
      JSON.stringify(
        {
          project_id: project.id,
          api_key: apiKey,
          webhook_signing_secret: webhook?.signing_secret ?? null,
        },
        null,
        2,
      ),
    );
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(
    isUsersMistake(error)
      ? `${message}\n\nTry: npm run create-project -- --help`
      : `The project could not be created: ${message}`,
  );
  process.exitCode = isUsersMistake(error) ? 2 : 1;
}
