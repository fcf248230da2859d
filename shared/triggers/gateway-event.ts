/*
 * Headers and query parameters as API Gateway passes them, for REST and WebSocket routes alike: every name with the
 * list of its values. Its single-value maps keep only the last value and are not used.
 */

type ValuesByName = Record<string, string[] | undefined> | null | undefined;

export function toQuery(parameters: ValuesByName): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters ?? {}).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, value]),
    ),
  );
}

/** By lower-case name; several values of one name are joined by commas (RFC 9110 §5.2). */
export function toHeaders(valuesByName: ValuesByName): Record<string, string> {
  const headers = new Map<string, string[]>();
  for (const [name, values] of Object.entries(valuesByName ?? {})) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), ...(values ?? [])]);
  }
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')]));
}
