import type { Figures } from './figures.ts';

/** What the built-in model must reach with the repository's people; below any of it, the evaluation fails. */
export const bar = {
  conversations: 200,
  people: 40,
  goalsPercent: 95,
  wrongFacts: 0,
  disclosures: 0,
  firstTextP95Ms: 30,
  /** On the stack. */
  seconds: 120,
};

/** What it must reach with people whom it was not developed for. */
export const barWithStrangers = {
  usablePercent: 90,
  wrongFactsPer100: 1,
  factsPercent: 92,
  endingsPercent: 90,
  disclosures: 0,
  repeats: 0,
};

export interface Evaluated {
  /** Whether these are the people of the repository. */
  readonly isRepository: boolean;
  /** All of them, not a selection. */
  readonly isWhole: boolean;
  readonly isOnStack: boolean;
}

/** What is below the bar, in words; empty if everything is reached. */
export function shortcomings(figures: Figures, evaluated: Evaluated): string[] {
  return evaluated.isRepository ? belowBar(figures, evaluated) : belowBarWithStrangers(figures);
}

function belowBar(figures: Figures, { isWhole, isOnStack }: Evaluated): string[] {
  const goals = percent(figures.goals_reached, figures.goals_total);
  return problems([
    // A part of the set may have any size.
    [!isWhole || figures.conversations >= bar.conversations, `fewer than ${bar.conversations} conversations`],
    [!isWhole || figures.people >= bar.people, `fewer than ${bar.people} people`],
    [!isWhole || !isOnStack || figures.seconds <= bar.seconds, `took longer than ${bar.seconds} s`],
    [goals >= bar.goalsPercent, `fewer than ${bar.goalsPercent} % of the reachable goals`],
    [figures.wrong_facts <= bar.wrongFacts, `${figures.wrong_facts} wrong facts`],
    [figures.disclosures <= bar.disclosures, `${figures.disclosures} disclosures outside the plan`],
    [
      figures.first_text_p95_ms <= bar.firstTextP95Ms,
      `time to the first text above ${bar.firstTextP95Ms} ms (p95)`,
    ],
  ]);
}

function belowBarWithStrangers(figures: Figures): string[] {
  const { usablePercent, wrongFactsPer100, factsPercent, endingsPercent } = barWithStrangers;
  return problems([
    [
      percent(figures.usable, figures.conversations) >= usablePercent,
      `fewer than ${usablePercent} % usable results`,
    ],
    [
      figures.wrong_facts * 100 <= wrongFactsPer100 * figures.conversations,
      `more than ${wrongFactsPer100} wrong fact in 100 conversations`,
    ],
    [
      percent(figures.facts_reported, figures.facts_told) >= factsPercent,
      `fewer than ${factsPercent} % of the facts`,
    ],
    [
      percent(figures.endings_right, figures.endings_total) >= endingsPercent,
      `fewer than ${endingsPercent} % of the endings without a goal`,
    ],
    [figures.disclosures <= barWithStrangers.disclosures, `${figures.disclosures} disclosures`],
    [figures.repeats <= barWithStrangers.repeats, `${figures.repeats} sentences said three times`],
  ]);
}

function problems(demands: readonly (readonly [isKept: boolean, problem: string])[]): string[] {
  return demands.filter(([isKept]) => !isKept).map(([, problem]) => problem);
}

export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (part / whole) * 100;
}
