import type { CallMessage } from '#shared/calls/call-message.ts';
import type { ImportName } from '#shared/table/import.ts';

/** Has an import carried on with. Asked twice, it does no harm. */
export function importMessage({ project_id, id }: ImportName): Extract<CallMessage, { kind: 'import' }> {
  return { kind: 'import', project_id, import_id: id };
}
