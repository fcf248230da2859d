/**
 * What a check came to: `ok`; `missing`, which keeps live calls from being made or heard, or leaves them
 * unprotected; or `cannot-tell`, because it was not answered or only a person can see it.
 */
export type State = 'ok' | 'missing' | 'cannot-tell';

/** Holds no secret and nothing of a patient. */
export interface Finding {
  /** What was checked, the same in each run. */
  readonly check: string;
  readonly state: State;
  /** What was seen, one sentence. */
  readonly seen: string;
  /** What to do, one sentence with the console's path or the command; null when there is nothing to do. */
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

/** The findings for people, one paragraph each, and how many there are of each state. */
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
