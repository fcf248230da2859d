import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { readAlertFrequency, setAlertFrequency, unsubscribe } from '#shared/admin/alerts.ts';
import { AlertFrequency } from '#shared/domain/alert.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FormProblems, formStatus, textOf } from '../forms/form-values.ts';
import { afterwards } from '../layout/notices.tsx';
import { AlertsPage, UnsubscribePage } from '../pages/alerts-page.tsx';
import { authorizeNamedProject } from './request-context.ts';
import { submitForm } from './submit-form.ts';

const AlertForm = z.object({ frequency: AlertFrequency });
const problems: FormProblems = {
  sentences: { frequency: 'Choose how often you want to get email' },
  refusedAt: 'frequency',
};

/** A member's email alerts about a project, if the service sends email. */
export function addAlertPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, sendsMail } = services;
  if (!sendsMail) return;
  const path = '/projects/:project_id/alerts';

  app.get(path, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'tasks.read');
    const frequency = await readAlertFrequency(table, access);
    return context.html(
      <AlertsPage view={view} values={{ frequency }} errors={{}} done={context.req.query('done')} />,
    );
  });

  app.post(path, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'tasks.read');
    const values = { frequency: textOf(await context.req.formData(), 'frequency') };
    const saved = await submitForm(AlertForm, values, problems, ({ frequency }) =>
      setAlertFrequency(table, access, { frequency, timeZone: view.timeZone }, services.now?.()),
    );
    return saved.done
      ? context.redirect(afterwards(links.alerts(access.project.id), 'alerts-saved'), 303)
      : context.html(
          <AlertsPage view={view} values={values} errors={saved.errors} done={undefined} />,
          formStatus(saved.errors),
        );
  });
}

/**
 * Unsubscribes a member by the link in an email (RFC 8058), for anyone who has it. Opening the link asks first,
 * because email scanners open links, too.
 */
export function addUnsubscribePage(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;
  const path = '/unsubscribe/:project_id/:token';

  app.get(path, (context) => context.html(<UnsubscribePage links={links} isDone={false} />));

  app.post(path, async (context) => {
    const { project_id, token } = context.req.param();
    const { requestId, sourceIp } = context.env;
    await unsubscribe(table, project_id, token, {
      origin: { requestId, sourceIp, reason: null },
      now: services.now?.(),
    });
    return context.html(<UnsubscribePage links={links} isDone />);
  });
}
