import { createHash } from 'node:crypto';
import type { AuditBlock, ChainHead } from '#shared/table/audit-chain.ts';
import { timeToLiveAttribute } from '#shared/table/time-to-live.ts';

/** The predecessor hash of the first block. */
export const noBlock = '0'.repeat(64);

/** An audit entry exactly as stored, with its keys. */
export type StoredEntry = Readonly<Record<string, unknown>>;

/** The hash of all attributes of an entry except its expiry, which is set only when the entry expires. */
export function entryHash({ [timeToLiveAttribute]: _, ...entry }: StoredEntry): string {
  return hashOf(entry);
}

/** The hash of a value, independent of member order. */
export function hashOf(stored: unknown): string {
  return createHash('sha256').update(canonical(stored)).digest('hex');
}

/** The block that follows `head` and seals the entries. */
export function nextBlock(
  projectId: string,
  head: ChainHead | null,
  entries: readonly { readonly id: string; readonly stored: StoredEntry }[],
  now: Date,
): AuditBlock {
  const content = {
    project_id: projectId,
    sequence: (head?.sequence ?? 0) + 1,
    previous_hash: head?.hash ?? noBlock,
    entries: entries.map(({ id, stored }) => ({ id, hash: entryHash(stored) })),
    sealed_at: now.toISOString(),
  };
  return { ...content, hash: hashOf(content) };
}

/** Whether a block's hash matches its content. */
export function isWhole({ hash, ...content }: AuditBlock): boolean {
  return hash === hashOf(content);
}

/** JSON with sorted members, so that equal values have equal texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
