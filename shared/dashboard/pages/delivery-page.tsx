import type { DeliveryDetails } from '#shared/admin/deliveries.ts';
import type { WebhookResource } from '#shared/admin/webhooks.ts';
import { may } from '#shared/domain/permissions.ts';
import { isSentSequence, type WebhookResponse } from '#shared/domain/webhook.ts';
import { Live } from '../layout/live.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice } from '../layout/notices.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { DeliveryState } from './webhook-page.tsx';

/** A delivery with its attempts and the receiver's responses. */
export function DeliveryPage({
  view,
  webhook,
  delivery,
  done,
}: {
  readonly view: ProjectView;
  readonly webhook: WebhookResource;
  readonly delivery: DeliveryDetails;
  readonly done: string | undefined;
}) {
  const { links, project, role } = view;
  const address = (rest: string): string => links.delivery(project.id, webhook.id, delivery.id, rest);
  return (
    <ProjectPage
      view={view}
      section="Webhooks"
      title="Delivery"
      intro={<a href={links.webhook(project.id, webhook.id)}>{webhook.url}</a>}
      action={
        may(role, 'webhooks.change') && webhook.enabled ? (
          <PostForm view={view} action={address('/replay')}>
            <button type="submit">Resend</button>
          </PostForm>
        ) : undefined
      }
    >
      <DoneNotice done={done} />
      <Live
        versionAddress={delivery.status === 'pending' ? address('/version') : null}
        version={deliveryVersion(delivery)}
      >
        <section class="card" id="delivery">
          <h2>Delivery</h2>
          <dl class="facts">
            <dt>State</dt>
            <dd {...(delivery.status === 'pending' ? {} : { 'data-news': newsOf(delivery) })}>
              <DeliveryState status={delivery.status} />
            </dd>
            <dt>webhook-id</dt>
            <dd>
              <code>{delivery.id}</code>
            </dd>
            <dt>Created</dt>
            <dd>
              <Moment at={delivery.created_at} seconds />
            </dd>
            {delivery.next_attempt_at === null ? null : (
              <>
                <dt>Next attempt</dt>
                <dd>
                  <Moment at={delivery.next_attempt_at} />
                </dd>
              </>
            )}
            <dt>Body</dt>
            <dd>
              <pre>{JSON.stringify(sentOf(webhook, delivery), null, 2)}</pre>
              {webhook.payload === 'full' ? (
                <span class="hint">Plus the current task at each attempt, which is not stored.</span>
              ) : null}
            </dd>
          </dl>
        </section>
        {delivery.attempts.length === 0 ? (
          <section class="card">
            <h2>Attempts</h2>
            <p class="quiet">None yet.</p>
          </section>
        ) : (
          delivery.attempts.map(({ number, attempted_at, status_code, error, duration_ms, response }) => (
            <section class="card" id={`attempt-${number}`}>
              <h2>Attempt {number}</h2>
              <dl class="facts">
                <dt>When</dt>
                <dd>
                  <Moment at={attempted_at} seconds />
                </dd>
                <dt>Response</dt>
                <dd>{status_code ?? error ?? 'None'}</dd>
                <dt>Duration</dt>
                <dd>{duration_ms} ms</dd>
                {response === null ? null : (
                  <>
                    <dt>Headers</dt>
                    <dd>
                      <pre>
                        {Object.entries(response.headers)
                          .map(([name, value]) => `${name}: ${value}`)
                          .join('\n') || 'None'}
                      </pre>
                    </dd>
                    <dt>Body{response.truncated && response.body !== '' ? ' (truncated)' : ''}</dt>
                    <dd>
                      <pre>{response.body === '' ? nothingOf(response) : response.body}</pre>
                    </dd>
                  </>
                )}
              </dl>
            </section>
          ))
        )}
      </Live>
    </ProjectPage>
  );
}

function sentOf(webhook: WebhookResource, { payload, sequence }: DeliveryDetails): object {
  return isSentSequence(webhook) && sequence !== null ? { ...payload, sequence } : payload;
}

/** Responses to full payloads are not stored. */
function nothingOf({ truncated }: WebhookResponse): string {
  return truncated ? 'Not stored' : 'Empty';
}

/** Changes with each attempt. */
export function deliveryVersion({ status, attempts }: DeliveryDetails): string {
  return `${status} ${attempts.length}`;
}

function newsOf({ attempts }: DeliveryDetails): string {
  return `Attempt ${attempts.length} is over.`;
}
