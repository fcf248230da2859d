/** No request has a use for deeper values. The walks over what clients send call themselves, so this bounds them. */
export const maxJsonDepth = 64;

/** Whether objects and lists are nested deeper in a parsed JSON value than a request may nest them. */
export function isTooDeep(value: unknown, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/**
 * A parsed JSON object, not nested too deep, in the form that all further code expects:
 *
 * - a member that is `null` is left out, unless asked otherwise: clients send `null` for "not given";
 * - `__proto__` and `constructor` are left out: the first would change an object's prototype instead of its members, by
 *   the second libraries (the DynamoDB marshaller is one) tell what kind of object they have before them;
 * - text is well-formed Unicode: half of a surrogate pair cannot be stored or sent on.
 */
export function cleanObject(
  object: Record<string, unknown>,
  options: { readonly keepsNull: boolean },
): Record<string, unknown> {
  const members = Object.entries(object).filter(
    ([name, member]) => (options.keepsNull || member !== null) && !removedNames.has(name),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [name.toWellFormed(), cleanJson(member, options)]),
  );
}

function cleanJson(value: unknown, options: { readonly keepsNull: boolean }): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((element) => cleanJson(element, options));
  return isJsonObject(value) ? cleanObject(value, options) : value;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const removedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor']);
