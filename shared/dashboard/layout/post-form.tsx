import type { Child } from 'hono/jsx';
import { openedField } from '../forms/merge-edit.ts';
import type { View } from './view.ts';

/** Hidden field with the person whom the form was issued to. */
export const formTokenField = 'form_token';

/** A form that changes something. The service validates the fields and shows errors beside them. */
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

/** Hidden field from which the service sees what the person changed. */
export function OpenedValues({ values }: { readonly values: unknown }) {
  return <input type="hidden" name={openedField} value={JSON.stringify(values)} />;
}

/**
 * Enter in a field presses a form's first button, so this one precedes those that only help to fill in the form. It
 * must be rendered, because some browsers press no hidden one.
 */
export function EnterButton({
  name,
  value,
  children,
}: {
  /** Marks that no other button was pressed. */
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
