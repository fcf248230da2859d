/**
 * The same JSON value with the members of its objects in alphabetical order. The embedded DynamoDB gives the attributes
 * of an item in another order in each of its processes, and functions ask for things in the order of what they read.
 */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
