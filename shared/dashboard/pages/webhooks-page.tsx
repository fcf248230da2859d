import type { WebhookResource } from '#shared/admin/webhooks.ts';
import { may } from '#shared/domain/permissions.ts';
import { PayloadForm, WebhookEventName } from '#shared/domain/webhook.ts';
import { formKeyField } from '../forms/form-key.ts';
import type { WebhookForm } from '../forms/webhook-form.ts';
import { DataTable } from '../layout/data-table.tsx';
import { type Choice, Choices, fieldsOf, TextField } from '../layout/fields.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { type FormPageProps, PermittedForm } from '../layout/permitted-form.tsx';
import { ProjectPage } from '../layout/project-page.tsx';

const eventNames: Readonly<Record<WebhookEventName, { label: string; hint: string }>> = {
  'task.completed': { label: 'task.completed', hint: 'A task has ended, with any outcome.' },
  'call.completed': {
    label: 'call.completed',
    hint: 'A call has ended; its transcript and recording are available.',
  },
  'task.started': { label: 'task.started', hint: 'The first call for a task is about to be placed.' },
  'call.started': { label: 'call.started', hint: 'The telephone carrier has accepted a call.' },
  'call.failed': {
    label: 'call.failed',
    hint: 'A call has failed; sent in addition to call.completed.',
  },
  'task.needs_review': {
    label: 'task.needs_review',
    hint: 'A task has ended and one of its answers needs review; sent in addition to task.completed.',
  },
};

export const payloadNames: Readonly<Record<PayloadForm, Omit<Choice, 'value'>>> = {
  minimal: { label: 'Identifiers only', hint: 'The IDs of task and call, without health information.' },
  full: {
    label: 'The whole task',
    isRisky: true,
    hint:
      'Sends health information to your endpoint: what the call was for, what was found out, ' +
      'phone numbers and names. Choose it only if your endpoint may hold such data.',
  },
};

export interface WebhooksPageProps extends FormPageProps<WebhookForm> {
  readonly webhooks: readonly WebhookResource[];
  readonly formKey: string;
}

/** Project Settings > Webhooks. */
export function WebhooksPage({ view, webhooks, values, formKey, errors, done }: WebhooksPageProps) {
  const { links, project } = view;
  return (
    <ProjectPage
      view={view}
      section="Webhooks"
      intro="Notify your software when a call or a task ends, with a signed request to your endpoint."
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <section class="card">
        <h2>Endpoints</h2>
        {webhooks.length === 0 ? (
          <p class="empty quiet">
            {may(view.role, 'webhooks.change') ? 'No endpoints yet. Add one below.' : 'No endpoints yet.'}
          </p>
        ) : (
          <DataTable
            label="Webhook endpoints"
            columns={['Endpoint URL', 'Events', 'State']}
            rows={webhooks.map((webhook) => [
              <>
                <a href={links.webhook(project.id, webhook.id)}>{webhook.url}</a>
                {webhook.description === '' ? null : <span class="hint">{webhook.description}</span>}
              </>,
              webhook.events.join(', '),
              <WebhookState webhook={webhook} />,
            ])}
          />
        )}
      </section>
      <PermittedForm
        view={view}
        needed="webhooks.change"
        title="Add an endpoint"
        action={links.webhooks(project.id)}
        button="Add endpoint"
      >
        <input type="hidden" name={formKeyField} value={formKey} />
        <WebhookFields values={values} errors={errors} />
      </PermittedForm>
    </ProjectPage>
  );
}

export function WebhookFields({ values, errors }: Pick<FormPageProps<WebhookForm>, 'values' | 'errors'>) {
  const field = fieldsOf(values, errors);
  return (
    <>
      <TextField
        {...field('url')}
        label="Endpoint URL"
        hint="An https address that the internet can reach."
        type="url"
        required
      />
      <TextField {...field('description')} label="Description" hint="Optional." />
      <Choices
        kind="checkbox"
        {...field('events')}
        label="Events"
        choices={WebhookEventName.options.map((value) => ({ value, ...eventNames[value] }))}
      />
      <Choices
        kind="radio"
        {...field('payload')}
        label="What is sent"
        choices={PayloadForm.options.map((value) => ({ value, ...payloadNames[value] }))}
      />
    </>
  );
}

/** Whether webhooks are sent, and why not. */
export function WebhookState({ webhook }: { readonly webhook: WebhookResource }) {
  if (webhook.disabled_reason !== null) return <span class="state bad">Disabled by the service</span>;
  if (!webhook.enabled) return <span class="state plain">Disabled</span>;
  if (webhook.failing_since !== null) return <span class="state warn">Failing</span>;
  return <span class="state good">Active</span>;
}
