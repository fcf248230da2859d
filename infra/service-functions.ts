import type { Stack } from 'aws-cdk-lib/core';
import type { ServiceContext } from './constructs/service-context.ts';
import { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
import { methodNotAllowedFunction } from './routes.ts';

const answersRequests = { memoryMb: 1024, timeoutSeconds: 10 } as const;

/**
 * Every function but those of the sandbox phone, which brings its own: first those that answer requests, then those
 * that carry a task out, from its first call to its webhooks.
 */
const definitions = [
  {
    ...answersRequests,
    name: 'create-patient',
    description: 'POST /v1/patient',
    failureMeans: 'Clients cannot register patients and get 500.',
  },
  {
    ...answersRequests,
    name: 'get-patient',
    description: 'GET /v1/patient/{patient_id}',
    failureMeans: 'Clients cannot read patients and get 500.',
  },
  {
    ...answersRequests,
    name: 'list-patients',
    description: 'GET /v1/patient',
    failureMeans: 'Clients cannot list patients and get 500.',
  },
  {
    ...answersRequests,
    name: 'create-task',
    description: 'POST /v1/task',
    failureMeans: 'Clients cannot create tasks and get 500, so no new calls are made.',
  },
  {
    ...answersRequests,
    name: 'get-task',
    description: 'GET /v1/task/{task_id}',
    failureMeans: 'Clients cannot read how their tasks stand and get 500.',
  },
  {
    ...answersRequests,
    name: 'list-tasks',
    description: 'GET /v1/task',
    failureMeans: 'Clients cannot list tasks and get 500.',
  },
  {
    ...answersRequests,
    name: 'cancel-task',
    description: 'POST /v1/task/{task_id}/cancel',
    failureMeans: 'Clients cannot cancel tasks and get 500, so calls that nobody wants any more are made.',
  },
  {
    ...answersRequests,
    name: 'get-call-recording',
    description: 'GET /v1/call/{call_id}/recording',
    failureMeans: 'Clients cannot fetch recordings and get 500.',
  },
  {
    ...answersRequests,
    name: 'open-api',
    description: 'The description of the API, and a page that shows it',
    failureMeans: 'Nobody can read how the API is to be used; the API itself works.',
  },
  {
    ...answersRequests,
    name: 'dashboard',
    description: 'The pages on which people manage projects',
    failureMeans: 'People see an error in place of a page of the dashboard; the API works.',
  },
  {
    ...answersRequests,
    name: 'admin-members',
    description: 'Who may enter a project, for its owners',
    failureMeans: 'Nobody can be let into a project or taken out of it.',
  },
  {
    ...answersRequests,
    name: 'admin-audit-log',
    description: 'GET /admin/projects/{project_id}/audit-log',
    failureMeans: 'Nobody can read what was done in a project; it is written down all the same.',
  },
  {
    ...answersRequests,
    name: 'admin-projects',
    description: 'The projects of the management API',
    failureMeans: 'People cannot create or change projects and get 500; calls go on.',
  },
  {
    ...answersRequests,
    name: 'admin-patients',
    description: 'The patients of the management API',
    failureMeans: 'People cannot look at patients and get 500; calls go on.',
  },
  {
    ...answersRequests,
    name: 'admin-api-keys',
    description: 'The API keys of the management API',
    failureMeans: 'Nobody can create or revoke API keys; those that there are work.',
  },
  {
    ...answersRequests,
    name: 'admin-webhooks',
    description: '/admin/projects/{project_id}/webhooks, their secrets and deliveries',
    failureMeans: 'Owners cannot manage webhooks or look at what was sent, and get 500; sending goes on.',
  },
  {
    ...answersRequests,
    name: 'admin-tasks',
    description: 'The tasks and recordings of the management API',
    failureMeans: 'People cannot look at tasks, create or cancel them and get 500; calls go on.',
  },
  {
    ...answersRequests,
    name: methodNotAllowedFunction,
    description: '405 for every method that a path does not have',
    failureMeans: 'Clients that use a wrong method get 500 instead of an answer that says so.',
  },
  {
    ...answersRequests,
    name: 'carrier-callback',
    description: 'Verifies what the carrier reports about a call and passes it on',
    failureMeans:
      'Calls that are answered hear nothing, and the progress of calls is seen late or not at all.',
  },
  {
    name: 'call-runner',
    description: 'Places calls and follows them to their end',
    memoryMb: 512,
    timeoutSeconds: 60,
    failureMeans: 'Calls are placed late, or ended calls stay in progress until the queue tries again.',
    feedsItself: true,
  },
  {
    name: 'recording-keeper',
    description: 'Fetches recordings from the carrier and deletes those that are no longer wanted',
    memoryMb: 512,
    // The longest recording over a slow line: as long as a function can run.
    timeoutSeconds: 15 * 60,
    failureMeans: 'Recordings are stored late, so calls stay in progress, or are kept for too long.',
    feedsItself: true,
  },
  {
    name: 'call-sweeper',
    description: 'Finds tasks, calls and webhook deliveries whose time has come',
    memoryMb: 512,
    timeoutSeconds: 50,
    failureMeans: 'Redials, lost calls and retried webhooks wait until the sweeper runs again.',
  },
  {
    name: 'voice-agent',
    description: 'Holds the conversation, one frame of the relay at a time',
    memoryMb: 1024,
    // Below the gateway's 29 s, after which it would send the carrier an error frame of its own.
    timeoutSeconds: 25,
    failureMeans: 'The agent falls silent in the middle of calls.',
  },
  {
    name: 'conversation-watch',
    description: 'Notices when nothing is heard on a line any more, or when a hold takes too long',
    memoryMb: 1024,
    timeoutSeconds: 25,
    failureMeans: 'Calls on which nobody speaks, or which stay on hold, last longer than they should.',
    feedsItself: true,
  },
  {
    name: 'webhook-fanout',
    description: 'Turns finished calls and tasks into webhook deliveries',
    memoryMb: 512,
    timeoutSeconds: 30,
    failureMeans: 'Clients are told late that calls and tasks are completed.',
  },
  {
    name: 'webhook-delivery',
    description: 'Sends one webhook to one endpoint',
    memoryMb: 512,
    timeoutSeconds: 20,
    failureMeans: 'Webhooks are not sent for a fault of ours and wait for the queue to try again.',
    feedsItself: true,
  },
] as const satisfies readonly ServiceFunctionProps[];

export type ServiceFunctionName = (typeof definitions)[number]['name'];

/** Adds the functions to the stack; what they may use is given to them by those who have it. */
export function addServiceFunctions(
  stack: Stack,
  context: ServiceContext,
): (name: ServiceFunctionName) => ServiceFunction {
  const functions = new Map<string, ServiceFunction>(
    definitions.map((definition) => [definition.name, new ServiceFunction(stack, context, definition)]),
  );
  return (name) => {
    const found = functions.get(name);
    if (found === undefined) throw new Error(`The stack has no function ${name}`);
    return found;
  };
}
