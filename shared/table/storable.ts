/*
 * What DynamoDB can store of a free-form value. Checked before writing, so that the client gets a helpful 400 instead
 * of a failed write.
 */

/** DynamoDB nests at most 32 levels from the item; two are left for the value's place. */
const maxDepth = 30;
const maxNameBytes = 1024;
/** Leaves room for the rest of the 400 KB item, now and later. */
const maxBytes = 340_000;

/** The capacity of one item, less its keys and those of its indexes. */
export const maxItemBytes = 390_000;

/** The bytes that a JSON value takes in an item. */
export function storedBytes(value: unknown): number {
  return members(value).reduce((bytes, [, member]) => bytes + storedBytes(member), ownBytes(value));
}

export type StorageProblem =
  | { readonly kind: 'size' }
  /** A rule for the whole value; its member names are the client's and may reveal something about a patient. */
  | { readonly kind: 'rule'; readonly rule: string };

/** The first reason why `root`, a JSON value, cannot be stored, or null. Descends no deeper than can be stored. */
export function findStorageProblem(root: unknown): StorageProblem | null {
  const rule = findBrokenRule(root, 0);
  if (rule !== null) return { kind: 'rule', rule };
  return storedBytes(root) > maxBytes ? { kind: 'size' } : null;
}

function findBrokenRule(value: unknown, depth: number): string | null {
  const rule = brokenRule(value, depth);
  if (rule !== null) return rule;
  for (const [, member] of members(value)) {
    const memberRule = findBrokenRule(member, depth + 1);
    if (memberRule !== null) return memberRule;
  }
  return null;
}

function brokenRule(value: unknown, depth: number): string | null {
  if (typeof value === 'number' && !isStorableNumber(value)) {
    return 'must have numbers of ordinary size only; send others as text';
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= maxDepth) return `must not be nested deeper than ${maxDepth} levels`;
  if (!Array.isArray(value) && !Object.keys(value).every(isStorableName)) {
    return `must have member names of 1 to ${maxNameBytes} bytes`;
  }
  return null;
}

/** Integers beyond 2^53 have already lost digits in parsing; DynamoDB lacks larger and smaller magnitudes. */
function isStorableNumber(value: number): boolean {
  return value === 0 || (Math.abs(value) <= Number.MAX_SAFE_INTEGER && Math.abs(value) >= 1e-100);
}

function isStorableName(name: string): boolean {
  return name !== '' && Buffer.byteLength(name) <= maxNameBytes;
}

/** As DynamoDB counts: text by its UTF-8, numbers by their digits, 3 bytes per container and 1 per entry. */
function ownBytes(value: unknown): number {
  if (typeof value === 'string') return 1 + Buffer.byteLength(value);
  if (typeof value === 'number') return 3 + Math.ceil(String(value).length / 2);
  if (typeof value !== 'object' || value === null) return 2;
  return (
    4 +
    (Array.isArray(value) ? 0 : Object.keys(value).reduce((sum, name) => sum + Buffer.byteLength(name), 0))
  );
}

function members(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((element, index) => [index, element]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
