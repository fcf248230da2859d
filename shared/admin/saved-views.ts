import { ServiceError } from '#shared/domain/errors.ts';
import { givenName } from '#shared/domain/names.ts';
import { may, whoMay } from '#shared/domain/permissions.ts';
import { type SavedView, savedViewLimits } from '#shared/domain/saved-view.ts';
import type { Table } from '#shared/table/client.ts';
import { deleteSavedView, listSavedViews, putSavedView, savedViewId } from '#shared/table/saved-view.ts';
import type { ProjectAccess } from './authorize-project.ts';

const { nameCharacters } = savedViewLimits;
const Name = givenName(nameCharacters);

/** The caller's own views and the shared ones, by name. */
export async function readSavedViews(
  table: Table,
  { caller, project }: ProjectAccess,
): Promise<readonly SavedView[]> {
  const views = await listSavedViews(table, project.id);
  return views
    .filter(({ owner }) => owner === null || owner === caller.person.email)
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/**
 * Saves filters under a name, for the caller or shared; replaces a view of the same name. Throws `invalid_request` for
 * an invalid name, `conflict` for too many views, and `forbidden` when a read-only member saves a shared one.
 */
export async function saveView(
  table: Table,
  access: ProjectAccess,
  {
    name: typed,
    isShared,
    query,
  }: { readonly name: string; readonly isShared: boolean } & Pick<SavedView, 'query'>,
): Promise<void> {
  const now = new Date();
  const named = Name.safeParse(typed);
  if (!named.success) {
    throw new ServiceError('invalid_request', `Enter a name of up to ${nameCharacters} visible characters`);
  }
  const name = named.data;
  const owner = isShared ? null : access.caller.person.email;
  checkMayChange(access, owner);
  const others = (await listSavedViews(table, access.project.id)).filter((view) => view.owner === owner);
  if (others.length >= savedViewLimits.views && !others.some((view) => view.name === name)) {
    throw new ServiceError('conflict', `There are ${savedViewLimits.views} saved views; delete one first`);
  }
  const created_at = now.toISOString();
  await putSavedView(table, { project_id: access.project.id, name, owner, query, created_at });
}

/** Deletes one of the views visible to the caller. Throws `not_found`, and `forbidden` as above. */
export async function removeView(table: Table, access: ProjectAccess, id: string): Promise<void> {
  const view = (await readSavedViews(table, access)).find((one) => savedViewId(one) === id);
  if (view === undefined) throw new ServiceError('not_found', 'View not found');
  checkMayChange(access, view.owner);
  await deleteSavedView(table, view);
}

export function mayChangeView(access: Pick<ProjectAccess, 'role'>, owner: string | null): boolean {
  return owner !== null || may(access.role, 'tasks.write');
}

function checkMayChange(access: ProjectAccess, owner: string | null): void {
  if (mayChangeView(access, owner)) return;
  throw new ServiceError('forbidden', `Only ${whoMay('tasks.write')} of the project may change shared views`);
}
