import type { Child } from 'hono/jsx';
import type { View } from './view.ts';

/** Hidden field that says for whom the form was made. */
export const formTokenField = 'form_token';

/** A form that changes something. Fields are checked by the service, which says what is wrong next to each. */
export function PostForm({
  view,
  action,
  hasFile = false,
  children,
}: {
  readonly view: View;
  readonly action: string;
  /** Whether the form has a file field. */
  readonly hasFile?: boolean;
  readonly children: Child;
}) {
  return (
    <form method="post" action={action} {...(hasFile ? { enctype: 'multipart/form-data' } : {})} novalidate>
      <input type="hidden" name={formTokenField} value={view.session.formToken} />
      {children}
    </form>
  );
}

/**
 * The first button of a form is the one that the Enter key presses in a field. It stands before those that only help to
 * fill in the form. It has to be rendered, because some browsers press no other.
 */
export function EnterButton({
  name,
  value,
  children,
}: {
  /** By which the form tells that no button was pressed but this one. */
  readonly name?: string;
  readonly value?: string;
  readonly children: Child;
}) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the Tab key does not come to it
    <button
      type="submit"
      class="unseen"
      tabindex={-1}
      aria-hidden="true"
      {...(name === undefined ? {} : { name, value })}
    >
      {children}
    </button>
  );
}
