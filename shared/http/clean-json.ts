/**
 * Brings a parsed JSON value, in place, into the form that all further code expects:
 *
 * - a member that is `null` is removed, unless asked otherwise: clients send `null` for "not given";
 * - `__proto__` and `constructor` are removed: the first would change an object's prototype instead of its members, by
 *   the second libraries (the DynamoDB marshaller is one) tell what kind of object they have before them;
 * - text is made well-formed Unicode: half of a surrogate pair cannot be stored or sent on.
 *
 * It walks with a list instead of calling itself, because the depth of the value is the sender's choice.
 */
export function cleanJson(root: unknown, { keepsNull }: { readonly keepsNull: boolean }): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        if (typeof element === 'string') value[index] = element.toWellFormed();
        else pending.push(element);
      }
    } else if (isJsonObject(value)) {
      cleanMembers(value, keepsNull);
      for (const member of Object.values(value)) pending.push(member);
    }
  }
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const removedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

function cleanMembers(object: Record<string, unknown>, keepsNull: boolean): void {
  for (const [name, member] of Object.entries(object)) {
    const isKept = (keepsNull || member !== null) && !removedNames.has(name);
    const cleanName = name.toWellFormed();
    if (!isKept || cleanName !== name) delete object[name];
    if (isKept) object[cleanName] = typeof member === 'string' ? member.toWellFormed() : member;
  }
}
