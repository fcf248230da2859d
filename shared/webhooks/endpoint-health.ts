import { toEntry } from '#shared/audit/access-entry.ts';
import { dayMs } from '#shared/domain/time.ts';
import { versionAfter } from '#shared/domain/version-after.ts';
import type { WebhookAttempt, WebhookEndpoint } from '#shared/domain/webhook.ts';
import { auditEntryItem } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import { replaceWebhookEndpointItem } from '#shared/table/webhook-endpoint.ts';
import { isAccepted } from './send.ts';

/** After this long without a success an endpoint is disabled. */
const longestFailureMs = 5 * dayMs;

/** Maximum concurrent attempts per endpoint; a failing one gets a single probe. */
export function attemptsAtOnce({ failing_since }: WebhookEndpoint): number {
  return failing_since === null ? 10 : 1;
}

/** An endpoint after an attempt, or null if it is unchanged. */
export function afterEndpointAttempt(
  endpoint: WebhookEndpoint,
  attempt: WebhookAttempt,
  now: Date,
): WebhookEndpoint | null {
  if (!endpoint.enabled) return null;
  const { failing_since } = endpoint;
  const changed = { ...endpoint, updated_at: versionAfter(endpoint, now).toISOString() };
  if (isAccepted(attempt)) return failing_since === null ? null : { ...changed, failing_since: null };
  const failing = { ...changed, failing_since: failing_since ?? attempt.attempted_at };
  const disabled = { ...failing, enabled: false, disabled_at: now.toISOString() };
  // 410 Gone is a receiver's request to stop.
  if (attempt.status_code === 410) return { ...disabled, disabled_reason: 'gone' };
  if (failing_since === null) return failing;
  const failedForMs = now.getTime() - Date.parse(failing_since);
  return failedForMs < longestFailureMs ? null : { ...disabled, disabled_reason: 'failing' };
}

/** The writes that replace an endpoint if it is unchanged since it was read. Disabling one is audited. */
export function endpointHealthItems(
  table: Table,
  previous: WebhookEndpoint,
  next: WebhookEndpoint,
  now: Date,
): TransactionItem[] {
  const replacement = replaceWebhookEndpointItem(table, previous, next);
  if (next.enabled) return [replacement];
  const { id, project_id } = next;
  return [
    replacement,
    auditEntryItem(
      table,
      toEntry(
        { actor: { kind: 'service' }, origin: null },
        project_id,
        {
          action: 'webhook.disabled',
          target: { type: 'webhook', id },
          before: { enabled: previous.enabled, disabled_reason: previous.disabled_reason },
          after: { enabled: next.enabled, disabled_reason: next.disabled_reason },
        },
        now,
      ),
    ),
  ];
}
