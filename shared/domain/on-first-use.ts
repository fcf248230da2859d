/** Creates a value on first use and caches it: `Intl` formats would slow every cold start. */
export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
