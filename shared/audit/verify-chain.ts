import { AuditEntry } from '#shared/domain/audit-entry.ts';
import { AuditBlock, auditItems, chainItems, getChainHead } from '#shared/table/audit-chain.ts';
import type { Table } from '#shared/table/client.ts';
import { timeToLiveAttribute } from '#shared/table/time-to-live.ts';
import { entryHash, isWhole, noBlock, type StoredEntry } from './audit-chain.ts';
import type { AuditCopies } from './audit-copies.ts';
import { expiredThrough } from './expired-through.ts';

/** The state of a project's audit log. */
export interface AuditVerdict {
  readonly project_id: string;
  readonly entries: number;
  readonly blocks: number;
  /** Null without copies to compare with. */
  readonly copies: number | null;
  /** Entries older than the chain, about which nothing can be proved. */
  readonly unsealed_before_chain: number;
  /** Entries too new to be sealed yet. */
  readonly not_yet_sealed: number;
  /** What was changed, removed or added, in sentences; empty if nothing. */
  readonly problems: readonly string[];
}

/** An entry still unsealed by then was not written by the service, or its keeper has failed. */
const sealedWithinMs = 15 * 60_000;

/**
 * Checks every entry of a project against the chain that seals it, and both against the copies. A changed byte shows
 * in its entry's hash, a changed block in its own hash; a rebuilt or truncated chain shows in the copies. Entries that
 * the log itself declares expired may be gone.
 */
export async function verifyChain(
  { table, copies }: { readonly table: Table; readonly copies: AuditCopies | null },
  projectId: string,
  now: Date = new Date(),
): Promise<AuditVerdict> {
  const problems: string[] = [];
  const chain = await readChain(table, projectId, problems);
  const stored = new Map<string, string>();
  const expiring: string[] = [];
  let expiredUpTo = '';
  let unsealedBeforeChain = 0;
  let notYetSealed = 0;
  for await (const item of auditItems(table, projectId)) {
    const id = String(item.sk).slice('AUDIT#'.length);
    const hash = entryHash(item);
    stored.set(id, hash);
    if (item[timeToLiveAttribute] !== undefined) expiring.push(id);
    const sealed = chain.sealed.get(id);
    if (sealed !== undefined) {
      if (sealed.has(hash)) expiredUpTo = laterOf(expiredUpTo, item, problems);
      else problems.push(`Entry ${id} differs from what was sealed`);
      continue;
    }
    const at = AuditEntry.safeParse(item).data?.at ?? null;
    if (at !== null && chain.beganAt !== null && at < chain.beganAt) unsealedBeforeChain += 1;
    else if (at !== null && now.getTime() - Date.parse(at) < sealedWithinMs) notYetSealed += 1;
    else problems.push(`Entry ${id} was never sealed`);
  }
  for (const id of chain.sealed.keys()) {
    if (!stored.has(id) && id > expiredUpTo) problems.push(`Entry ${id} is missing`);
  }
  for (const id of expiring) {
    if (id > expiredUpTo) problems.push(`Entry ${id} expires, but the log does not declare it`);
  }
  return {
    project_id: projectId,
    entries: stored.size,
    blocks: chain.hashes.size,
    copies:
      copies === null
        ? null
        : await compareCopies(copies, projectId, { chain, stored, expiredUpTo }, problems),
    unsealed_before_chain: unsealedBeforeChain,
    not_yet_sealed: notYetSealed,
    problems,
  };
}

interface Chain {
  /** Of all blocks. */
  readonly hashes: ReadonlySet<string>;
  /** The hashes of sealed entries, by ID. */
  readonly sealed: ReadonlyMap<string, ReadonlySet<string>>;
  /** When the first entry was sealed; null before. */
  readonly beganAt: string | null;
}

async function readChain(table: Table, projectId: string, problems: string[]): Promise<Chain> {
  const hashes = new Set<string>();
  const sealed = new Map<string, Set<string>>();
  let beganAt: string | null = null;
  let last = { sequence: 0, hash: noBlock };
  // Before the blocks, of which more may be added meanwhile.
  const head = await getChainHead(table, projectId);
  for await (const item of chainItems(table, projectId)) {
    const parsed = AuditBlock.safeParse(item);
    if (!parsed.success) {
      problems.push(`Block ${String(item.sk)} is malformed`);
      continue;
    }
    const block = parsed.data;
    beganAt ??= block.sealed_at;
    if (!isWhole(block)) problems.push(`Block ${block.sequence} does not match its hash`);
    if (block.sequence !== last.sequence + 1 || block.previous_hash !== last.hash) {
      problems.push(`Block ${block.sequence} does not follow block ${last.sequence}`);
    }
    for (const { id, hash } of block.entries) sealed.set(id, (sealed.get(id) ?? new Set()).add(hash));
    hashes.add(block.hash);
    last = block;
  }
  // A block's keeper may have died before the head followed, but a head without its block shows that one is missing.
  if (head !== null && !hashes.has(head.hash)) {
    problems.push(`The chain ends with block ${last.sequence}, but its head is block ${head.sequence}`);
  }
  return { hashes, sealed, beganAt };
}

/** The newest entry that a sealed entry declares expired. */
function laterOf(expiredUpTo: string, item: StoredEntry, problems: string[]): string {
  const entry = AuditEntry.safeParse(item).data;
  const expired = entry === undefined ? null : expiredThrough(entry);
  if (expired === null) return expiredUpTo;
  if (expired.isTooEarly) {
    problems.push(`Entry ${String(item.id)} makes others expire too early`);
    return expiredUpTo;
  }
  return expired.through > expiredUpTo ? expired.through : expiredUpTo;
}

interface Compared {
  readonly chain: Chain;
  readonly stored: ReadonlyMap<string, string>;
  readonly expiredUpTo: string;
}

/** Every block has a copy, and every entry of a copy is unchanged in the table unless it has expired. */
async function compareCopies(
  copies: AuditCopies,
  projectId: string,
  { chain, stored, expiredUpTo }: Compared,
  problems: string[],
): Promise<number> {
  const copied = new Set<string>();
  let count = 0;
  for await (const { block, entries } of copies.list(projectId)) {
    count += 1;
    copied.add(block.hash);
    for (const entry of entries) {
      const id = String(entry.id);
      if (!stored.has(id) && id <= expiredUpTo) continue;
      if (stored.get(id) !== entryHash(entry)) problems.push(`Entry ${id} differs from its copy`);
    }
  }
  const lacking = [...chain.hashes].filter((hash) => !copied.has(hash)).length;
  if (lacking > 0) problems.push(`${lacking} blocks have no copy`);
  return count;
}
