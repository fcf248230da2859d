/** No request needs deeper values. Bounds the recursive walks over client input. */
export const maxJsonDepth = 64;

/** Whether a parsed JSON value is nested deeper than a request may be. */
export function isTooDeep(value: unknown, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/**
 * A parsed JSON object, not nested too deep, in the form that all further code expects:
 *
 * - members that are `null` are dropped, unless asked otherwise: clients send `null` for "not given";
 * - `__proto__` and `constructor` are dropped: the first would change an object's prototype instead of its members,
 *   and libraries (such as the DynamoDB marshaller) identify objects by the second.
 */
export function cleanObject(
  object: Record<string, unknown>,
  options: { readonly keepsNull: boolean },
): Record<string, unknown> {
  const members = Object.entries(object).filter(
    ([name, member]) => (options.keepsNull || member !== null) && !removedNames.has(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, cleanJson(member, options)]));
}

function cleanJson(value: unknown, options: { readonly keepsNull: boolean }): unknown {
  if (Array.isArray(value)) return value.map((element) => cleanJson(element, options));
  return isJsonObject(value) ? cleanObject(value, options) : value;
}

/** Whether cleaning drops a member, at any depth, because of its name. */
export function hasRemovedName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    (!Array.isArray(value) && Object.keys(value).some((name) => removedNames.has(name))) ||
    Object.values(value).some(hasRemovedName)
  );
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const removedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor']);
