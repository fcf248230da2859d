import type { Hono } from 'hono';
import {
  type CreatedApiKey,
  createApiKey,
  NewApiKey,
  readApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '#shared/admin/api-keys.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FieldErrors, type FormProblems, formStatus, numberOf, textOf } from '../forms/form-values.ts';
import { afterwards } from '../layout/notices.tsx';
import { ApiKeysPage, keyLifetimes, type NewKeyForm } from '../pages/api-keys-page.tsx';
import {
  attempt,
  authorizeNamedProject,
  callerOf,
  type DashboardContext,
  nextAddress,
  parameterOf,
  positionOf,
} from './request-context.ts';
import { submitForm } from './submit-form.ts';

const dayMs = 24 * 60 * 60 * 1000;
const emptyForm: NewKeyForm = { name: '', lifetime_days: '' };
const problems: FormProblems = {
  fieldOf: ([member]) => (member === 'name' ? 'name' : 'lifetime_days'),
  sentences: {
    name: 'Give the key a name of 1 to 100 characters',
    lifetime_days: 'Choose when the key expires',
  },
  refusedAt: 'lifetime_days',
};

interface Shown {
  readonly values?: NewKeyForm;
  readonly errors?: FieldErrors;
  readonly created?: CreatedApiKey;
}

/** Project Settings > API Keys. */
export function addApiKeyPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  const show = async (
    context: DashboardContext,
    { values = emptyForm, errors = {}, created }: Shown = {},
  ) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const page = await readApiKeys(table, callerOf(context, services), project.id, positionOf(context));
    // The list lags a moment behind, and whoever has just made a key looks for it there.
    const others = page.api_keys.filter(({ id }) => id !== created?.id);
    return context.html(
      <ApiKeysPage
        view={view}
        apiKeys={created === undefined ? others : [created, ...others]}
        next={nextAddress(links.apiKeys(project.id), page.next_cursor)}
        values={values}
        errors={errors}
        done={context.req.query('done')}
        created={created ?? null}
        now={new Date()}
      />,
      formStatus(errors),
    );
  };

  app.get('/projects/:project_id/api-keys', (context) => show(context));

  app.post('/projects/:project_id/api-keys', async (context) => {
    const form = await context.req.formData();
    const values = { name: textOf(form, 'name'), lifetime_days: textOf(form, 'lifetime_days') };
    const sent = { name: values.name, ...expiryOf(values) };
    const projectId = parameterOf(context, 'project_id');
    const made = await submitForm(NewApiKey, sent, problems, (body) =>
      createApiKey(table, callerOf(context, services), projectId, body),
    );
    // Shown in the answer itself: a key must not stand in an address, nor be kept for the page after this one. So there
    // is nothing to answer the same form with again: sent twice, it makes two keys, of which the list shows both.
    return made.done
      ? show(context, { created: made.result })
      : show(context, { values, errors: made.errors });
  });

  app.post('/projects/:project_id/api-keys/:api_key_id/revoke', async (context) => {
    const projectId = parameterOf(context, 'project_id');
    const caller = callerOf(context, services);
    await revokeApiKey(table, caller, { projectId, apiKeyId: parameterOf(context, 'api_key_id') });
    return context.redirect(afterwards(links.apiKeys(projectId), 'key-revoked'), 303);
  });

  app.post('/projects/:project_id/api-keys/:api_key_id/rotate', async (context) => {
    const rotated = await attempt(() =>
      rotateApiKey(
        table,
        callerOf(context, services),
        { projectId: parameterOf(context, 'project_id'), apiKeyId: parameterOf(context, 'api_key_id') },
        {},
      ),
    );
    return rotated.done
      ? show(context, { created: rotated.result })
      : show(context, { errors: rotated.errors });
  });
}

function expiryOf({ lifetime_days }: NewKeyForm): { expires_at?: string } {
  if (lifetime_days === '') return {};
  const isOffered = keyLifetimes.some(({ value }) => value === lifetime_days);
  // What the form does not offer is no date, which the schema refuses.
  return {
    expires_at: isOffered ? new Date(Date.now() + numberOf(lifetime_days) * dayMs).toISOString() : '',
  };
}
