import type { ApiKeyResource } from '#shared/admin/api-keys.ts';
import { Scope } from '#shared/domain/api-key.ts';
import { may } from '#shared/domain/permissions.ts';
import { Confirm } from '../layout/confirm.tsx';
import { Copyable } from '../layout/copyable.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { Choices, fieldsOf, Select, TextArea, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary, Notice } from '../layout/notices.tsx';
import { OlderLink } from '../layout/older-link.tsx';
import { type FormPageProps, PermittedForm } from '../layout/permitted-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** Days until a key expires; empty for never. */
export const keyLifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

export const scopeNames: Readonly<Record<Scope, string>> = {
  'patients:read': 'Read patients',
  'patients:write': 'Add and change patients',
  'tasks:read': 'Read tasks and transcripts',
  'tasks:write': 'Create and cancel tasks',
  'recordings:read': 'Fetch recordings',
  'erasures:read': 'View the status of erasures',
  'erasures:write': 'Erase patients and tasks',
};

export interface NewKeyForm {
  readonly name: string;
  readonly lifetime_days: string;
  readonly scopes: readonly string[];
  /** One per line. */
  readonly allowed_addresses: string;
}

export interface NewKey {
  readonly name: string;
  readonly key: string;
}

export interface ApiKeysPageProps extends FormPageProps<NewKeyForm> {
  readonly apiKeys: readonly ApiKeyResource[];
  readonly next: string | null;
  /** A new key, shown on this page and never again. */
  readonly created: NewKey | null;
  readonly now: Date;
}

/** Project Settings > API Keys. */
export function ApiKeysPage({ view, apiKeys, next, values, errors, done, created, now }: ApiKeysPageProps) {
  const { links, project, role } = view;
  const field = fieldsOf(values, errors);
  return (
    <ProjectPage
      view={view}
      section="API Keys"
      intro="Authenticate API requests. Each key works for this project only."
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      {created === null ? null : (
        <Notice kind="good" title={`Your new key “${created.name}”`}>
          <p>Copy it now and keep it safe. We can’t show it again.</p>
          <Copyable id="new-key" label="key" text={created.key} />
        </Notice>
      )}
      <section class="card">
        <h2>Keys</h2>
        {apiKeys.length === 0 ? (
          <p class="empty quiet">
            {may(role, 'keys.change') ? 'No keys yet. Generate one below.' : 'No keys yet.'}
          </p>
        ) : (
          <DataTable
            label="API keys"
            columns={[
              'Name',
              'Prefix',
              'State',
              'Last used',
              'Created',
              ...(may(role, 'keys.change') ? [''] : []),
            ]}
            rows={apiKeys.map((apiKey) => [
              <>
                {apiKey.name}
                <Limits apiKey={apiKey} />
              </>,
              <code>{apiKey.prefix}…</code>,
              <KeyState apiKey={apiKey} now={now} />,
              apiKey.last_used_at === null ? 'Never' : <Moment at={apiKey.last_used_at} />,
              <>
                <Moment at={apiKey.created_at} />
                <span class="hint">{apiKey.created_by ?? 'by a command'}</span>
              </>,
              ...(may(role, 'keys.change')
                ? [isUsable(apiKey, now) ? <KeyActions view={view} apiKey={apiKey} /> : null]
                : []),
            ])}
          />
        )}
        <OlderLink next={next} what="keys" />
      </section>
      <PermittedForm
        view={view}
        needed="keys.change"
        title="Generate a key"
        action={links.apiKeys(project.id)}
        button="Generate New Key"
      >
        <TextField
          {...field('name')}
          label="Name"
          hint="What will use it, for example “Scheduling server”."
          required
        />
        <Select {...field('lifetime_days')} label="Expires" options={keyLifetimes} />
        <Choices
          kind="checkbox"
          {...field('scopes')}
          label="Permissions"
          hint="Select none to allow everything."
          choices={Scope.options.map((value) => ({ value, label: scopeNames[value] }))}
        />
        <TextArea
          {...field('allowed_addresses')}
          label="Allowed addresses"
          hint="IP addresses or ranges such as 198.51.100.0/24, one per line. Leave empty to allow all."
        />
      </PermittedForm>
      <FirstRequest view={view} />
    </ProjectPage>
  );
}

/** A sample first request with the project's ID and a placeholder for the key. */
function FirstRequest({ view: { links, project } }: { readonly view: ProjectView }) {
  return (
    <section class="card">
      <h2>Your first request</h2>
      <pre>{`curl ${links.api}/v1/patient \\
  -H "Authorization: Bearer YOUR_API_KEY" \\
  -d '{"project_id": "${project.id}", "first_name": "Maya", "last_name": "Rivera",
       "phone_number": "+12025550142", "date_of_birth": "1984-07-12"}'`}</pre>
      <p>
        <a href={links.docs(project.id)}>API documentation</a> with this project’s ID filled in.
      </p>
    </section>
  );
}

function Limits({ apiKey: { scopes, allowed_addresses } }: { readonly apiKey: ApiKeyResource }) {
  const limits = [
    ...(scopes === null
      ? []
      : [`may only: ${scopes.map((scope) => scopeNames[scope].toLowerCase()).join(', ')}`]),
    ...(allowed_addresses === null ? [] : [`only from ${allowed_addresses.join(', ')}`]),
  ];
  return limits.length === 0 ? null : <span class="hint">{limits.join('; ')}</span>;
}

function isUsable({ revoked_at, expires_at }: ApiKeyResource, now: Date): boolean {
  return revoked_at === null && (expires_at === null || new Date(expires_at) > now);
}

function KeyState({ apiKey, now }: { readonly apiKey: ApiKeyResource; readonly now: Date }) {
  if (apiKey.revoked_at !== null) return <span class="state bad">Revoked</span>;
  if (!isUsable(apiKey, now)) return <span class="state plain">Expired</span>;
  return (
    <>
      <span class="state good">Active</span>
      {apiKey.expires_at === null ? null : (
        <span class="hint">
          until <Moment at={apiKey.expires_at} />
        </span>
      )}
    </>
  );
}

function KeyActions({ view, apiKey }: { readonly view: ProjectView; readonly apiKey: ApiKeyResource }) {
  const { links, project } = view;
  const about = `key ${apiKey.name}`;
  return (
    <div class="actions">
      {apiKey.replaced_by === null ? (
        <Confirm
          view={view}
          label="Rotate"
          about={about}
          kind="second"
          question={
            'You get a new key. This one keeps working for 24 hours, so nothing breaks. ' +
            'The new key has the same expiration date.'
          }
          action={links.apiKey(project.id, apiKey.id, 'rotate')}
        />
      ) : null}
      <Confirm
        view={view}
        label="Revoke"
        about={about}
        question="Requests with this key will be refused from now on. This cannot be undone."
        action={links.apiKey(project.id, apiKey.id, 'revoke')}
      />
    </div>
  );
}
