import { percent } from './bar.ts';
import type { Figures, PersonFigures } from './figures.ts';
import type { UsageFigures } from './model-usage.ts';
import type { Interval } from './wilson.ts';

/** One line per person and task, over all wordings. */
export function table({ by_person }: Figures): string {
  return align([
    [
      'person',
      'task',
      'good',
      'usable',
      'facts',
      'wrong',
      'off plan',
      'again',
      'turns',
      'talk s',
      'p95 ms',
      '',
    ],
    ...by_person.map(personRow),
  ]);
}

function personRow(figures: PersonFigures): string[] {
  return [
    figures.person,
    shortNames[figures.task] ?? figures.task,
    `${figures.good}/${figures.conversations}`,
    `${figures.usable}/${figures.conversations}`,
    `${figures.facts_reported}/${figures.facts_told}`,
    String(figures.wrong_facts),
    String(figures.disclosures),
    String(figures.repeats),
    String(figures.turns_p50),
    String(figures.talk_seconds_p50),
    String(figures.first_text_p95_ms),
    figures.outcomes.join('; '),
  ];
}

/** All figures, with those of a noisy line, if any, in their own column. */
export function summary(clear: Figures, noisy: Figures | null): string {
  const rows = rowsOf(clear);
  if (noisy === null) return `${align(rows)}${placesOf(clear)}`;
  const others = new Map(rowsOf(noisy));
  const both = align([
    ['', 'clear line', 'noisy line'],
    ...rows.map(([name, value]) => [name, value, others.get(name) ?? '']),
  ]);
  return `${both}${placesOf(clear)}`;
}

/** One line per class of difficulty; empty if no file names one. */
export function classTable({ by_class }: Figures): string {
  if (by_class.length === 0) return '';
  return align([
    ['class', 'people', 'usable', 'wrong facts'],
    ...by_class.map((one) => [
      one.class,
      String(one.people),
      `${one.usable}/${one.conversations}`,
      String(one.wrong_facts),
    ]),
  ]);
}

/** The language model's usage. */
export function usageTable(usage: UsageFigures): string {
  const { input_tokens_per_call, output_tokens_per_call, cost_per_call } = usage;
  const cached = percent(usage.cache_read_tokens, usage.input_tokens + usage.cache_read_tokens);
  return align([
    ['requests of the model', `${usage.rounds} in ${usage.model_turns} turns`],
    [
      'tokens of a call',
      `${input_tokens_per_call} read (${cached.toFixed(0)} % from the cache), ${output_tokens_per_call} written`,
    ],
    ...(cost_per_call === null ? [] : [['cost of a call', `$${cost_per_call.toFixed(4)}`]]),
  ]);
}

function rowsOf(figures: Figures): [name: string, value: string][] {
  const { intervals } = figures;
  return [
    [
      'conversations',
      `${figures.conversations} with ${figures.people} people in ${figures.seconds.toFixed(1)} s`,
    ],
    ['goals reached', share(figures.goals_reached, figures.goals_total, intervals.goals)],
    ['right endings, no goal', share(figures.endings_right, figures.endings_total, intervals.endings)],
    ['usable results', share(figures.usable, figures.conversations, intervals.usable)],
    [
      `usable in all ${figures.k} conversations`,
      share(figures.pass_k, figures.pass_k_total, intervals.pass_k),
    ],
    ['facts reported', share(figures.facts_reported, figures.facts_told, intervals.facts)],
    ['wrong facts', String(figures.wrong_facts)],
    ['answers for review', String(figures.needs_review)],
    ['disclosures outside the plan', String(figures.disclosures)],
    ['sentences said three times', String(figures.repeats)],
    ['questions ignored', String(figures.ignored_questions)],
    ['people without the notice', String(figures.notice_missing)],
    ['too long', String(figures.too_long)],
    ['failures of the model', String(figures.model_errors)],
    ['turns of the agent', `p50 ${figures.turns_p50}, p95 ${figures.turns_p95}`],
    ['seconds of talk', `p50 ${figures.talk_seconds_p50}, p95 ${figures.talk_seconds_p95}`],
    [
      'prompt to first text',
      `p50 ${figures.first_text_p50_ms} ms, p95 ${figures.first_text_p95_ms} ms (one call at a time)`,
    ],
    [
      'the same under load',
      `p50 ${figures.first_text_under_load_p50_ms} ms, p95 ${figures.first_text_under_load_p95_ms} ms`,
    ],
  ];
}

/** "61 of 99 (61.6 %, 51.8 to 70.6)" */
function share(part: number, whole: number, [low, high]: Interval): string {
  if (whole === 0) return 'none';
  const bounds = `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)}`;
  return `${part} of ${whole} (${percent(part, whole).toFixed(1)} %, ${bounds})`;
}

/** Where in the results the wrong facts are. */
function placesOf({ wrong_facts_by_place }: Figures): string {
  const places = Object.entries(wrong_facts_by_place).map(([where, count]) => `${where} ${count}`);
  return places.length === 0 ? '' : `\n\nWrong facts: ${places.join(', ')}`;
}

const shortNames: Record<string, string> = {
  SCHEDULE_APPOINTMENT: 'appointment',
  VERIFY_INSURANCE: 'insurance',
  REIMBURSEMENT: 'claim',
  CUSTOM_TASK: 'questions',
};

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
