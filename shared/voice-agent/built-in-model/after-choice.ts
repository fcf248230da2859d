import { fits } from '../call-plan/availability.ts';
import { hasQuestionMark } from '../entities/tokens.ts';
import { guess } from '../understanding/linear-model.ts';
import { polarityFeatures } from '../understanding/polarity-features.ts';
import { type Heard, likelihood, modelOf } from '../understanding/understand.ts';
import { beginsWithYes, plainWordsIn } from '../understanding/yes-and-no.ts';
import {
  book,
  checkBooking,
  choose,
  dropChoice,
  type ExactOpening,
  isExact,
  recordTime,
  settleBooking,
  spokenOpening,
  stored,
} from './booking.ts';
import { conditionIn, confirmationIn, isGone, takesBackBooking } from './booking-words.ts';
import { isHolding } from './holding.ts';
import { askForOthers, bestOf, considerOffers } from './offers.ts';
import { isMention, type OfferedOpening, sureEnough } from './openings.ts';
import { repeat, waitFor } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';

/** What these words say about the chosen opening. */
export interface Reaction {
  /** They name it again. */
  readonly isRepeated: boolean;
  /** Other openings with day and time; corrections inherit the missing part. */
  readonly others: readonly (OfferedOpening & ExactOpening)[];
  readonly corrects: boolean;
}

/** An opening is chosen: asks to book it, unless the other side offers another one. */
export function afterChoice(
  draft: TurnDraft,
  heard: Heard,
  chosen: ExactOpening,
  openings: readonly OfferedOpening[],
): void {
  const { memory } = draft;
  if (memory.pending === 'which-day') {
    settleWhich(draft, heard, chosen, openings);
    return;
  }
  const reaction = reactionTo(chosen, heard, openings);
  const { isRepeated, others } = reaction;
  const named = withProvider(chosen, isRepeated ? openings : []);
  if (isRepeated) {
    // They have now said it themselves, perhaps with the provider.
    memory.scheduling.read_back = true;
    memory.scheduling.chosen = stored(named);
    recordTime(draft, named);
  }
  const confirmation = confirmationIn(heard, isRepeated);
  const answer = answerToCheck(draft, heard);
  if (!isRepeated && others.length > 0) reconsider(draft, heard, chosen, reaction, confirmation !== null);
  else if (!isRepeated && isGone(heard) && confirmation === null) loseChoice(draft, heard, chosen, openings);
  else if (conditionIn(heard) !== null && confirmation === null) meetCondition(draft, heard, named);
  else if (confirmation !== null || answer?.isYes === true || restatesOnRequest(draft, heard, isRepeated)) {
    const quote = confirmation?.text ?? answer?.quote ?? heard.moves[0]?.text ?? heard.said;
    book(draft, named, { quote, turn: heard.turn, isRestated: isRepeated });
    // A person who requests a fact continues by themselves once they have it.
    if (!asksAlready(draft) && !isHolding(heard)) settleBooking(draft);
  } else goOn(draft, heard, named, isRepeated);
}

export function reactionTo(
  chosen: ExactOpening,
  heard: Heard,
  openings: readonly OfferedOpening[],
): Reaction {
  const isRepeated = openings.some((one) => one.minutes !== null && isMention(one, chosen));
  const corrects = likelihood(heard, 'corrects') >= 0.45;
  const other = openings.filter((one) => one.minutes !== null && !isMention(one, chosen));
  const days =
    corrects || likelihood(heard, 'confirms-booking') >= 0.5
      ? openings.filter((one) => isOtherDay(one, chosen))
      : [];
  const others = [...other, ...days.map((one) => ({ ...one, minutes: chosen.minutes }))].map((one) => ({
    ...one,
    day: one.day ?? chosen.day,
  }));
  return {
    isRepeated: isRepeated && !(corrects && others.length > 0),
    others: others.filter(isExact),
    corrects,
  };
}

/** "No, wait, that's the 25th": another day at the same time. */
function isOtherDay({ day, minutes, last_day, from }: OfferedOpening, chosen: ExactOpening): boolean {
  return day !== null && minutes === null && last_day === null && from === null && day !== chosen.day;
}

function withProvider(chosen: ExactOpening, openings: readonly OfferedOpening[]): ExactOpening {
  const named = openings.find(({ provider }) => provider !== null)?.provider ?? null;
  return { ...chosen, provider: named ?? chosen.provider };
}

/** Asked whether it is booked, they repeat the time and deny nothing. */
function restatesOnRequest({ memory }: TurnDraft, heard: Heard, isRepeated: boolean): boolean {
  const isAsked = memory.scheduling.checks > 0 || memory.attempts.repeated === 1;
  // "That is correct, Thursday at nine. Full marks.": what follows a plain yes must be a surer no.
  const isYes = isPlainYes(heard.moves[0]?.tokens ?? []);
  const denial = likelihood(heard, 'no', 'corrects', 'hold', 'no-availability');
  const isDenied = denial >= (isYes ? surelyDenied : leastDenied);
  const told = heard.moves.filter(({ isQuestion, tokens }) => !isQuestion || isPlainYes(tokens));
  // "Isn't that what I said? Thursday at nine, yes."
  const isPlain =
    told.length === heard.moves.length || told.some(({ tokens }) => plainWordsIn(tokens).has('yes'));
  return isAsked && isRepeated && !isDenied && isPlain;
}

const leastDenied = 0.4;
const surelyDenied = 0.8;

/** "Correct.", "That is correct." ask nothing, however often they are asked. */
function isPlainYes(tokens: Heard['tokens']): boolean {
  const words = tokens.slice(0, 2).map(({ norm }) => norm);
  const lead = words[0] === 'that is' ? 1 : words.join(' ') === 'that is' ? 2 : 0;
  return beginsWithYes(tokens.slice(lead)) && !hasQuestionMark(tokens);
}

const asksAlready = ({ words }: TurnDraft): boolean => words.some(({ text }) => text.includes('?'));

/** Yes or no to "is it booked now?"; null if not asked, or if the words are neither. */
function answerToCheck({ memory }: TurnDraft, heard: Heard): { isYes: boolean; quote: string } | null {
  const isAsked = memory.pending === 'booking' && memory.scheduling.checks > 0;
  if (!isAsked || isHolding(heard)) return null;
  // "That's right, it was Monday at nine, and it's taken."
  if (takesBackBooking(heard, true)) return null;
  for (const { text, tokens, isQuestion, acts } of heard.moves) {
    const [best] = guess(modelOf('polarity'), polarityFeatures('Is the appointment booked now?', tokens));
    if (isPlainYes(tokens)) return { isYes: true, quote: text };
    if (isQuestion || best === undefined || best.confidence < 0.55) continue;
    // A number says neither.
    if (tokens.some(({ kind }) => kind === 'number') && (acts.get('yes') ?? 0) < 0.3) continue;
    if (best.label === 'yes' || best.label === 'no') return { isYes: best.label === 'yes', quote: text };
  }
  return null;
}

/** Neither booked nor lost yet. */
function goOn(draft: TurnDraft, heard: Heard, chosen: ExactOpening, isRepeated: boolean): void {
  const { scheduling } = draft.memory;
  if (draft.hasSpoken) return;
  if (isHolding(heard)) {
    waitFor(draft);
    return;
  }
  if (likelihood(heard, 'asks-repeat') >= 0.5 && repeat(draft)) return;
  const isAsked = isRepeated || likelihood(heard, 'asks-confirmation', 'asks-preference') >= 0.5;
  // Said once; a person who still only repeats it is asked whether it is booked.
  if (isAsked && scheduling.checks === 0 && draft.memory.attempts.repeated !== 1) {
    draft.memory.attempts.repeated = 1;
    draft.say(`Yes, please book ${spokenOpening(chosen, draft.today)}.`);
    return;
  }
  checkBooking(draft, chosen, answerToCheck(draft, heard)?.isYes === false);
}

/** The other side names a time other than the one we took: evaluated like any offer, never assumed. */
export function reconsider(
  draft: TurnDraft,
  heard: Heard,
  chosen: ExactOpening,
  { others, corrects }: Reaction,
  isConfirmed: boolean,
): void {
  const { memory, today } = draft;
  const isLost = isGone(heard) || corrects;
  if (!isConfirmed) {
    const best = bestOf(draft, others);
    if (best === null && !isLost) {
      checkBooking(draft, chosen);
      return;
    }
    dropChoice(draft);
    if (isLost) memory.scheduling.turned_down.push(stored(chosen));
    considerOffers(draft, heard, others);
    return;
  }
  const [other] = others;
  if (other === undefined) return;
  const old = spokenOpening(chosen, today);
  dropChoice(draft);
  if (fits(other, draft.plan.availability) === 'does-not-fit') {
    memory.scheduling.chosen = stored(chosen);
    memory.scheduling.turned_down.push(stored(other));
    recordTime(draft, chosen);
    draft.say(
      `I'm sorry, ${spokenOpening(other, today)} does not work for the patient. Can you book ${old}, please?`,
      { kind: 'question' },
    );
  } else {
    memory.scheduling.chosen = stored(other);
    recordTime(draft, other);
    draft.say(
      `I had asked for ${old}. Is the appointment booked for ${spokenOpening(other, today)} instead?`,
      { kind: 'question' },
    );
  }
  memory.scheduling.checks += 1;
  memory.pending = 'booking';
}

/** Our chosen opening is gone. */
export function loseChoice(
  draft: TurnDraft,
  heard: Heard,
  chosen: ExactOpening,
  openings: readonly OfferedOpening[],
): void {
  const { memory } = draft;
  dropChoice(draft);
  memory.scheduling.turned_down.push(stored(chosen));
  if (openings.length > 0) {
    considerOffers(draft, heard, openings);
    return;
  }
  if (draft.hasSpoken) return;
  memory.pending = 'appointment_time';
  draft.say('I see. What other openings do you have?', { kind: 'question' });
}

/** Booked on a condition: asks once whether it can be done now, then records it as it is. */
function meetCondition(draft: TurnDraft, heard: Heard, chosen: ExactOpening): void {
  const { attempts } = draft.memory;
  const quote = conditionIn(heard) ?? heard.said;
  attempts.condition = (attempts.condition ?? 0) + 1;
  if (attempts.condition > 1) {
    book(draft, chosen, { quote, turn: heard.turn, isRestated: false, isConditional: true });
    if (!draft.hasSpoken) settleBooking(draft);
    return;
  }
  draft.followUp(`They said: "${quote}"`);
  if (draft.hasSpoken) return;
  const when = spokenOpening(chosen, draft.today);
  draft.say(`Is the appointment on ${when} booked now, or does something have to be done first?`, {
    kind: 'question',
  });
  draft.memory.pending = 'booking';
  draft.memory.scheduling.checks = Math.max(1, draft.memory.scheduling.checks);
}

/** After "is that Tuesday the 24th or Wednesday the 25th?": the day named now; without one it stays uncertain. */
function settleWhich(
  draft: TurnDraft,
  heard: Heard,
  chosen: ExactOpening,
  openings: readonly OfferedOpening[],
): void {
  if (isHolding(heard)) {
    waitFor(draft);
    return;
  }
  const named = openings.find(
    ({ day, certainty, last_day }) => day !== null && last_day === null && certainty >= sureEnough,
  );
  const isYes = likelihood(heard, 'yes') >= 0.5;
  const isNo = likelihood(heard, 'no', 'corrects') >= 0.5;
  const meant = {
    ...chosen,
    day: named?.day ?? chosen.day,
    minutes: named?.minutes ?? chosen.minutes,
    quote: named?.quote ?? chosen.quote,
  };
  draft.memory.scheduling.chosen = null;
  if (named === undefined && isNo && !isYes) {
    askForOthers(draft, []);
    return;
  }
  const opening = { ...meant, turn: named === undefined ? chosen.turn : heard.turn };
  if (fits(opening, draft.plan.availability) === 'does-not-fit') {
    draft.memory.scheduling.turned_down.push(stored(opening));
    askForOthers(draft, []);
    return;
  }
  const isClear = named !== undefined || (isYes && draft.memory.attempts['which-days'] === 1);
  choose(draft, opening, { isUnsure: !isClear });
}
