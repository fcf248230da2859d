import type { Verdict } from './judging/judge.ts';
import { type Interval, wilsonInterval } from './wilson.ts';

/**
 * Every figure of an evaluation, as `--json` writes it: the names stay the same, so that evaluations can be
 * compared over time. Counts are of conversations unless their names say otherwise.
 */
export interface Figures {
  readonly conversations: number;
  readonly people: number;
  readonly goals_reached: number;
  readonly goals_total: number;
  /** Of conversations without a goal to reach. */
  readonly endings_right: number;
  readonly endings_total: number;
  readonly usable: number;
  readonly facts_told: number;
  readonly facts_reported: number;
  readonly wrong_facts: number;
  /** By the member of the result with the wrong fact. */
  readonly wrong_facts_by_place: Readonly<Record<string, number>>;
  /** Answers that the service marks for review. */
  readonly needs_review: number;
  readonly disclosures: number;
  /** Sentences said too often. */
  readonly repeats: number;
  /** Questions of the person that our next words ignored. */
  readonly ignored_questions: number;
  /** People who spoke with us and never heard that a machine calls and records. */
  readonly notice_missing: number;
  readonly too_long: number;
  /** People and tasks whose every conversation was usable, out of how many, in how many wordings. */
  readonly pass_k: number;
  readonly pass_k_total: number;
  readonly k: number;
  /** Turns in which the dialogue model threw. */
  readonly model_errors: number;
  readonly intervals: Readonly<Record<'goals' | 'endings' | 'usable' | 'facts' | 'pass_k', Interval>>;
  readonly turns_p50: number;
  readonly turns_p95: number;
  readonly talk_seconds_p50: number;
  readonly talk_seconds_p95: number;
  /** From the last words heard to our first word, with one conversation at a time. */
  readonly first_text_p50_ms: number;
  readonly first_text_p95_ms: number;
  /** The same with several concurrent conversations. */
  readonly first_text_under_load_p50_ms: number;
  readonly first_text_under_load_p95_ms: number;
  readonly seconds: number;
  readonly by_class: readonly ClassFigures[];
  readonly by_person: readonly PersonFigures[];
}

/** Conversations with people who share a difficulty (`evaluation.classes` of their files). */
export interface ClassFigures {
  readonly class: string;
  readonly people: number;
  readonly conversations: number;
  readonly usable: number;
  readonly wrong_facts: number;
}

export interface PersonFigures {
  readonly person: string;
  readonly task: string;
  readonly conversations: number;
  readonly good: number;
  readonly usable: number;
  readonly facts_told: number;
  readonly facts_reported: number;
  readonly wrong_facts: number;
  readonly needs_review: number;
  readonly disclosures: number;
  readonly repeats: number;
  readonly ignored_questions: number;
  readonly notice_missing: number;
  readonly too_long: number;
  readonly turns_p50: number;
  readonly talk_seconds_p50: number;
  readonly first_text_p95_ms: number;
  /** The outcomes of the conversations that were not good. */
  readonly outcomes: readonly string[];
}

/** @param responseTimesMs of conversations held one by one */
export function figuresOf(
  verdicts: readonly Verdict[],
  responseTimesMs: readonly number[],
  seconds: number,
): Figures {
  const long = new Set(tooLong(verdicts));
  const reachable = verdicts.filter(({ isReachable }) => isReachable);
  const unreachable = verdicts.filter(({ isReachable }) => !isReachable);
  const totals = totalsOf(verdicts, long);
  const reached = reachable.filter(({ isGood }) => isGood).length;
  const ended = unreachable.filter(({ isGood }) => isGood).length;
  const groups = [...Map.groupBy(verdicts, groupOf).values()];
  const passed = groups.filter((group) => group.every(({ isUsable }) => isUsable)).length;
  const talked = verdicts.filter(({ turns }) => turns > 0);
  const [turns, talk] = [
    talked.map((verdict) => verdict.turns),
    talked.map(({ talkSeconds }) => talkSeconds),
  ];
  const underLoad = verdicts.flatMap((verdict) => verdict.responseTimesMs);
  return {
    conversations: verdicts.length,
    people: new Set(verdicts.map(({ held }) => held.casting.person.id)).size,
    goals_reached: reached,
    goals_total: reachable.length,
    endings_right: ended,
    endings_total: unreachable.length,
    ...totals,
    wrong_facts_by_place: countBy(verdicts.flatMap(({ wrongFacts }) => wrongFacts.map(({ where }) => where))),
    pass_k: passed,
    pass_k_total: groups.length,
    k: Math.max(0, ...groups.map(({ length }) => length)),
    model_errors: sum(verdicts, ({ held }) => held.modelErrors.length),
    intervals: {
      goals: wilsonInterval(reached, reachable.length),
      endings: wilsonInterval(ended, unreachable.length),
      usable: wilsonInterval(totals.usable, verdicts.length),
      facts: wilsonInterval(totals.facts_reported, totals.facts_told),
      pass_k: wilsonInterval(passed, groups.length),
    },
    turns_p50: percentile(turns, 0.5),
    turns_p95: percentile(turns, 0.95),
    talk_seconds_p50: percentile(talk, 0.5),
    talk_seconds_p95: percentile(talk, 0.95),
    first_text_p50_ms: percentile(responseTimesMs, 0.5),
    first_text_p95_ms: percentile(responseTimesMs, 0.95),
    first_text_under_load_p50_ms: percentile(underLoad, 0.5),
    first_text_under_load_p95_ms: percentile(underLoad, 0.95),
    seconds: Math.round(seconds * 10) / 10,
    by_class: figuresByClass(verdicts),
    by_person: groups.map((group) => figuresOfPerson(group, long)),
  };
}

function figuresByClass(verdicts: readonly Verdict[]): ClassFigures[] {
  const classes = new Set(verdicts.flatMap(({ held }) => held.casting.person.evaluation.classes));
  return [...classes].sort().map((name) => {
    const own = verdicts.filter(({ held }) => held.casting.person.evaluation.classes.includes(name));
    return {
      class: name,
      people: new Set(own.map(({ held }) => held.casting.person.id)).size,
      conversations: own.length,
      usable: own.filter(({ isUsable }) => isUsable).length,
      wrong_facts: sum(own, ({ wrongFacts }) => wrongFacts.length),
    };
  });
}

/** A conversation may be this many times as long as comparable ones. */
const longestShare = 2.5;

/** Conversations that went on too long, compared with those of the same task type that reached their goal. */
export function tooLong(verdicts: readonly Verdict[]): Verdict[] {
  const reached = verdicts.filter(({ isReachable, isGood }) => isReachable && isGood);
  const usual = Map.groupBy(reached, ({ held }) => held.casting.taskType);
  return verdicts.filter(({ held, turns }) => {
    const lengths = (usual.get(held.casting.taskType) ?? []).map((verdict) => verdict.turns);
    return lengths.length > 0 && turns > longestShare * percentile(lengths, 0.5);
  });
}

type Totals = Pick<
  Figures,
  | 'usable'
  | 'facts_told'
  | 'facts_reported'
  | 'wrong_facts'
  | 'needs_review'
  | 'disclosures'
  | 'repeats'
  | 'ignored_questions'
  | 'notice_missing'
  | 'too_long'
>;

function totalsOf(verdicts: readonly Verdict[], long: ReadonlySet<Verdict>): Totals {
  return {
    usable: verdicts.filter(({ isUsable }) => isUsable).length,
    facts_told: sum(verdicts, ({ factsTold }) => factsTold),
    facts_reported: sum(verdicts, ({ factsReported }) => factsReported),
    wrong_facts: sum(verdicts, ({ wrongFacts }) => wrongFacts.length),
    needs_review: sum(verdicts, ({ needsReview }) => needsReview),
    disclosures: sum(verdicts, ({ disclosures }) => disclosures.length),
    repeats: sum(verdicts, ({ repeats }) => repeats.length),
    ignored_questions: sum(verdicts, ({ ignoredQuestions }) => ignoredQuestions.length),
    notice_missing: sum(verdicts, ({ unnotified }) => unnotified.length),
    too_long: verdicts.filter((verdict) => long.has(verdict)).length,
  };
}

function figuresOfPerson(group: readonly Verdict[], long: ReadonlySet<Verdict>): PersonFigures {
  const bad = group.filter(({ isGood }) => !isGood);
  return {
    person: group[0]?.held.casting.person.id ?? '',
    task: group[0]?.held.casting.taskType ?? '',
    conversations: group.length,
    good: group.length - bad.length,
    ...totalsOf(group, long),
    turns_p50: percentile(
      group.map(({ turns }) => turns),
      0.5,
    ),
    talk_seconds_p50: percentile(
      group.map(({ talkSeconds }) => talkSeconds),
      0.5,
    ),
    first_text_p95_ms: percentile(
      group.flatMap(({ responseTimesMs }) => responseTimesMs),
      0.95,
    ),
    outcomes: [...new Set(bad.map(({ outcome }) => outcome))],
  };
}

/** One person and one of their tasks, in all wordings. */
function groupOf({ held }: Verdict): string {
  const { person, taskNumber } = held.casting;
  return `${person.id} ${taskNumber}`;
}

function sum(verdicts: readonly Verdict[], count: (verdict: Verdict) => number): number {
  return verdicts.reduce((total, verdict) => total + count(verdict), 0);
}

function countBy(places: readonly string[]): Record<string, number> {
  const counts = [...Map.groupBy(places, (place) => place)].map(
    ([place, all]) => [place, all.length] as const,
  );
  return Object.fromEntries(counts.toSorted(([, one], [, other]) => other - one));
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return Math.round(value * 10) / 10;
}
