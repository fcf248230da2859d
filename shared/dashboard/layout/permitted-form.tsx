import type { Child } from 'hono/jsx';
import { may, type Permission } from '#shared/domain/permissions.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { PostForm } from './post-form.tsx';
import type { ProjectView } from './project-page.tsx';

/** Props of a project page with a form. */
export interface FormPageProps<Values> {
  readonly view: ProjectView;
  /** The form's values. */
  readonly values: Values;
  readonly errors: FieldErrors;
  /** Names the action that led to this page. */
  readonly done: string | undefined;
}

/** A card with a form, for members with the permission. */
export function PermittedForm({
  view,
  needed,
  title,
  action,
  button,
  children,
}: {
  readonly view: ProjectView;
  readonly needed: Permission;
  readonly title: string;
  readonly action: string;
  readonly button: string;
  readonly children: Child;
}) {
  return may(view.role, needed) ? (
    <section class="card">
      <h2>{title}</h2>
      <PostForm view={view} action={action}>
        {children}
        <button type="submit">{button}</button>
      </PostForm>
    </section>
  ) : null;
}
