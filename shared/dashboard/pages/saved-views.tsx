import { isDeepStrictEqual } from 'node:util';
import { mayChangeView } from '#shared/admin/saved-views.ts';
import { may } from '#shared/domain/permissions.ts';
import { type SavedView, savedViewLimits } from '#shared/domain/saved-view.ts';
import { savedViewId } from '#shared/table/saved-view.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { filtersOf, readTaskListQuery, type TaskListQuery } from '../forms/task-list-query.ts';
import { Confirm } from '../layout/confirm.tsx';
import { TextField } from '../layout/fields.tsx';
import { PostForm } from '../layout/post-form.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { ListQueryFields } from './selected-tasks-page.tsx';

interface SavedViewsProps {
  readonly view: ProjectView;
  readonly saved: readonly SavedView[];
  readonly query: TaskListQuery;
}

/** A view as its form was sent, and why it was not saved. */
export interface RefusedView {
  readonly name: string;
  readonly isShared: boolean;
  readonly errors: FieldErrors;
}

/** Links to saved views, next to the default ones. */
export function SavedViewLinks({ view: { links, project }, saved, query }: SavedViewsProps) {
  return (
    <>
      {saved.map((one) => (
        <li>
          <a
            href={links.tasks(project.id, queryOf(one))}
            {...(isShown(one, query) ? { 'aria-current': 'true' } : {})}
          >
            {one.name}
          </a>
        </li>
      ))}
    </>
  );
}

/** Saves the current filters or deletes the current view; empty without filters. */
export function SaveView({
  view,
  saved,
  query,
  refused,
}: SavedViewsProps & { readonly refused: RefusedView | null }) {
  const { links, project, role } = view;
  const shown = saved.filter((one) => isShown(one, query));
  const filters = filtersOf(query);
  if (Object.keys(filters).length === 0) return null;
  return shown.length > 0 && refused === null ? (
    <div class="actions">
      {shown
        .filter(({ owner }) => mayChangeView({ role }, owner))
        .map((one) => (
          <Confirm
            view={view}
            label="Delete view"
            about={one.name}
            question={
              one.owner === null
                ? 'Everyone in the project loses this view. Its tasks do not change.'
                : 'Its tasks do not change.'
            }
            action={links.savedViews(project.id, `/${savedViewId(one)}/delete`)}
          />
        ))}
    </div>
  ) : (
    <details {...(refused === null ? {} : { open: true })}>
      <summary class="more">Save this view</summary>
      <PostForm view={view} action={links.savedViews(project.id)}>
        <ListQueryFields query={filters} />
        <TextField
          name="name"
          label="Name"
          hint={`Up to ${savedViewLimits.nameCharacters} characters.`}
          value={refused?.name ?? ''}
          error={refused?.errors.name}
          required
        />
        {may(role, 'tasks.write') ? (
          <label class="choice">
            <input type="checkbox" name="shared" value="1" checked={refused?.isShared ?? false} />
            <span>Share with everyone in the project</span>
          </label>
        ) : null}
        <button type="submit" class="second">
          Save view
        </button>
      </PostForm>
    </details>
  );
}

/** Views saved by earlier versions may have filters that no longer exist. */
function queryOf({ query }: SavedView): TaskListQuery {
  return readTaskListQuery((name) => query[name]);
}

function isShown(one: SavedView, query: TaskListQuery): boolean {
  return isDeepStrictEqual({ ...queryOf(one) }, { ...filtersOf(query) });
}
