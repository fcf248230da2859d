/**
 * The same JSON value with the members of its objects in alphabetical order. The embedded DynamoDB returns an item's
 * attributes in a different order in each process, and functions make requests in the order of what they read.
 */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
