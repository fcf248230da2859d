import type { Hono } from 'hono';
import * as z from 'zod/mini';
import {
  type CreatedApiKey,
  createApiKey,
  NewApiKey,
  readApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '#shared/admin/api-keys.ts';
import { dayMs, timestampAfter } from '#shared/domain/time.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FieldErrors, type FormProblems, formStatus, numberOf, textOf } from '../forms/form-values.ts';
import { afterwards } from '../layout/notices.tsx';
import { ApiKeysPage, keyLifetimes, type NewKey, type NewKeyForm } from '../pages/api-keys-page.tsx';
import {
  attempt,
  authorizeNamedProject,
  callerOf,
  type DashboardContext,
  nextAddress,
  parameterOf,
  positionOf,
} from './request-context.ts';
import { shownOnce } from './shown-once.ts';
import { submitForm } from './submit-form.ts';

const emptyForm: NewKeyForm = { name: '', lifetime_days: '', scopes: [], allowed_addresses: '' };
const problems: FormProblems = {
  fieldOf: ([member]) => (member === 'expires_at' ? 'lifetime_days' : String(member ?? 'lifetime_days')),
  sentences: {
    name: 'Enter a name of up to 100 visible characters for the key',
    lifetime_days: 'Choose when the key expires',
    scopes: 'Choose from the listed options',
    allowed_addresses: 'Enter up to 20 IP addresses or ranges such as 198.51.100.0/24, one per line',
  },
  refusedAt: 'lifetime_days',
};

const ShownKey = z.object({ projectId: z.string(), id: z.string(), name: z.string(), key: z.string() });

interface Shown {
  readonly values?: NewKeyForm;
  readonly errors?: FieldErrors;
}

/** Project Settings > API Keys. */
export function addApiKeyPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;
  const shown = shownOnce(services, 'new_key', ShownKey);

  const show = async (context: DashboardContext, { values = emptyForm, errors = {} }: Shown = {}) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const created = await takeNewKey(context);
    const page = await readApiKeys(table, callerOf(context, services), project.id, positionOf(context));
    return context.html(
      <ApiKeysPage
        view={view}
        apiKeys={page.api_keys}
        next={nextAddress(links.apiKeys(project.id), page.next_cursor)}
        values={values}
        errors={errors}
        done={context.req.query('done')}
        created={created}
        now={new Date()}
      />,
      formStatus(errors),
    );
  };

  app.get('/projects/:project_id/api-keys', (context) => show(context));

  app.post('/projects/:project_id/api-keys', async (context) => {
    const form = await context.req.formData();
    const values: NewKeyForm = {
      name: textOf(form, 'name'),
      lifetime_days: textOf(form, 'lifetime_days'),
      scopes: form.getAll('scopes').map(String),
      allowed_addresses: textOf(form, 'allowed_addresses'),
    };
    const sent = { name: values.name, ...expiryOf(values), ...limitsOf(values) };
    const projectId = parameterOf(context, 'project_id');
    const made = await submitForm(NewApiKey, sent, problems, (body) =>
      createApiKey(table, callerOf(context, services), projectId, body),
    );
    return made.done
      ? showOnce(context, projectId, made.result)
      : show(context, { values, errors: made.errors });
  });

  app.post('/projects/:project_id/api-keys/:api_key_id/revoke', async (context) => {
    const projectId = parameterOf(context, 'project_id');
    const caller = callerOf(context, services);
    await revokeApiKey(table, caller, { projectId, apiKeyId: parameterOf(context, 'api_key_id') });
    return context.redirect(afterwards(links.apiKeys(projectId), 'key-revoked'), 303);
  });

  app.post('/projects/:project_id/api-keys/:api_key_id/rotate', async (context) => {
    const projectId = parameterOf(context, 'project_id');
    const rotated = await attempt(() =>
      rotateApiKey(
        table,
        callerOf(context, services),
        { projectId, apiKeyId: parameterOf(context, 'api_key_id') },
        {},
      ),
    );
    return rotated.done
      ? showOnce(context, projectId, rotated.result)
      : show(context, { errors: rotated.errors });
  });

  async function showOnce(context: DashboardContext, projectId: string, { id, name, key }: CreatedApiKey) {
    await shown.carry(context, { projectId, id, name, key });
    return context.redirect(links.apiKeys(projectId), 303);
  }

  async function takeNewKey(context: DashboardContext): Promise<NewKey | null> {
    const key = await shown.take(context);
    return key?.projectId === parameterOf(context, 'project_id') ? key : null;
  }
}

/** Empty fields set no limit. */
function limitsOf({ scopes, allowed_addresses }: NewKeyForm) {
  const addresses = allowed_addresses.split(/[\s,]+/).filter((address) => address !== '');
  return {
    ...(scopes.length === 0 ? {} : { scopes: [...scopes] }),
    ...(addresses.length === 0 ? {} : { allowed_addresses: addresses }),
  };
}

function expiryOf({ lifetime_days }: NewKeyForm): { expires_at?: string } {
  if (lifetime_days === '') return {};
  const isOffered = keyLifetimes.some(({ value }) => value === lifetime_days);
  // A value not offered becomes an invalid date, which the schema refuses.
  return {
    expires_at: isOffered ? timestampAfter(new Date(), numberOf(lifetime_days) * dayMs) : '',
  };
}
