import type { BreakdownKind } from '#shared/admin/project-breakdown.ts';
import type { OverviewDays } from '#shared/admin/project-overview.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { MailAddresses } from '#shared/mail/mail-services.ts';
import type { TaskListQuery } from './forms/task-list-query.ts';

/** The URLs of the dashboard, for browsers. */
export type Links = ReturnType<typeof linksBelow>;

/** Prefilled values of the new-task form. */
export interface NewTaskBeginning {
  readonly type?: TaskType;
  readonly patient_id?: string;
  /** ID of the task that prefills the form. */
  readonly like?: string;
  /** The form's key, so that returning to the URL after sending the form does not create another task. */
  readonly form?: string;
}

/** @param publicBaseUrl address of the REST API, which may end in a stage name, without trailing slash */
export function linksBelow(publicBaseUrl: string) {
  const { origin, protocol, pathname } = new URL(publicBaseUrl);
  const stage = pathname.replace(/\/$/, '');
  const root = `${stage}/dashboard`;
  const project = (projectId: string): string => `${root}/projects/${projectId}`;
  /** A page of a project. @param rest path below the page */
  const page =
    (path: string) =>
    (projectId: string, rest = ''): string =>
      `${project(projectId)}/${path}${rest}`;
  /** The pages of one item of a project. */
  const pageOfOne =
    (path: string) =>
    (projectId: string, id: string, rest = ''): string =>
      `${project(projectId)}/${path}/${id}${rest}`;
  /** A list of tasks, or a page below it. */
  const list = (path: string) => (projectId: string, query?: TaskListQuery) =>
    `${project(projectId)}/${path}${queryText(query)}`;
  const webhook = pageOfOne('webhooks');
  return {
    /** Of the REST API, without trailing slash. */
    api: `${origin}${stage}`,
    /** `https://host`, without a path. */
    origin,
    /** The base path of the dashboard. */
    root,
    home: root,
    isHttps: protocol === 'https:',
    /** Absolute, because the identity provider compares it with the registered addresses. */
    signedIn: `${origin}${root}/signed-in`,
    signOut: `${root}/sign-out`,
    /** Returns the seconds until the session ends. */
    session: `${root}/session`,
    newProject: `${root}/new-project`,
    /** @param to path below the root to go to afterwards */
    signIn: (to: string) => `${root}/sign-in?to=${encodeURIComponent(to)}`,
    welcome: (to: string) => (to === '/' ? root : `${root}?to=${encodeURIComponent(to)}`),
    asset: (name: string) => `${root}/assets/${name}`,
    /** Its overview. */
    project,
    /** The overview's figures, grouped. */
    results: (projectId: string, query: { readonly by: BreakdownKind; readonly days: OverviewDays }) =>
      `${project(projectId)}/results${queryText(query)}`,
    general: page('settings'),
    apiKeys: page('api-keys'),
    apiKey: (projectId: string, apiKeyId: string, action: 'revoke' | 'rotate') =>
      `${project(projectId)}/api-keys/${apiKeyId}/${action}`,
    webhooks: page('webhooks'),
    webhook,
    delivery: (projectId: string, webhookId: string, deliveryId: string, rest = '') =>
      `${webhook(projectId, webhookId)}/deliveries/${deliveryId}${rest}`,
    members: page('members'),
    /** Where an invited person becomes a member. */
    join: pageOfOne('join'),
    /** The reader's own email alerts. */
    alerts: page('alerts'),
    /** Unsubscribes without a sign-in. */
    unsubscribe: (projectId: string, token: string) => `${root}/unsubscribe/${projectId}/${token}`,
    auditLog: page('audit-log'),
    tasks: list('tasks'),
    tasksFile: list('tasks-file'),
    tasksVersion: list('tasks-version'),
    savedViews: page('saved-views'),
    /** Bulk actions on a list's tasks. */
    selectedTasks: (projectId: string, rest = '', query: object = {}) =>
      `${project(projectId)}/selected-tasks${rest}${queryText(query)}`,
    find: page('find'),
    task: pageOfOne('tasks'),
    /** @param beginning prefilled values of the form */
    newTask: (projectId: string, beginning: NewTaskBeginning = {}) => {
      const query = new URLSearchParams({ ...beginning });
      return `${project(projectId)}/new-task${query.size === 0 ? '' : `?${query}`}`;
    },
    patients: page('patients'),
    patient: pageOfOne('patients'),
    editPatient: (projectId: string, patientId: string) => `${project(projectId)}/patients/${patientId}/edit`,
    newPatient: page('new-patient'),
    /** The receipt, by the ID of what is erased. */
    erasure: pageOfOne('erasures'),
    /** Files of patients and tasks. */
    imports: page('imports'),
    import: pageOfOne('imports'),
    /** The headings of a template, for patients alone or with tasks of a type. */
    importTemplate: (projectId: string, type: TaskType | null) =>
      `${project(projectId)}/import-template${type === null ? '' : `?type=${type}`}`,
    doNotCall: page('do-not-call'),
    destinations: page('destinations'),
    newDestination: page('new-destination'),
    /**
     * Without the plus sign, so that the sign-in returns to it.
     *
     * @param phoneNumber E.164
     */
    destination: (projectId: string, phoneNumber: string) =>
      `${project(projectId)}/destinations/${phoneNumber.slice(1)}`,
    /** Of questions. */
    templates: page('templates'),
    recording: (projectId: string, callId: string) => `${project(projectId)}/calls/${callId}/recording`,
    /** The recording as a download. */
    recordingFile: (projectId: string, callId: string) =>
      `${project(projectId)}/calls/${callId}/recording?download=1`,
    /** The API reference, with the project's ID in its examples. */
    docs: (projectId: string) => `${stage}/docs?project_id=${projectId}`,
  };
}

/** Pages that emails link to, with the host. */
export function mailAddresses(links: Links): MailAddresses {
  const { origin } = links;
  return {
    join: (projectId, token) => `${origin}${links.join(projectId, token)}`,
    tasks: (projectId, filter) => `${origin}${links.tasks(projectId, filter)}`,
    alerts: (projectId) => `${origin}${links.alerts(projectId)}`,
    unsubscribe: (projectId, token) => `${origin}${links.unsubscribe(projectId, token)}`,
  };
}

/** Empty for no query. */
function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** So that it fits the cookie that carries it to the identity provider and back. */
const longestQuery = 1500;

/**
 * A dashboard path with its query to open after sign-in; the first page for anything else, to prevent open redirects.
 */
export function safeReturnPath(to: string | undefined): string {
  const [, path, query = ''] = /^((?:\/[A-Za-z0-9_-]+)+)(\?[A-Za-z0-9_=&.%+-]*)?$/.exec(to ?? '') ?? [];
  if (path === undefined) return '/';
  return query.length > longestQuery ? path : `${path}${query}`;
}
