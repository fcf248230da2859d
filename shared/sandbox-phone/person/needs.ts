import type { StaffedDesk } from './character.ts';
import type { Need } from './desk.ts';
import type { Heard } from './heard.ts';
import { findMention, isEmptyMention } from './moment.ts';
import { matchesAny } from './pattern.ts';
import { recognize, type Wanted } from './recognize.ts';
import { chance } from './seeded.ts';
import type { Turn } from './turn.ts';

/** Records what the caller told; returns the new slots. */
export function takeIn(turn: Turn, heard: Heard): string[] {
  const { draft } = turn;
  const values = valuesIn(turn, heard);
  const newlyTold = Object.keys(values).filter((slot) => !draft.settled.includes(slot));
  draft.said = { ...draft.said, ...values };
  draft.settled = [...draft.settled, ...newlyTold];
  // Days and times are a wish only before an offer; a date of birth does not count.
  if (draft.appointment.offered.length === 0) {
    const mention = findMention(heard.text, turn.character.today);
    if (!isEmptyMention(mention)) draft.appointment = { ...draft.appointment, preference: heard.text };
  }
  return newlyTold;
}

/** Values that this person may need, from the caller's words. */
export function valuesIn(turn: Turn, heard: Heard): Readonly<Record<string, string>> {
  const desk = turn.desk();
  const needs = desk === null ? turn.character.desks.flatMap((one) => one.needs) : desk.needs;
  const wanted: Wanted[] = needs.filter(
    (need, index) => needs.findIndex((one) => one.slot === need.slot) === index,
  );
  return recognize(heard, wanted, turn.draft.asking);
}

/** The next missing need. */
export function openNeed(turn: Turn, desk: StaffedDesk): Need | null {
  return (
    desk.needs.find(
      (need) =>
        !turn.draft.settled.includes(need.slot) &&
        chance(turn.character.seed, `asks for ${need.slot}`) < need.likelihood,
    ) ?? null
  );
}

export function askNext(turn: Turn, desk: StaffedDesk): string | null {
  const need = openNeed(turn, desk);
  turn.draft.asking = need?.slot ?? null;
  return need === null ? null : turn.phrase(`ask ${need.slot}`, need.ask);
}

const mostAskings = 5;

/** Works through the needs; true if the person refuses to continue. */
export function goOnAsking(
  turn: Turn,
  desk: StaffedDesk,
  heard: Heard,
  newlyTold: readonly string[],
  isUnderstood: boolean,
  parts: (string | null)[],
): boolean {
  const { draft } = turn;
  const { defaults } = turn.character;
  const asked = desk.needs.find((need) => need.slot === draft.asking);
  if (asked !== undefined) {
    if (newlyTold.includes(asked.slot)) {
      parts.unshift(turn.phrase(`heard ${asked.slot}`, asked.heard));
    } else if (heard.sentences.some((sentence) => matchesAny(defaults.patterns.withheld, sentence.words))) {
      if (asked.if_withheld === 'refuse') {
        draft.refusals += 1;
        parts.push(turn.phrase('refuses', defaults.refuses));
        if (draft.refusals > 1) return true;
      } else {
        parts.push(turn.phrase('without it', defaults.without_it));
        draft.settled = [...draft.settled, asked.slot];
      }
    } else if (turn.timesNoted(`ask ${asked.slot}`) >= mostAskings) {
      // A person who never gets an answer continues without it, or hangs up.
      if (asked.if_withheld === 'refuse') {
        parts.push(turn.phrase('refuses', defaults.refuses));
        return true;
      }
      parts.push(turn.phrase('without it', defaults.without_it));
      draft.settled = [...draft.settled, asked.slot];
    } else if (!isUnderstood && newlyTold.length === 0) {
      if (
        matchesAny([...defaults.patterns.wait, ...defaults.patterns.thanks], heard.words) &&
        heard.words.length < 6
      ) {
        return false;
      }
      if (turn.timesNoted(`ask ${asked.slot}`) >= 3) {
        parts.push(turn.phrase('without it', defaults.without_it));
        draft.settled = [...draft.settled, asked.slot];
      } else {
        parts.push(turn.phrase('say again', defaults.say_again));
      }
    }
  } else if (turn.timesNoted(`${desk.desk} welcome`) === 0) {
    parts.push(turn.phrase(`${desk.desk} welcome`, desk.welcome));
  } else if (newlyTold.length > 0) {
    const [first] = newlyTold;
    const need = desk.needs.find((one) => one.slot === first);
    if (need !== undefined) parts.unshift(turn.phrase(`heard ${need.slot}`, need.heard));
  }
  parts.push(askNext(turn, desk));
  return false;
}
