import type { Hono } from 'hono';
import * as z from 'zod/mini';
import type { EndpointAddress } from '#shared/admin/authorize-endpoint.ts';
import {
  type DeliveryAddress,
  readDeliveries,
  readDelivery,
  replayOne,
  replaySince,
  testEndpoint,
} from '#shared/admin/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  NewWebhookBody,
  readWebhook,
  readWebhooks,
  revealSecret,
  rotateSecret,
  type WebhookSecret,
} from '#shared/admin/webhooks.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import { WebhookDeliveryStatus } from '#shared/domain/webhook.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { makeOnce, newFormKey, readFormKey, usedFormProblem } from '../forms/form-key.ts';
import { type FieldErrors, formStatus, textOf } from '../forms/form-values.ts';
import { newWebhookForm, readWebhookForm, type WebhookForm, webhookProblems } from '../forms/webhook-form.ts';
import { afterwards, type DoneAction, wholeForm } from '../layout/notices.tsx';
import { DeliveryPage, deliveryVersion } from '../pages/delivery-page.tsx';
import { deliveriesVersion, type ReplayToGoOn, WebhookPage } from '../pages/webhook-page.tsx';
import { WebhooksPage } from '../pages/webhooks-page.tsx';
import {
  attempt,
  authorizeNamedProject,
  callerOf,
  type DashboardContext,
  nextAddress,
  type Outcome,
  parameterOf,
  positionOf,
} from './request-context.ts';
import { shownOnce } from './shown-once.ts';
import { submitForm } from './submit-form.ts';

const webhooksPath = '/projects/:project_id/webhooks';
const webhookPath = `${webhooksPath}/:webhook_id`;
/** The most pages of the log one request searches for failed deliveries; the next request continues. */
const replayedPages = 5;

const ShownSecret = z.object({ webhookId: Uuid, secret: z.string() });

interface Shown {
  readonly values?: WebhookForm;
  readonly errors?: FieldErrors;
  readonly toGoOn?: ReplayToGoOn;
}

/** Project Settings > Webhooks: the endpoints, each with its secret and the log of its deliveries. */
export function addWebhookPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;
  const shownSecret = shownOnce(services, 'signing_secret', ShownSecret);

  const showAll = async (
    context: DashboardContext,
    {
      values = newWebhookForm,
      formKey = newFormKey(),
      errors = {},
    }: Pick<Shown, 'values' | 'errors'> & { readonly formKey?: string } = {},
  ) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const { webhooks } = await readWebhooks(table, callerOf(context, services), project.id);
    return context.html(
      <WebhooksPage
        view={view}
        webhooks={webhooks}
        values={values}
        formKey={formKey}
        errors={errors}
        done={context.req.query('done')}
      />,
      formStatus(errors),
    );
  };

  const readLog = (context: DashboardContext) =>
    readDeliveries(table, callerOf(context, services), addressOf(context), {
      status: statusOf(context),
      position: positionOf(context),
    });

  const show = async (context: DashboardContext, { values, errors = {}, toGoOn }: Shown = {}) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const status = statusOf(context);
    const shown = await shownSecret.take(context);
    const [webhook, page] = await Promise.all([
      readWebhook(table, callerOf(context, services), addressOf(context)),
      readLog(context),
    ]);
    return context.html(
      <WebhookPage
        view={view}
        webhook={webhook}
        deliveries={page.deliveries}
        next={nextAddress(links.webhook(project.id, webhook.id), page.next_cursor, { status })}
        status={status}
        version={deliveriesVersion(page.deliveries)}
        isFollowed={context.req.method === 'GET' && context.req.query('cursor') === undefined}
        values={values ?? webhook}
        errors={errors}
        done={context.req.query('done')}
        secret={shown?.webhookId === webhook.id ? shown.secret : null}
        toGoOn={toGoOn ?? null}
      />,
      formStatus(errors),
    );
  };

  app.get(`${webhookPath}/deliveries-version`, async (context) => {
    const { deliveries } = await readLog(context);
    return context.text(deliveriesVersion(deliveries));
  });

  /** Returns to the endpoint's page after success, or shows the same page with the problem. */
  const settled = (
    context: DashboardContext,
    outcome: Outcome<unknown>,
    action: DoneAction,
    shown: Shown = {},
  ) => {
    const { projectId, webhookId } = addressOf(context);
    return outcome.done
      ? context.redirect(afterwards(links.webhook(projectId, webhookId), action), 303)
      : show(context, { ...shown, errors: outcome.errors });
  };

  const switchTo = async (context: DashboardContext, enabled: boolean) => {
    const [caller, address] = [callerOf(context, services), addressOf(context)];
    const switched = await attempt(() => changeWebhook(services, caller, address, { enabled }));
    return settled(context, switched, 'webhook-saved');
  };

  app.get(webhooksPath, (context) => showAll(context));

  app.post(webhooksPath, async (context) => {
    const { project } = await authorizeNamedProject(context, services, 'webhooks.change');
    const form = await context.req.formData();
    const [formKey, values] = [readFormKey(form), readWebhookForm(form)];
    const created = await submitForm(NewWebhookBody, values, webhookProblems, (body) =>
      makeOnce(table, { scope: project.id, key: formKey, route: webhooksPath, body }, (remember) =>
        createWebhook(services, {
          caller: callerOf(context, services),
          projectId: project.id,
          newWebhook: body,
          alongside: remember,
        }),
      ),
    );
    if (!created.done) return showAll(context, { values, formKey, errors: created.errors });
    return created.result === null
      ? showAll(context, { values, errors: { [wholeForm]: usedFormProblem } })
      : context.redirect(afterwards(links.webhook(project.id, created.result), 'webhook-saved'), 303);
  });

  app.get(webhookPath, (context) => show(context));

  app.post(webhookPath, async (context) => {
    const values = readWebhookForm(await context.req.formData());
    const saved = await submitForm(NewWebhookBody, values, webhookProblems, (body) =>
      changeWebhook(services, callerOf(context, services), addressOf(context), body),
    );
    return settled(context, saved, 'webhook-saved', { values });
  });

  app.post(`${webhookPath}/switch-on`, (context) => switchTo(context, true));

  app.post(`${webhookPath}/switch-off`, (context) => switchTo(context, false));

  app.post(`${webhookPath}/delete`, async (context) => {
    const address = addressOf(context);
    await deleteWebhook(table, callerOf(context, services), address);
    return context.redirect(afterwards(links.webhooks(address.projectId), 'webhook-deleted'), 303);
  });

  const showSecret = async (context: DashboardContext, { signing_secret }: WebhookSecret) => {
    const { projectId, webhookId } = addressOf(context);
    await shownSecret.carry(context, { webhookId, secret: signing_secret });
    return context.redirect(links.webhook(projectId, webhookId), 303);
  };

  app.post(`${webhookPath}/reveal-secret`, async (context) => {
    const revealed = await revealSecret(services, callerOf(context, services), addressOf(context));
    return showSecret(context, revealed);
  });

  app.post(`${webhookPath}/rotate-secret`, async (context) => {
    const caller = callerOf(context, services);
    const rotated = await rotateSecret(services, caller, addressOf(context), { overlap_hours: 24 });
    return showSecret(context, rotated);
  });

  app.post(`${webhookPath}/test`, async (context) =>
    settled(
      context,
      await attempt(() => testEndpoint(services, callerOf(context, services), addressOf(context))),
      'test-sent',
    ),
  );

  app.post(`${webhookPath}/replay`, async (context) => {
    const form = await context.req.formData();
    const day = CalendarDate.safeParse(textOf(form, 'since'));
    if (!day.success)
      return show(context, { errors: { since: 'Enter the day from which to resend failed deliveries' } });
    const replayed = await attempt(() => replayFrom(context, day.data, textOf(form, 'cursor')), 'since');
    return replayed.done && replayed.result !== null
      ? show(context, { toGoOn: replayed.result })
      : settled(context, replayed, 'deliveries-replayed');
  });

  /**
   * @param cursor where an earlier request stopped, or nothing. Returns where to continue, or null when all is done.
   */
  async function replayFrom(
    context: DashboardContext,
    day: string,
    cursor: string,
  ): Promise<ReplayToGoOn | null> {
    const [caller, address] = [callerOf(context, services), addressOf(context)];
    const since = `${day}T00:00:00Z`;
    let position = cursor;
    let replayed = 0;
    for (let page = 0; page < replayedPages; page += 1) {
      const result = await replaySince(services, caller, address, {
        since,
        ...(position === '' ? {} : { cursor: position }),
      });
      replayed += result.replayed;
      if (result.next_cursor === null) return null;
      position = result.next_cursor;
    }
    return { day, cursor: position, replayed };
  }

  const showDelivery = async (context: DashboardContext) => {
    const { view } = await authorizeNamedProject(context, services);
    const [caller, address] = [callerOf(context, services), addressOf(context)];
    const [webhook, delivery] = await Promise.all([
      readWebhook(table, caller, address),
      readDelivery({ table, openBudget: openResponseBudget }, caller, deliveryOf(context)),
    ]);
    return context.html(
      <DeliveryPage view={view} webhook={webhook} delivery={delivery} done={context.req.query('done')} />,
    );
  };

  app.get(`${webhookPath}/deliveries/:delivery_id`, showDelivery);

  app.get(`${webhookPath}/deliveries/:delivery_id/version`, async (context) => {
    const caller = callerOf(context, services);
    const delivery = await readDelivery(
      { table, openBudget: openResponseBudget },
      caller,
      deliveryOf(context),
    );
    return context.text(deliveryVersion(delivery));
  });

  app.post(`${webhookPath}/deliveries/:delivery_id/replay`, async (context) => {
    const { projectId, webhookId, deliveryId } = deliveryOf(context);
    await replayOne(services, callerOf(context, services), { projectId, webhookId, deliveryId });
    return context.redirect(
      afterwards(links.delivery(projectId, webhookId, deliveryId), 'delivery-replayed'),
      303,
    );
  });
}

/** Throws `not_found` for a malformed ID. */
function addressOf(context: DashboardContext): EndpointAddress {
  const webhookId = Uuid.safeParse(parameterOf(context, 'webhook_id'));
  if (!webhookId.success) throw new ServiceError('not_found', 'Webhook not found');
  return { projectId: parameterOf(context, 'project_id'), webhookId: webhookId.data };
}

function deliveryOf(context: DashboardContext): DeliveryAddress {
  return { ...addressOf(context), deliveryId: parameterOf(context, 'delivery_id') };
}

function statusOf(context: DashboardContext): WebhookDeliveryStatus | null {
  return WebhookDeliveryStatus.safeParse(context.req.query('status')).data ?? null;
}
