import type { BreakdownKind } from '#shared/admin/project-breakdown.ts';
import type { OverviewDays } from '#shared/admin/project-overview.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { MailAddresses } from '#shared/mail/mail-services.ts';
import type { TaskListQuery } from './forms/task-list-query.ts';

/** Every address of the dashboard, as the browser has to ask for it. */
export interface Links {
  /** Of the REST API, without a slash at its end. */
  readonly api: string;
  /** `https://host`, without a path. */
  readonly origin: string;
  /** The path that everything lies below. */
  readonly root: string;
  readonly home: string;
  readonly isHttps: boolean;
  /** Absolute, because the identity provider compares it with the addresses that it was told. */
  readonly signedIn: string;
  readonly signOut: string;
  /** Answers with the seconds until the session ends. */
  readonly session: string;
  readonly newProject: string;
  /** @param to path below the root to go to afterwards */
  signIn(to: string): string;
  welcome(to: string): string;
  asset(name: string): string;
  /** Its overview. */
  project(projectId: string): string;
  /** The overview's figures, grouped. */
  results(projectId: string, query: { readonly by: BreakdownKind; readonly days: OverviewDays }): string;
  general(projectId: string): string;
  apiKeys(projectId: string): string;
  apiKey(projectId: string, apiKeyId: string, action: 'revoke' | 'rotate'): string;
  webhooks(projectId: string): string;
  webhook(projectId: string, webhookId: string, rest?: string): string;
  delivery(projectId: string, webhookId: string, deliveryId: string, rest?: string): string;
  members(projectId: string, rest?: string): string;
  /** Where an invited person becomes a member. */
  join(projectId: string, token: string): string;
  /** The reader's own alerts by mail. */
  alerts(projectId: string): string;
  /** Ends them without a sign-in. */
  unsubscribe(projectId: string, token: string): string;
  auditLog(projectId: string): string;
  tasks(projectId: string, query?: TaskListQuery): string;
  tasksVersion(projectId: string, query?: TaskListQuery): string;
  tasksFile(projectId: string, query?: TaskListQuery): string;
  savedViews(projectId: string, rest?: string): string;
  /** Bulk actions on a list's tasks. */
  selectedTasks(projectId: string, rest?: string): string;
  find(projectId: string): string;
  task(projectId: string, taskId: string, rest?: string): string;
  /** @param beginning what the form is filled in with */
  newTask(projectId: string, beginning?: NewTaskBeginning): string;
  patients(projectId: string): string;
  patient(projectId: string, patientId: string, rest?: string): string;
  editPatient(projectId: string, patientId: string): string;
  newPatient(projectId: string): string;
  /** The receipt, by the identifier of what is erased. */
  erasure(projectId: string, id: string): string;
  doNotCall(projectId: string): string;
  destinations(projectId: string): string;
  newDestination(projectId: string): string;
  /** @param phoneNumber E.164 */
  destination(projectId: string, phoneNumber: string): string;
  /** Of questions. */
  templates(projectId: string, rest?: string): string;
  /** Files of patients and tasks. */
  imports(projectId: string): string;
  import(projectId: string, importId: string, rest?: string): string;
  /** The headings of a template, for patients alone or with tasks of a type. */
  importTemplate(projectId: string, type: TaskType | null): string;
  recording(projectId: string, callId: string): string;
  /** The recording as a file to keep. */
  recordingFile(projectId: string, callId: string): string;
  /** The description of the API, with the project's identifier in its examples. */
  docs(projectId: string): string;
}

/** What the form of a new task is filled in with. */
export interface NewTaskBeginning {
  readonly type?: TaskType;
  readonly patient_id?: string;
  /** Identifier of the task that fills in the form. */
  readonly like?: string;
  /**
   * The form's key, so that returning to the address after sending the form does not create another
   * task.
   */
  readonly form?: string;
}

/**
 * @param publicBaseUrl address of the REST API, which may end in the name of its stage, without a slash at
 * its end
 */
export function linksBelow(publicBaseUrl: string): Links {
  const { origin, protocol, pathname } = new URL(publicBaseUrl);
  const stage = pathname.replace(/\/$/, '');
  const root = `${stage}/dashboard`;
  const project = (projectId: string): string => `${root}/projects/${projectId}`;
  const webhook = (projectId: string, webhookId: string, rest = ''): string =>
    `${project(projectId)}/webhooks/${webhookId}${rest}`;
  return {
    api: `${origin}${stage}`,
    origin,
    root,
    home: root,
    isHttps: protocol === 'https:',
    signedIn: `${origin}${root}/signed-in`,
    signOut: `${root}/sign-out`,
    session: `${root}/session`,
    newProject: `${root}/new-project`,
    signIn: (to) => `${root}/sign-in?to=${encodeURIComponent(to)}`,
    welcome: (to) => (to === '/' ? root : `${root}?to=${encodeURIComponent(to)}`),
    asset: (name) => `${root}/assets/${name}`,
    project,
    results: (projectId, query) => `${project(projectId)}/results${queryText(query)}`,
    general: (projectId) => `${project(projectId)}/settings`,
    apiKeys: (projectId) => `${project(projectId)}/api-keys`,
    apiKey: (projectId, apiKeyId, action) => `${project(projectId)}/api-keys/${apiKeyId}/${action}`,
    webhooks: (projectId) => `${project(projectId)}/webhooks`,
    webhook,
    delivery: (projectId, webhookId, deliveryId, rest = '') =>
      `${webhook(projectId, webhookId)}/deliveries/${deliveryId}${rest}`,
    members: (projectId, rest = '') => `${project(projectId)}/members${rest}`,
    join: (projectId, token) => `${project(projectId)}/join/${token}`,
    alerts: (projectId) => `${project(projectId)}/alerts`,
    unsubscribe: (projectId, token) => `${root}/unsubscribe/${projectId}/${token}`,
    auditLog: (projectId) => `${project(projectId)}/audit-log`,
    tasks: (projectId, query) => `${project(projectId)}/tasks${queryText(query)}`,
    tasksFile: (projectId, query) => `${project(projectId)}/tasks-file${queryText(query)}`,
    tasksVersion: (projectId, query) => `${project(projectId)}/tasks-version${queryText(query)}`,
    savedViews: (projectId, rest = '') => `${project(projectId)}/saved-views${rest}`,
    selectedTasks: (projectId, rest = '') => `${project(projectId)}/selected-tasks${rest}`,
    find: (projectId) => `${project(projectId)}/find`,
    task: (projectId, taskId, rest = '') => `${project(projectId)}/tasks/${taskId}${rest}`,
    newTask: (projectId, beginning = {}) => {
      const query = new URLSearchParams({ ...beginning });
      return `${project(projectId)}/new-task${query.size === 0 ? '' : `?${query}`}`;
    },
    patients: (projectId) => `${project(projectId)}/patients`,
    patient: (projectId, patientId, rest = '') => `${project(projectId)}/patients/${patientId}${rest}`,
    editPatient: (projectId, patientId) => `${project(projectId)}/patients/${patientId}/edit`,
    newPatient: (projectId) => `${project(projectId)}/new-patient`,
    erasure: (projectId, id) => `${project(projectId)}/erasures/${id}`,
    imports: (projectId) => `${project(projectId)}/imports`,
    import: (projectId, importId, rest = '') => `${project(projectId)}/imports/${importId}${rest}`,
    importTemplate: (projectId, type) =>
      `${project(projectId)}/import-template${type === null ? '' : `?type=${type}`}`,
    doNotCall: (projectId) => `${project(projectId)}/do-not-call`,
    destinations: (projectId) => `${project(projectId)}/destinations`,
    newDestination: (projectId) => `${project(projectId)}/new-destination`,
    // Without the plus sign, so that the sign-in leads back to it.
    destination: (projectId, phoneNumber) => `${project(projectId)}/destinations/${phoneNumber.slice(1)}`,
    templates: (projectId, rest = '') => `${project(projectId)}/templates${rest}`,
    recording: (projectId, callId) => `${project(projectId)}/calls/${callId}/recording`,
    recordingFile: (projectId, callId) => `${project(projectId)}/calls/${callId}/recording?download=1`,
    docs: (projectId) => `${stage}/docs?project_id=${projectId}`,
  };
}

/** Pages that mail leads to, with the host. */
export function mailAddresses(links: Links): MailAddresses {
  const { origin } = links;
  return {
    join: (projectId, token) => `${origin}${links.join(projectId, token)}`,
    tasks: (projectId, filter) => `${origin}${links.tasks(projectId, filter)}`,
    alerts: (projectId) => `${origin}${links.alerts(projectId)}`,
    unsubscribe: (projectId, token) => `${origin}${links.unsubscribe(projectId, token)}`,
  };
}

/** Nothing for no query. */
function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/**
 * A path of the dashboard to go to after the sign-in; anything else is the first page, so that nobody is
 * led away.
 */
export function safeReturnPath(to: string | undefined): string {
  return to !== undefined && /^(?:\/[A-Za-z0-9_-]+)+$/.test(to) ? to : '/';
}
