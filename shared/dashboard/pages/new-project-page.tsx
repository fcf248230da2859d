import { formKeyField } from '../forms/form-key.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { Choices, fieldsOf, TextField } from '../layout/fields.tsx';
import { ErrorSummary } from '../layout/notices.tsx';
import { Page } from '../layout/page.tsx';
import { PostForm } from '../layout/post-form.tsx';
import type { View } from '../layout/view.ts';

export interface NewProjectForm {
  readonly name: string;
  readonly carrier: string;
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
        <ErrorSummary errors={errors} />
        <div class="card">
          <PostForm view={view} action={links.newProject}>
            <input type="hidden" name={formKeyField} value={formKey} />
            <TextField {...field('name')} label="Name" hint="For example, “Riverside Clinic”." required />
            <Choices
              kind="radio"
              {...field('carrier')}
              label="Telephone network"
              hint="It cannot be changed later."
              choices={[
                {
                  value: 'sandbox',
                  label: 'Sandbox',
                  hint: 'Calls go to simulated people. No real calls are placed.',
                },
                { value: 'live', label: 'Live', hint: 'Calls go to real telephones.' },
              ]}
            />
            <TextField
              {...field('caller_number')}
              label="Caller number"
              hint="Caller ID shown to the person you call. Optional in the sandbox."
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
