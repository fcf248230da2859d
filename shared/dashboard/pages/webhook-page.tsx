import { createHash } from 'node:crypto';
import type { DeliveryResource } from '#shared/admin/deliveries.ts';
import type { WebhookResource } from '#shared/admin/webhooks.ts';
import { may } from '#shared/domain/permissions.ts';
import { utcDay } from '#shared/domain/time.ts';
import { WebhookDeliveryStatus } from '#shared/domain/webhook.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import type { WebhookForm } from '../forms/webhook-form.ts';
import { Confirm } from '../layout/confirm.tsx';
import { Copyable } from '../layout/copyable.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { TextField } from '../layout/fields.tsx';
import { Live } from '../layout/live.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary, Notice } from '../layout/notices.tsx';
import { OlderLink } from '../layout/older-link.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { WebhookFields, WebhookState } from './webhooks-page.tsx';

export interface WebhookPageProps {
  readonly view: ProjectView;
  readonly webhook: WebhookResource;
  readonly deliveries: readonly DeliveryResource[];
  readonly next: string | null;
  readonly version: string;
  /** Whether newer deliveries would appear on this page. */
  readonly isFollowed: boolean;
  /** Status filter of the deliveries; null for all. */
  readonly status: WebhookDeliveryStatus | null;
  readonly values: WebhookForm;
  readonly errors: FieldErrors;
  readonly done: string | undefined;
  /** The signing secret, for an owner who has just revealed it. */
  readonly secret: string | null;
  /** For an owner who resends more failed deliveries than one request handles. */
  readonly toGoOn: ReplayToGoOn | null;
}

export interface ReplayToGoOn {
  /** `YYYY-MM-DD`, the first day of the failures. */
  readonly day: string;
  readonly cursor: string;
  /** How many were resent so far. */
  readonly replayed: number;
}

/** A hash that changes with the deliveries of a list. */
export function deliveriesVersion(deliveries: readonly DeliveryResource[]): string {
  const states = deliveries.map(({ id, status, attempt_count }) => [id, status, attempt_count]);
  return createHash('sha256').update(JSON.stringify(states)).digest('base64url');
}

/** One endpoint: its settings, secret and delivery log. */
export function WebhookPage(props: WebhookPageProps) {
  const { view, webhook, status, version, isFollowed, values, errors, done, secret, toGoOn } = props;
  const { links, project, role } = view;
  const address = (rest: string): string => links.webhook(project.id, webhook.id, rest);
  return (
    <ProjectPage
      view={view}
      section="Webhooks"
      title="Webhook"
      intro={webhook.url}
      action={<WebhookState webhook={webhook} />}
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <Trouble webhook={webhook} />
      {webhook.payload === 'full' ? (
        <Notice kind="warn" title="Health information is sent to this endpoint">
          <p>Each webhook sends the whole task outside this account.</p>
        </Notice>
      ) : null}
      {secret === null ? null : (
        <Notice kind="good" title="Signing secret">
          <p>Your software uses it to verify that a webhook came from here (Standard Webhooks).</p>
          <Copyable id="signing-secret" label="secret" text={secret} />
        </Notice>
      )}
      {toGoOn === null ? null : (
        <Notice kind="warn" title="There may be more failed deliveries">
          <p>{`${toGoOn.replayed} were resent, oldest first. There is more in the log.`}</p>
          <PostForm view={view} action={address('/replay')}>
            <input type="hidden" name="since" value={toGoOn.day} />
            <input type="hidden" name="cursor" value={toGoOn.cursor} />
            <button type="submit" class="small">
              Continue
            </button>
          </PostForm>
        </Notice>
      )}
      <Live
        versionAddress={
          isFollowed ? address(`/deliveries-version${status === null ? '' : `?status=${status}`}`) : null
        }
        version={version}
      >
        <Deliveries {...props} />
      </Live>
      {may(role, 'keys.change') ? (
        <section class="card">
          <h2>Signing secret</h2>
          <SecretTimes webhook={webhook} />
          <div class="actions">
            <PostForm view={view} action={address('/reveal-secret')}>
              <button type="submit" class="second small">
                Reveal secret
              </button>
            </PostForm>
            <Confirm
              view={view}
              label="Rotate secret"
              about="of this webhook"
              kind="second"
              question="You get a new secret. For 24 hours both sign, so that your software can switch."
              action={address('/rotate-secret')}
            />
          </div>
        </section>
      ) : null}
      {may(role, 'webhooks.change') ? (
        <>
          <section class="card">
            <h2>Settings</h2>
            <PostForm view={view} action={address('')}>
              <WebhookFields values={values} errors={errors} />
              <button type="submit">Save webhook</button>
            </PostForm>
          </section>
          <section class="card">
            <h2>{webhook.enabled ? 'Disable or delete' : 'Enable or delete'}</h2>
            <div class="actions">
              <PostForm view={view} action={address(webhook.enabled ? '/switch-off' : '/switch-on')}>
                <button type="submit" class="second small">
                  {webhook.enabled ? 'Disable' : 'Enable'}
                </button>
              </PostForm>
              <Confirm
                view={view}
                label="Delete"
                about="this webhook"
                question="Nothing is sent to it anymore, and its delivery log will be deleted."
                action={address('/delete')}
              />
            </div>
          </section>
        </>
      ) : (
        <section class="card">
          <h2>Settings</h2>
          <dl class="facts">
            <dt>Events</dt>
            <dd>{webhook.events.join(', ')}</dd>
            <dt>Description</dt>
            <dd>{webhook.description === '' ? 'None' : webhook.description}</dd>
          </dl>
        </section>
      )}
    </ProjectPage>
  );
}

function Trouble({ webhook }: { readonly webhook: WebhookResource }) {
  const { disabled_reason, disabled_at, failing_since } = webhook;
  if (disabled_reason !== null) {
    return (
      <Notice kind="bad" title="Nothing is sent to this endpoint">
        <p>
          {disabled_reason === 'gone'
            ? 'It returned 410 Gone, which asks us to stop.'
            : 'It has failed for five days.'}{' '}
          {disabled_at === null ? null : (
            <>
              Disabled on <Moment at={disabled_at} />.
            </>
          )}
        </p>
      </Notice>
    );
  }
  return failing_since === null || !webhook.enabled ? null : (
    <Notice kind="warn" title="This endpoint is failing">
      <p>
        Since <Moment at={failing_since} /> no attempt was accepted. After five days it is disabled.
      </p>
    </Notice>
  );
}

function SecretTimes({ webhook }: { readonly webhook: WebhookResource }) {
  return (
    <ul>
      {webhook.signing_secrets.map(({ created_at, expires_at }) => (
        <li>
          Created <Moment at={created_at} />,{' '}
          {expires_at === null ? (
            'current'
          ) : (
            <>
              valid until <Moment at={expires_at} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

const statusNames: Readonly<Record<WebhookDeliveryStatus, string>> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
};

export function DeliveryState({ status }: { readonly status: WebhookDeliveryStatus }) {
  const kinds = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;
  return <span class={`state ${kinds[status]}`}>{statusNames[status]}</span>;
}

function Deliveries({ view, webhook, deliveries, next, status, values: _, errors }: WebhookPageProps) {
  const { links, project, role } = view;
  const address = (rest: string): string => links.webhook(project.id, webhook.id, rest);
  return (
    <section class="card" id="deliveries">
      <div class="head">
        <h2>Delivery log</h2>
        {may(role, 'webhooks.change') && webhook.enabled ? (
          <PostForm view={view} action={address('/test')}>
            <button type="submit" class="second small">
              Send test event
            </button>
          </PostForm>
        ) : null}
      </div>
      <nav class="filters" aria-label="Deliveries by state">
        <ul>
          <li>
            <a href={address('')} {...(status === null ? { 'aria-current': 'true' } : {})}>
              All
            </a>
          </li>
          {WebhookDeliveryStatus.options.map((option) => (
            <li>
              <a
                href={address(`?status=${option}`)}
                {...(status === option ? { 'aria-current': 'true' } : {})}
              >
                {statusNames[option]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {deliveries.length === 0 ? (
        <p class="empty quiet">
          {status !== null
            ? 'No deliveries in this state.'
            : may(role, 'webhooks.change') && webhook.enabled
              ? 'Nothing has been sent yet. Send a test event to see the first delivery.'
              : 'Nothing has been sent yet.'}
        </p>
      ) : (
        <DataTable
          label="Deliveries"
          columns={['Event', 'State', 'Attempts', 'Response', 'When', '']}
          rows={deliveries.map((delivery) => [
            delivery.payload.event,
            <DeliveryState status={delivery.status} />,
            delivery.attempt_count,
            lastAnswer(delivery),
            <Moment at={delivery.created_at} seconds />,
            <a href={links.delivery(project.id, webhook.id, delivery.id)}>
              Details<span class="unseen"> of delivery {delivery.id}</span>
            </a>,
          ])}
        />
      )}
      <OlderLink next={next} what="deliveries" />
      {may(role, 'webhooks.change') && webhook.enabled ? (
        <details class="confirm" {...(errors.since === undefined ? {} : { open: true })}>
          <summary class="button small second">Resend failed deliveries</summary>
          <div>
            <PostForm view={view} action={address('/replay')}>
              <TextField
                name="since"
                label="Failed since"
                hint="A day, in UTC."
                type="date"
                short
                value={utcDay(new Date(webhook.created_at))}
                error={errors.since}
              />
              <button type="submit" class="small">
                Resend
              </button>
            </PostForm>
          </div>
        </details>
      ) : null}
    </section>
  );
}

function lastAnswer({ last_attempt }: DeliveryResource): string {
  if (last_attempt === null) return '–';
  return last_attempt.status_code === null
    ? (last_attempt.error ?? 'None')
    : String(last_attempt.status_code);
}
