import type { Child } from 'hono/jsx';
import { may, type Permission } from '#shared/domain/permissions.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { PostForm } from './post-form.tsx';
import type { ProjectView } from './project-page.tsx';

/** What a page of a project with a form is given, besides what it shows. */
export interface FormPageProps<Values> {
  readonly view: ProjectView;
  /** What the form says. */
  readonly values: Values;
  readonly errors: FieldErrors;
  /** Names the action that led to this page. */
  readonly done: string | undefined;
}

/** A card with a form that only those see who may do what it does. */
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
