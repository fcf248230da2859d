import { adminRoutes } from './admin-routes.ts';
import type { Route } from './route.ts';

/** The sandbox phone's REST API keeps the carrier's own paths below this prefix, which stands for the carrier's host. */
export const sandboxCarrierPrefix = '/sandbox-phone';

const carrierCallback = {
  method: 'POST',
  function: 'carrier-callback',
  authentication: 'carrier-signature',
  tableAccess: 'read',
} as const;

const openApi = { method: 'GET', function: 'open-api', authentication: 'none', tableAccess: 'none' } as const;

const dashboard = {
  method: 'GET',
  function: 'dashboard',
  authentication: 'session',
  tableAccess: 'write',
} as const;

const carrierAccount = `${sandboxCarrierPrefix}/2010-04-01/Accounts/{account_sid}` as const;
const sandboxPhone = { function: 'sandbox-phone-api', authentication: 'basic', tableAccess: 'none' } as const;

/**
 * The one list of endpoints. The stack, the template tests and the checks that run over every route walk it, so an
 * endpoint exists by being listed here. It imports no library, so that reading it is cheap.
 */
export const routes = [
  {
    method: 'POST',
    path: '/v1/patient',
    function: 'create-patient',
    authentication: 'api-key',
    tableAccess: 'write',
    summary: 'Register a patient in the project of the API key.',
  },
  {
    method: 'GET',
    path: '/v1/patient',
    function: 'list-patients',
    authentication: 'api-key',
    tableAccess: 'read',
    summary: 'List the patients of the project, newest first.',
  },
  {
    method: 'GET',
    path: '/v1/patient/{patient_id}',
    function: 'get-patient',
    authentication: 'api-key',
    tableAccess: 'read',
    summary: 'Read one patient.',
  },
  {
    method: 'POST',
    path: '/v1/task',
    function: 'create-task',
    authentication: 'api-key',
    tableAccess: 'write',
    summary: 'Create a task for a patient; it is carried out by telephone.',
  },
  {
    method: 'GET',
    path: '/v1/task',
    function: 'list-tasks',
    authentication: 'api-key',
    tableAccess: 'read',
    summary: 'List the tasks of the project, newest first; of one status or one patient where asked for.',
  },
  {
    method: 'GET',
    path: '/v1/task/{task_id}',
    function: 'get-task',
    authentication: 'api-key',
    tableAccess: 'read',
    summary: 'Read a task with its newest call, or with all of its calls and their transcripts.',
  },
  {
    method: 'POST',
    path: '/v1/task/{task_id}/cancel',
    function: 'cancel-task',
    authentication: 'api-key',
    tableAccess: 'write',
    summary: 'Cancel a task that is not over; a call that is under way is ended.',
  },
  {
    method: 'GET',
    path: '/v1/call/{call_id}/recording',
    function: 'get-call-recording',
    authentication: 'api-key',
    tableAccess: 'read',
    summary: 'Redirect to the recording of a call by a link that lives a few minutes.',
  },
  {
    ...openApi,
    path: '/openapi.json',
    summary: 'Read the description of the API.',
  },
  {
    ...openApi,
    path: '/docs',
    summary: 'Read the description of the API as a page.',
  },
  {
    ...openApi,
    path: '/docs/{asset}',
    summary: 'Fetch what the page is made of.',
  },
  {
    ...carrierCallback,
    path: '/carrier/answer/{task_id}/{call_id}',
    summary: 'The carrier asks what to do with a call that was answered.',
  },
  {
    ...carrierCallback,
    path: '/carrier/status/{task_id}/{call_id}',
    summary: 'The carrier reports how a call goes on.',
  },
  {
    ...carrierCallback,
    path: '/carrier/amd/{task_id}/{call_id}',
    summary: 'The carrier reports who took a call: a person, a machine, a fax.',
  },
  {
    ...carrierCallback,
    path: '/carrier/recording/{task_id}/{call_id}',
    summary: 'The carrier reports that a recording can be fetched, or that there is none.',
  },
  {
    ...carrierCallback,
    path: '/carrier/relay-end/{task_id}/{call_id}',
    summary: 'The carrier reports that the conversation is over and asks what to do next.',
  },
  {
    ...sandboxPhone,
    method: 'POST',
    path: `${carrierAccount}/Calls.json`,
    summary: 'Sandbox phone: place a call.',
  },
  {
    ...sandboxPhone,
    method: 'GET',
    path: `${carrierAccount}/Calls.json`,
    summary: 'Sandbox phone: list calls.',
  },
  {
    ...sandboxPhone,
    method: 'GET',
    path: `${carrierAccount}/Calls/{call}`,
    summary: 'Sandbox phone: read a call.',
  },
  {
    ...sandboxPhone,
    method: 'POST',
    path: `${carrierAccount}/Calls/{call}`,
    summary: 'Sandbox phone: end or cancel a call.',
  },
  {
    ...sandboxPhone,
    method: 'DELETE',
    path: `${carrierAccount}/Calls/{call}`,
    summary: 'Sandbox phone: delete the record of an ended call.',
  },
  {
    ...sandboxPhone,
    method: 'GET',
    path: `${carrierAccount}/Calls/{call}/Recordings.json`,
    summary: 'Sandbox phone: list the recordings of a call.',
  },
  {
    ...sandboxPhone,
    method: 'POST',
    path: `${carrierAccount}/Calls/{call}/Recordings.json`,
    summary: 'Sandbox phone: start a recording, which calls on the relay refuse.',
  },
  {
    ...sandboxPhone,
    method: 'GET',
    path: `${carrierAccount}/Calls/{call}/Recordings/{recording}`,
    summary: 'Sandbox phone: read a recording of a call.',
  },
  {
    ...sandboxPhone,
    method: 'DELETE',
    path: `${carrierAccount}/Calls/{call}/Recordings/{recording}`,
    summary: 'Sandbox phone: delete a recording of a call.',
  },
  {
    ...sandboxPhone,
    method: 'GET',
    path: `${carrierAccount}/Recordings.json`,
    summary: 'Sandbox phone: list recordings.',
  },
  {
    ...sandboxPhone,
    method: 'GET',
    path: `${carrierAccount}/Recordings/{recording}`,
    summary: 'Sandbox phone: read a recording, or its audio.',
  },
  {
    ...sandboxPhone,
    method: 'DELETE',
    path: `${carrierAccount}/Recordings/{recording}`,
    summary: 'Sandbox phone: delete a recording.',
  },
  ...adminRoutes,
  { ...dashboard, path: '/dashboard', summary: 'Dashboard: sign in, or see the projects.' },
  { ...dashboard, path: '/dashboard/{proxy+}', summary: 'Dashboard: its pages, and what its forms do.' },
] as const satisfies readonly Route[];

/** The functions that answer REST requests, as the table names them. */
export type RestFunctionName = (typeof routes)[number]['function'];

export const restFunctionNames: readonly RestFunctionName[] = [
  ...new Set(routes.map((route) => route.function)),
];

/** Answers every method that the table does not list for one of its paths. */
export const methodNotAllowedFunction = 'method-not-allowed';

/**
 * A function of the management API, or of the dashboard, answers every method of its paths, because its routes are too
 * many for one variable that lists them.
 */
export function answersAllMethods(route: Route): boolean {
  return route.authentication === 'oidc' || route.authentication === 'session';
}

/** Resource path → the methods the table lists for it, in the table's order; of the paths where others are refused. */
export function methodsByPath(table: readonly Route[] = routes): Record<string, Route['method'][]> {
  const methods: Record<string, Route['method'][]> = {};
  for (const route of table) {
    if (answersAllMethods(route)) continue;
    methods[route.path] = [...(methods[route.path] ?? []), route.method];
  }
  return methods;
}

/** What each REST function may do with the service's table: the most that any of its routes needs. */
export function tableAccessOf(name: RestFunctionName): Route['tableAccess'] {
  const accesses = routes.filter((route) => route.function === name).map((route) => route.tableAccess);
  if (accesses.some((access) => access === 'write')) {
    return 'write';
  }
  return accesses.some((access) => access === 'read') ? 'read' : 'none';
}
