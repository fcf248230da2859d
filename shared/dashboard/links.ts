import type { BreakdownKind } from '#shared/admin/project-breakdown.ts';
import type { OverviewDays } from '#shared/admin/project-overview.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { MailAddresses } from '#shared/mail/mail-services.ts';
import type { TaskListQuery } from './forms/task-list-query.ts';

/** The addresses of the dashboard, as the browser has to ask for them. */
export type Links = ReturnType<typeof linksBelow>;

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
export function linksBelow(publicBaseUrl: string) {
  const { origin, protocol, pathname } = new URL(publicBaseUrl);
  const stage = pathname.replace(/\/$/, '');
  const root = `${stage}/dashboard`;
  const project = (projectId: string): string => `${root}/projects/${projectId}`;
  /** A page of a project. @param rest of the address of what belongs to the page */
  const page =
    (path: string) =>
    (projectId: string, rest = ''): string =>
      `${project(projectId)}/${path}${rest}`;
  /** The pages of one of several things of a project. */
  const pageOfOne =
    (path: string) =>
    (projectId: string, id: string, rest = ''): string =>
      `${project(projectId)}/${path}/${id}${rest}`;
  /** A list of tasks, or what belongs to it. */
  const list = (path: string) => (projectId: string, query?: TaskListQuery) =>
    `${project(projectId)}/${path}${queryText(query)}`;
  const webhook = pageOfOne('webhooks');
  return {
    /** Of the REST API, without a slash at its end. */
    api: `${origin}${stage}`,
    /** `https://host`, without a path. */
    origin,
    /** The path that everything lies below. */
    root,
    home: root,
    isHttps: protocol === 'https:',
    /** Absolute, because the identity provider compares it with the addresses that it was told. */
    signedIn: `${origin}${root}/signed-in`,
    signOut: `${root}/sign-out`,
    /** Answers with the seconds until the session ends. */
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
    /** The reader's own alerts by mail. */
    alerts: page('alerts'),
    /** Ends them without a sign-in. */
    unsubscribe: (projectId: string, token: string) => `${root}/unsubscribe/${projectId}/${token}`,
    auditLog: page('audit-log'),
    tasks: list('tasks'),
    tasksFile: list('tasks-file'),
    tasksVersion: list('tasks-version'),
    savedViews: page('saved-views'),
    /** Bulk actions on a list's tasks. */
    selectedTasks: page('selected-tasks'),
    find: page('find'),
    task: pageOfOne('tasks'),
    /** @param beginning what the form is filled in with */
    newTask: (projectId: string, beginning: NewTaskBeginning = {}) => {
      const query = new URLSearchParams({ ...beginning });
      return `${project(projectId)}/new-task${query.size === 0 ? '' : `?${query}`}`;
    },
    patients: page('patients'),
    patient: pageOfOne('patients'),
    editPatient: (projectId: string, patientId: string) => `${project(projectId)}/patients/${patientId}/edit`,
    newPatient: page('new-patient'),
    /** The receipt, by the identifier of what is erased. */
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
     * Without the plus sign, so that the sign-in leads back to it.
     *
     * @param phoneNumber E.164
     */
    destination: (projectId: string, phoneNumber: string) =>
      `${project(projectId)}/destinations/${phoneNumber.slice(1)}`,
    /** Of questions. */
    templates: page('templates'),
    recording: (projectId: string, callId: string) => `${project(projectId)}/calls/${callId}/recording`,
    /** The recording as a file to keep. */
    recordingFile: (projectId: string, callId: string) =>
      `${project(projectId)}/calls/${callId}/recording?download=1`,
    /** The description of the API, with the project's identifier in its examples. */
    docs: (projectId: string) => `${stage}/docs?project_id=${projectId}`,
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
