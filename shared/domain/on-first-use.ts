/**
 * Makes a value when it is first asked for, and keeps it: formats of `Intl` would lengthen every start of a function.
 */
export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
