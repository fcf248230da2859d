import type { Child } from 'hono/jsx';

/** Notices shown after a redirect; the URL carries only the name. */
const doneSentences = {
  'project-created': 'The project was created.',
  'settings-saved': 'The settings were saved.',
  'key-revoked': 'The key was revoked. Requests with it are refused within ten seconds.',
  'webhook-saved': 'The webhook was saved.',
  'webhook-deleted': 'The webhook was deleted.',
  'test-sent': 'A test event is on its way. Its delivery is at the top of the log.',
  'delivery-replayed': 'The delivery is being resent.',
  'deliveries-replayed': 'The failed deliveries are being resent.',
  'member-saved': 'The member was saved.',
  'member-removed': 'The member was removed.',
  'member-invited': 'The invitation is on its way.',
  'alerts-saved': 'Your alerts were saved.',
  joined: 'You are a member of this project.',
  'task-created': 'The task was created.',
  'patient-created': 'The patient was added.',
  'follow-up-saved': 'The follow-up was saved.',
  'patient-saved': 'The patient was saved.',
  'patients-merged': 'The patients were merged.',
  'task-cancelled': 'The task was canceled.',
  'import-stopped': 'The import was stopped. What it has created stays.',
  'view-saved': 'The view was saved.',
  'view-deleted': 'The view was deleted.',
  'destination-saved': 'The destination was saved.',
  'destination-removed': 'The destination was removed.',
  'template-saved': 'The template was saved.',
  'template-removed': 'The template was removed.',
  'opt-out-added': 'The number was added. It will not be called.',
  'opt-out-already': 'The number was already on the list.',
  'opt-outs-imported': 'The numbers were imported. Those already on the list are unchanged.',
  'opt-out-lifted': 'The number was lifted and may be called again.',
  'opt-out-confirmed': 'The number was confirmed. It will not be called.',
} as const;
export type DoneAction = keyof typeof doneSentences;

/** The URL with the name of a notice. */
export function afterwards(address: string, action: DoneAction): string {
  return `${address}${address.includes('?') ? '&' : '?'}done=${action}`;
}

/** The notice named in the URL, if any. */
export function DoneNotice({ done }: { readonly done: string | undefined }) {
  const text = Object.entries(doneSentences).find(([name]) => name === done)?.[1];
  return text === undefined ? null : (
    <div class="notice good" role="status" tabindex={-1} data-announced="">
      <p>{text}</p>
    </div>
  );
}

export function Notice({
  kind,
  title,
  children,
}: {
  readonly kind: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly children: Child;
}) {
  return (
    <section class={`notice ${kind}`} tabindex={-1} data-announced="" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The errors of a form, with links to their fields. */
export function ErrorSummary({ errors }: { readonly errors: Readonly<Record<string, string>> }) {
  const problems = Object.entries(errors);
  return problems.length === 0 ? null : (
    <div class="notice bad" role="alert" tabindex={-1} data-announced="">
      <h2>Please fix the following</h2>
      <ul>
        {problems.map(([field, problem]) => (
          <li>{field === wholeForm ? problem : <a href={`#${field}`}>{problem}</a>}</li>
        ))}
      </ul>
    </div>
  );
}

/** For a problem without a field. */
export const wholeForm = 'form';
