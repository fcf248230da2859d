import * as z from 'zod/mini';
import { TextField } from './fields.tsx';
import { PostForm } from './post-form.tsx';
import type { ProjectView } from './project-page.tsx';

/** Where a found patient opens: among their tasks, or on their own page. */
export const SearchedFrom = z.enum(['tasks', 'patients']);
export type SearchedFrom = z.infer<typeof SearchedFrom>;

/** Searches patients and tasks. A POST, which keeps names out of URLs. */
export function SearchForm({
  view,
  from,
  text = '',
}: {
  readonly view: ProjectView;
  readonly from: SearchedFrom;
  readonly text?: string;
}) {
  return (
    <PostForm view={view} action={view.links.find(view.project.id)}>
      <input type="hidden" name="from" value={from} />
      <SearchField
        label="Search"
        hint={
          'Patient’s name, date of birth or both, MRN, phone number or its last seven digits, confirmation number, ' +
          'ID, or words of a task or outcome.'
        }
        button="Search"
        text={text}
      />
    </PostForm>
  );
}

export function SearchField({
  label,
  hint,
  button,
  text,
}: {
  readonly label: string;
  readonly hint: string;
  readonly button: string;
  readonly text: string;
}) {
  return (
    <div class="row search">
      <TextField name="text" label={label} hint={hint} value={text} />
      <div class="field at-end">
        <button type="submit" class="second">
          {button}
        </button>
      </div>
    </div>
  );
}
