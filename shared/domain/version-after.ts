/** The time of a change. `updated_at` identifies a version, so no two may have the same, also with clock skew. */
export function versionAfter({ updated_at }: { readonly updated_at: string }, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(updated_at) + 1));
}
