import type { Child } from 'hono/jsx';
import { PostForm } from './post-form.tsx';
import type { View } from './view.ts';

/** A button that asks for confirmation before an irreversible action; works without scripts. */
export function Confirm({
  view,
  label,
  about,
  question,
  action,
  kind = 'danger',
  id,
  children,
}: {
  readonly view: View;
  readonly label: string;
  /** The button's object, for screen readers, which do not convey its row. */
  readonly about: string;
  readonly question: string;
  readonly action: string;
  readonly kind?: 'danger' | 'second';
  /** In a live part of a page: keeps an open one from turning into another. */
  readonly id?: string;
  readonly children?: Child;
}) {
  return (
    <details class="confirm" {...(id === undefined ? {} : { id })}>
      <summary class={`button small ${kind}`}>
        {label}
        <span class="unseen"> {about}</span>
      </summary>
      <div>
        <PostForm view={view} action={action}>
          <p>{question}</p>
          {children}
          <button type="submit" class={`small ${kind}`}>
            {label}
            <span class="unseen"> {about}</span>
          </button>
        </PostForm>
      </div>
    </details>
  );
}
