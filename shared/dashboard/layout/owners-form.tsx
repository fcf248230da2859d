import type { Child } from 'hono/jsx';
import type { FieldErrors } from '../forms/form-values.ts';
import { PostForm } from './post-form.tsx';
import type { ProjectView } from './project-page.tsx';

/** What a page of a project with a form is given, besides what it shows. */
export interface FormPageProps<Values> {
  readonly view: ProjectView;
  /** What the form says. */
  readonly values: Values;
  readonly errors: FieldErrors;
  /** Name of what was done before the page was asked for. */
  readonly done: string | undefined;
}

/** A card with a form by which owners change the project; viewers do not see it. */
export function OwnersForm({
  view,
  title,
  action,
  button,
  children,
}: {
  readonly view: ProjectView;
  readonly title: string;
  readonly action: string;
  readonly button: string;
  readonly children: Child;
}) {
  return view.role === 'owner' ? (
    <section class="card">
      <h2>{title}</h2>
      <PostForm view={view} action={action}>
        {children}
        <button type="submit">{button}</button>
      </PostForm>
    </section>
  ) : null;
}
