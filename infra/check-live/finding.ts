/**
 * The outcome of a check: `ok`; `missing`, when live calls cannot be made or heard, or are unprotected; or
 * `cannot-tell`, when the check was inconclusive or only a person can see it.
 */
export type State = 'ok' | 'missing' | 'cannot-tell';

/** Holds no secrets and no patient data. */
export interface Finding {
  /** What was checked, the same in each run. */
  readonly check: string;
  readonly state: State;
  /** What was seen, one sentence. */
  readonly seen: string;
  /** What to do, in one sentence with the console path or the command; null if nothing. */
  readonly todo: string | null;
}

export function ok(check: string, seen: string): Finding {
  return { check, state: 'ok', seen, todo: null };
}

export function missing(check: string, seen: string, todo: string): Finding {
  return { check, state: 'missing', seen, todo };
}

export function cannotTell(check: string, seen: string, todo: string): Finding {
  return { check, state: 'cannot-tell', seen, todo };
}

const labels: Record<State, string> = { ok: 'ok', missing: 'missing', 'cannot-tell': 'cannot tell' };

/** The findings as text, one paragraph each, and how many there are of each state. */
export function report(findings: readonly Finding[]): string {
  const lines = findings.map(({ check, state, seen, todo }) =>
    [
      `${labels[state].padEnd(11)}  ${check}: ${seen}`,
      ...(todo === null ? [] : [`             -> ${todo}`]),
    ].join('\n'),
  );
  const counts = Object.entries(labels).map(
    ([state, label]) => `${findings.filter((finding) => finding.state === state).length} ${label}`,
  );
  return [...lines, '', counts.join(', ')].join('\n');
}
