import { formKeyField } from '../forms/form-key.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { fieldsOf, TextField } from '../layout/fields.tsx';
import { ErrorSummary } from '../layout/notices.tsx';
import { Page } from '../layout/page.tsx';
import { PostForm } from '../layout/post-form.tsx';
import type { View } from '../layout/view.ts';

export interface NewProjectForm {
  readonly name: string;
  readonly caller_number: string;
}

export function NewProjectPage({
  view,
  values,
  formKey,
  errors,
}: {
  readonly view: View;
  readonly values: NewProjectForm;
  readonly formKey: string;
  readonly errors: FieldErrors;
}) {
  const { links } = view;
  const field = fieldsOf(values, errors);
  return (
    <Page view={view} title="New project" crumbs={[{ label: 'Projects', href: links.home }]}>
      <main id="content" tabindex={-1} class="narrow">
        <h1>New project</h1>
        <p class="quiet">
          Projects start in the sandbox: calls go to simulated people, and no real calls are placed. An
          operator of this service can make one live.
        </p>
        <ErrorSummary errors={errors} />
        <div class="card">
          <PostForm view={view} action={links.newProject}>
            <input type="hidden" name={formKeyField} value={formKey} />
            <TextField {...field('name')} label="Name" hint="For example, “Riverside Clinic”." required />
            <TextField
              {...field('caller_number')}
              label="Caller number"
              hint="Caller ID shown to the person you call. Optional."
              type="tel"
            />
            <div class="actions">
              <button type="submit">Create project</button>
              <a href={links.home}>Cancel</a>
            </div>
          </PostForm>
        </div>
      </main>
    </Page>
  );
}
