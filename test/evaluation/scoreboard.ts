import type { Verdict } from './judge.ts';

/** What the built-in model must reach; below any of it the evaluation fails. */
export const bar = {
  conversations: 200,
  people: 40,
  reachableGoalsPercent: 95,
  wrongFacts: 0,
  offPlanDisclosures: 0,
  responseP95Ms: 30,
  seconds: 120,
};

export interface Score {
  readonly conversations: number;
  readonly people: number;
  readonly reachable: number;
  readonly reached: number;
  readonly unreachable: number;
  readonly endedWell: number;
  readonly factsTold: number;
  readonly factsReported: number;
  readonly wrongFacts: number;
  readonly offPlanDisclosures: number;
  readonly turns: Spread;
  readonly talkSeconds: Spread;
  /** Time from a prompt frame to the first text frame, with one conversation at a time. */
  readonly responseMs: Spread;
  /** The same while as many conversations were held as the machine could take. */
  readonly responseUnderLoadMs: Spread;
  readonly seconds: number;
}

interface Spread {
  readonly p50: number;
  readonly p95: number;
}

export function score(
  verdicts: readonly Verdict[],
  responseTimesMs: readonly number[],
  seconds: number,
): Score {
  const isReachable = ({ held }: Verdict): boolean => held.casting.person.evaluation.goal === 'reachable';
  const reachable = verdicts.filter(isReachable);
  const unreachable = verdicts.filter((verdict) => !isReachable(verdict));
  const sum = (count: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  const talked = verdicts.filter(({ turns }) => turns > 0);
  return {
    conversations: verdicts.length,
    people: new Set(verdicts.map(({ held }) => held.casting.person.id)).size,
    reachable: reachable.length,
    reached: reachable.filter(({ isGood }) => isGood).length,
    unreachable: unreachable.length,
    endedWell: unreachable.filter(({ isGood }) => isGood).length,
    factsTold: sum(({ factsTold }) => factsTold),
    factsReported: sum(({ factsReported }) => factsReported),
    wrongFacts: sum(({ wrongFacts }) => wrongFacts.length),
    offPlanDisclosures: sum(({ disclosures }) => disclosures.length),
    turns: spread(talked.map(({ turns }) => turns)),
    talkSeconds: spread(talked.map(({ talkSeconds }) => talkSeconds)),
    responseMs: spread(responseTimesMs),
    responseUnderLoadMs: spread(verdicts.flatMap((verdict) => verdict.responseTimesMs)),
    seconds,
  };
}

/** What is below the bar, in words; empty when everything is kept. */
export function shortcomings(score: Score, isWholeSet: boolean): string[] {
  const problems: string[] = [];
  const demand = (isKept: boolean, problem: string): void => {
    if (!isKept) problems.push(problem);
  };
  // A part of the set, or a set of somebody's own, may be as small as it likes.
  if (isWholeSet) {
    demand(score.conversations >= bar.conversations, `fewer than ${bar.conversations} conversations`);
    demand(score.people >= bar.people, `fewer than ${bar.people} people`);
    demand(score.seconds <= bar.seconds, `took longer than ${bar.seconds} s`);
  }
  demand(
    percent(score.reached, score.reachable) >= bar.reachableGoalsPercent,
    `fewer than ${bar.reachableGoalsPercent} % of the reachable goals`,
  );
  demand(score.wrongFacts <= bar.wrongFacts, `${score.wrongFacts} wrong facts`);
  demand(
    score.offPlanDisclosures <= bar.offPlanDisclosures,
    `${score.offPlanDisclosures} disclosures outside the plan`,
  );
  demand(
    score.responseMs.p95 <= bar.responseP95Ms,
    `time to the first text above ${bar.responseP95Ms} ms (p95)`,
  );
  return problems;
}

/** One line per person and task, over all seeds. */
export function table(verdicts: readonly Verdict[]): string {
  const groups = Map.groupBy(verdicts, ({ held }) => `${held.casting.person.id}\t${held.casting.taskType}`);
  const rows = [...groups].map(([name, group]) => {
    const [person = '', task = ''] = name.split('\t');
    const total = (count: (verdict: Verdict) => number): number =>
      group.reduce((sum, verdict) => sum + count(verdict), 0);
    return [
      person,
      shortNames[task] ?? task,
      `${group.filter(({ isGood }) => isGood).length}/${group.length}`,
      `${total(({ factsReported }) => factsReported)}/${total(({ factsTold }) => factsTold)}`,
      String(total(({ wrongFacts }) => wrongFacts.length)),
      String(total(({ disclosures }) => disclosures.length)),
      String(spread(group.map(({ turns }) => turns)).p50),
      String(spread(group.map(({ talkSeconds }) => talkSeconds)).p50),
      String(spread(group.flatMap(({ responseTimesMs }) => responseTimesMs)).p95),
      [...new Set(group.filter(({ isGood }) => !isGood).map(({ outcome }) => outcome))].join('; '),
    ];
  });
  return align([
    ['person', 'task', 'good', 'facts', 'wrong', 'off plan', 'turns', 'talk s', 'p95 ms', ''],
    ...rows,
  ]);
}

export function summary(score: Score): string {
  const { reached, reachable, endedWell, unreachable } = score;
  return align([
    ['conversations', `${score.conversations} with ${score.people} people in ${score.seconds.toFixed(1)} s`],
    [
      'goal reached',
      `${reached} of ${reachable} that could be reached (${percent(reached, reachable).toFixed(1)} %)`,
    ],
    ['ended as it should', `${endedWell} of ${unreachable} without a goal to reach`],
    [
      'facts reported',
      `${score.factsReported} of ${score.factsTold} that were told (${percent(score.factsReported, score.factsTold).toFixed(1)} %)`,
    ],
    ['wrong facts', String(score.wrongFacts)],
    ['disclosures outside the plan', String(score.offPlanDisclosures)],
    ['turns of the agent', `p50 ${score.turns.p50}, p95 ${score.turns.p95}`],
    ['seconds of talk', `p50 ${score.talkSeconds.p50}, p95 ${score.talkSeconds.p95}`],
    [
      'prompt to first text',
      `p50 ${score.responseMs.p50} ms, p95 ${score.responseMs.p95} ms (one call at a time)`,
    ],
    [
      'the same under load',
      `p50 ${score.responseUnderLoadMs.p50} ms, p95 ${score.responseUnderLoadMs.p95} ms`,
    ],
  ]);
}

const shortNames: Record<string, string> = {
  SCHEDULE_APPOINTMENT: 'appointment',
  VERIFY_INSURANCE: 'insurance',
  REIMBURSEMENT: 'claim',
  CUSTOM_TASK: 'questions',
};

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (part / whole) * 100;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return Math.round(value * 10) / 10;
  };
  return { p50: at(0.5), p95: at(0.95) };
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
