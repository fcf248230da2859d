import { createHash } from 'node:crypto';
import { SavedView } from '#shared/domain/saved-view.ts';
import type { Table } from './client.ts';
import { putItem } from './create-item.ts';
import { deleteItem } from './delete-items.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';

/** Identifies a view where its name must not appear; each owner has one view per name. */
export function savedViewId({ owner, name }: Pick<SavedView, 'owner' | 'name'>): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, name]))
    .digest('base64url');
}

function savedViewKey(view: Pick<SavedView, 'project_id' | 'owner' | 'name'>): PrimaryKey {
  return { pk: `PROJECT#${view.project_id}`, sk: `VIEW#${savedViewId(view)}` };
}

/** Replaces the owner's view of the same name. */
export async function putSavedView(table: Table, view: SavedView): Promise<void> {
  await putItem(table, { ...savedViewKey(view), type: 'saved-view', ...view });
}

export function deleteSavedView(table: Table, view: SavedView): Promise<void> {
  return deleteItem(table, savedViewKey(view));
}

/** All members' views, in any order. */
export async function listSavedViews(table: Table, projectId: string): Promise<SavedView[]> {
  const items = await queryPrefix(table, `PROJECT#${projectId}`, 'VIEW#');
  return items.map((item) => SavedView.parse(item));
}
