/** The limits of one group. */
export interface GroupLimit {
  readonly items: number;
  readonly bytes: number;
}

/** Splits a list into groups that fit one item or transaction. An oversized entry gets its own group. */
export function groupBySize<Item>(
  items: readonly Item[],
  most: GroupLimit,
  bytesOf: (item: Item) => number,
): Item[][] {
  const groups: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    const last = groups.at(-1);
    if (last === undefined || last.length === most.items || bytes + size > most.bytes) {
      groups.push([item]);
      bytes = size;
    } else {
      last.push(item);
      bytes += size;
    }
  }
  return groups;
}
