import type { Child } from 'hono/jsx';
import type { View } from './page.tsx';

/** Hidden field with the session's token. */
export const formTokenField = 'form_token';

/** A form that changes something. Fields are checked by the service, which says what is wrong next to each. */
export function PostForm({
  view,
  action,
  children,
}: {
  readonly view: View;
  readonly action: string;
  readonly children: Child;
}) {
  return (
    <form method="post" action={action} novalidate>
      <input type="hidden" name={formTokenField} value={view.session.formToken} />
      {children}
    </form>
  );
}
