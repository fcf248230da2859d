import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ServiceError } from '#shared/domain/errors.ts';
import { logError } from '#shared/observability/log.ts';
import { errorStatus } from '#shared/triggers/error-status.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import type { RawResponse } from '#shared/triggers/http-response.ts';
import { originOf } from '#shared/triggers/request-origin.ts';
import { scriptName, scriptText } from './assets/served-assets.ts';
import type { DashboardRequest, DashboardServices } from './dashboard-services.ts';
import { answerByFetch } from './gateway-fetch.ts';
import { addAlertPages, addUnsubscribePage } from './handlers/alert-handlers.tsx';
import { addApiKeyPages } from './handlers/api-key-handlers.tsx';
import { addDestinationPages } from './handlers/destination-handlers.tsx';
import { addDoNotCallPages } from './handlers/do-not-call-handlers.tsx';
import { addErasurePages } from './handlers/erasure-handlers.tsx';
import { addFollowUpPages } from './handlers/follow-up-handlers.tsx';
import { addImportPages, takesImport } from './handlers/import-handlers.tsx';
import { addMemberPages } from './handlers/member-handlers.tsx';
import { addNewTaskPages } from './handlers/new-task-handlers.tsx';
import { addOverviewPages } from './handlers/overview-handlers.tsx';
import { addPatientExportPages } from './handlers/patient-export-handlers.tsx';
import { addPatientPages } from './handlers/patient-handlers.tsx';
import { addPatientMergePages } from './handlers/patient-merge-handlers.tsx';
import { addProjectPages } from './handlers/project-handlers.tsx';
import type { DashboardContext } from './handlers/request-context.ts';
import { addSavedViewPages } from './handlers/saved-view-handlers.tsx';
import { addSelectedTasksPages } from './handlers/selected-tasks-handlers.tsx';
import { addSignInPages } from './handlers/sign-in-handlers.tsx';
import { addTaskPages } from './handlers/task-handlers.tsx';
import { addTemplatePages } from './handlers/template-handlers.tsx';
import { addWebhookPages } from './handlers/webhook-handlers.tsx';
import { formTokenField } from './layout/post-form.tsx';
import { type Links, safeReturnPath } from './links.ts';
import { pageHeaders } from './page-headers.ts';
import { KeptFormPage } from './pages/kept-form-page.tsx';
import { ProblemPage } from './pages/problem-page.tsx';
import { WelcomePage } from './pages/welcome-page.tsx';
import { readFormToken } from './session/form-token.ts';
import { isFromOwnPage } from './session/same-origin.ts';
import type { TokenSealer } from './session/sealed-token.ts';
import { readSession } from './session/session.ts';

/**
 * Four times the API's body limit: the form of a new task carries as much, and forms encode many characters, including
 * JSON's, as three bytes.
 */
const longestBodyBytes = 1024 * 1024;

/** The dashboard, as a handler of the gateway's requests below its path. */
export function createDashboard(services: DashboardServices): (request: RawRequest) => Promise<RawResponse> {
  const app = dashboardApp(services);
  return (request) =>
    answerByFetch(request, services.links.origin, (webRequest) =>
      app.fetch(webRequest, {
        ...originOf(request),
        bodyBytes: request.body.byteLength,
      }),
    );
}

function dashboardApp(services: DashboardServices): Hono<DashboardRequest> {
  const { links, sealer } = services;
  const app = new Hono<DashboardRequest>();
  app.use(pageHeaders(services));
  app.use(async (context, next) => {
    if (context.env.bodyBytes > longestBodyBytes && !takesImport(context.req.path)) {
      throw new ServiceError('payload_too_large', 'Forms must not be larger than 1 MB');
    }
    await next();
  });
  app.get('/assets/:name', (context) => {
    if (context.req.param('name') !== scriptName) throw notFound();
    return context.text(scriptText, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });
  // Before the session and form checks: email clients have neither.
  addUnsubscribePage(app, services);
  app.use(async (context, next) => {
    context.set('session', await readSession(context, services));
    await refuseForgery(context, services);
    await next();
  });
  app.get('/', async (context, next) => {
    if (context.get('session') !== null) return next();
    return context.html(<WelcomePage links={links} to={safeReturnPath(context.req.query('to'))} />);
  });
  addSignInPages(app, services);
  app.use(async (context, next) => {
    if (context.get('session') !== null) return next();
    const form = await sentForm(context);
    // Only the script of our pages may return a form as one that a click sends.
    const isOurs = form !== null && (await personOf(form, sealer)) !== null;
    return isOurs
      ? context.html(<KeptFormPage links={links} {...keptForm(context, links, form)} />, 401)
      : context.redirect(links.welcome(changesNothing(context) ? addressOf(context) : '/'), 303);
  });
  addProjectPages(app, services);
  addApiKeyPages(app, services);
  addWebhookPages(app, services);
  addMemberPages(app, services);
  addAlertPages(app, services);
  addOverviewPages(app, services);
  addTaskPages(app, services);
  addSelectedTasksPages(app, services);
  addSavedViewPages(app, services);
  addFollowUpPages(app, services);
  addNewTaskPages(app, services);
  addPatientPages(app, services);
  addPatientExportPages(app, services);
  addPatientMergePages(app, services);
  addImportPages(app, services);
  addErasurePages(app, services);
  addDestinationPages(app, services);
  addTemplatePages(app, services);
  addDoNotCallPages(app, services);
  app.notFound(() => {
    throw notFound();
  });
  app.onError((error, context) => {
    const { status, title, text } = problemOf(error);
    return context.html(<ProblemPage links={links} title={title} text={text} />, status);
  });
  return app;
}

/** Admits a change only from a form that our pages issued to the signed-in person. Throws `forbidden`. */
async function refuseForgery(
  context: DashboardContext,
  { links, sealer }: Pick<DashboardServices, 'links' | 'sealer'>,
): Promise<void> {
  if (changesNothing(context)) return;
  const session = context.get('session');
  const isOurs =
    isFromOwnPage((name) => context.req.header(name), links.origin) &&
    (session === null || (await personOf(await sentForm(context), sealer)) === session.person.subject);
  if (!isOurs) {
    throw new ServiceError(
      'forbidden',
      'This form is more than a day old, or was not sent to you by a page of the dashboard',
    );
  }
}

function keptForm({ req }: DashboardContext, { root }: Links, form: FormData) {
  return {
    action: `${root}${req.path}`,
    lacksFile: [...form.values()].some((value) => typeof value !== 'string'),
    fields: [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  };
}

/** The requested path and query, below the dashboard's own path. */
function addressOf({ req }: DashboardContext): string {
  return `${req.path}${new URL(req.url).search}`;
}

function changesNothing({ req }: DashboardContext): boolean {
  return ['GET', 'HEAD'].includes(req.method);
}

/** Null for a request without one. */
async function sentForm(context: DashboardContext): Promise<FormData | null> {
  try {
    return await context.req.formData();
  } catch {
    return null;
  }
}

/** The `subject` of the user the form was issued to; null if none. */
function personOf(form: FormData | null, sealer: TokenSealer): Promise<string | null> {
  return readFormToken(sealer, form?.get(formTokenField));
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'Not found');
}

function problemOf(error: unknown): {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  readonly text: string;
} {
  if (!(error instanceof ServiceError)) {
    logError('request-failed', error);
    return {
      status: 500,
      title: 'Something went wrong',
      text: 'This is an error on our side. Try again in a moment.',
    };
  }
  const { code, detail } = error;
  const status = errorStatus[code];
  return code === 'not_found'
    ? { status, title: 'Not found', text: 'This page does not exist, or you may not see it.' }
    : {
        status,
        title: code === 'forbidden' ? 'You don’t have permission' : 'This could not be done',
        text: `${detail}.`,
      };
}
