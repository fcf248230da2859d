import { fits, isPreferred, preferred } from '../call-plan/availability.ts';
import { tokenize, wordSet } from '../entities/tokens.ts';
import { addDays, spokenDay, weekdayOf } from '../language/calendar.ts';
import type { Heard } from '../understanding/understand.ts';
import { book, choose, type ExactOpening, isExact, spokenOpening, stored } from './booking.ts';
import { confirmationIn } from './booking-words.ts';
import type { Opening } from './memory.ts';
import { type OfferedOpening, sureEnough } from './openings.ts';
import type { TurnDraft } from './turn-draft.ts';
import { wishes, withoutOffer } from './without-offer.ts';
import { plainWords } from './words.ts';

/** How often we ask for other times before giving up. */
const maxRounds = 3;

/** Until a time is chosen: takes a fitting offer, narrows vague ones, asks for other times. */
export function considerOffers(draft: TurnDraft, heard: Heard, offered: readonly OfferedOpening[]): void {
  const { turned_down } = draft.memory.scheduling;
  const fresh = offered.filter((opening) => !turned_down.some((known) => isSame(known, opening)));
  const exact = fresh.filter(isExact);
  const best = bestOf(draft, exact);
  if (best !== null && asksForPresence(draft, heard)) return;
  if (best !== null) take(draft, heard, best, fresh);
  else if (exact.length > 0) askForOthers(draft, exact);
  else if (takeUpPartial(draft, fresh)) return;
  // Offered again although it does not fit.
  else if (offered.some(isExact)) askForOthers(draft, []);
  else withoutOffer(draft, heard);
}

function isSame(one: Opening, other: OfferedOpening): boolean {
  return (
    one.day === other.day && one.minutes === other.minutes && other.last_day === null && other.from === null
  );
}

/** The best fitting opening. A merely possible one is taken after a question, or if there was a choice. */
export function bestOf<Some extends OfferedOpening & ExactOpening>(
  draft: TurnDraft,
  openings: readonly Some[],
): Some | null {
  const { plan, memory, today } = draft;
  const [best] = preferred(
    openings.filter(({ day }) => day >= today),
    plan.availability,
  );
  if (best === undefined) return null;
  const hasChoice = openings.length > 1 || memory.scheduling.rounds > 0;
  return hasChoice || isPreferred(best, plan.availability) ? best : null;
}

function take(
  draft: TurnDraft,
  heard: Heard,
  best: OfferedOpening & ExactOpening,
  offered: readonly OfferedOpening[],
): void {
  const { memory, plan } = draft;
  if (best.certainty < sureEnough && (memory.attempts['which-day'] ?? 0) === 0) {
    askWhich(draft, best, offered);
    return;
  }
  const confirmation =
    offered.filter(isExact).length === 1 && !plan.is_rescheduling ? confirmationIn(heard, false) : null;
  const isBooked = confirmation !== null && (confirmation.acts.get('confirms-booking') ?? 0) >= 0.6;
  choose(draft, best, { isBooked, isUnsure: best.certainty < sureEnough });
  if (fits(best, plan.availability) === 'unsure') {
    draft.followUp(
      `Please check that ${spokenOpening(best, draft.today)} suits the patient: "${plan.availability.text ?? ''}"`,
    );
  }
  if (isBooked && confirmation !== null) {
    book(draft, best, { quote: confirmation.text, turn: heard.turn, isRestated: false });
  }
}

const remote = wordSet('telehealth telemedicine televisit video virtual virtually remote remotely');

/** A video visit is taken if the client mentions one, or if there is nothing else. */
function asksForPresence(draft: TurnDraft, heard: Heard): boolean {
  const { memory, plan } = draft;
  const isRemote = (text: string): boolean => plainWords(tokenize(text)).some((word) => remote.has(word));
  if (!isRemote(heard.said) || isRemote(`${plan.instructions} ${plan.availability.text ?? ''}`)) return false;
  memory.attempts.remote = (memory.attempts.remote ?? 0) + 1;
  if (memory.attempts.remote > 1) {
    draft.followUp('The visit that was offered may not be in person but by video or telephone.');
    return false;
  }
  draft.say('If possible, the patient would like to come in person. Do you have an opening for that?', {
    kind: 'question',
  });
  memory.pending = 'appointment_time';
  return true;
}

/** "Just to be sure: is that Tuesday the 24th or Wednesday the 25th?" */
function askWhich(
  draft: TurnDraft,
  best: OfferedOpening & ExactOpening,
  offered: readonly OfferedOpening[],
): void {
  const { memory, today } = draft;
  memory.attempts['which-day'] = 1;
  memory.pending = 'which-day';
  memory.scheduling.chosen = stored(best);
  const days = [...new Set([weekdayNamedWith(best), ...offered.map(({ day }) => day), best.day])].filter(
    (day) => day !== null,
  );
  const named = days.toSorted().map((day) => spokenDay(day, today));
  const when = spokenOpening({ ...best, day: null }, today);
  memory.attempts['which-days'] = named.length;
  draft.say(`Just to be sure: is that ${named.join(' or ')}, at ${when}?`, { kind: 'question' });
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The nearby day with the weekday that was said with another date. */
function weekdayNamedWith({ day, quote }: OfferedOpening & ExactOpening): string | null {
  const lower = quote.toLowerCase();
  const near = [-3, -2, -1, 1, 2, 3].map((step) => addDays(day, step));
  return near.find((one) => lower.includes(weekdays[weekdayOf(one)] ?? ' ')) ?? null;
}

/** How often offers are turned down in the same words. */
const mostAlike = 2;

/** No offer fits: states the availability, proposes, asks for more, and finally gives up. */
export function askForOthers(draft: TurnDraft, openings: readonly OfferedOpening[]): void {
  const { memory, plan } = draft;
  const { scheduling } = memory;
  const isPossible = openings.some((one) => isExact(one) && fits(one, plan.availability) !== 'does-not-fit');
  // A possible time may be taken later.
  if (!isPossible) scheduling.turned_down.push(...openings.map(stored));
  scheduling.rounds += 1;
  memory.pending = 'appointment_time';
  const lead = isPossible
    ? 'That would be possible, but not ideal.'
    : sorry(openings.length, scheduling.rounds);
  const wish = wishes(draft);
  if (scheduling.rounds === 1)
    draft.say(`${lead} ${wish.text} Do you have anything ${isPossible ? 'like that' : 'else'}?`, wish);
  else if (scheduling.rounds <= maxRounds) draft.say(`${lead} ${otherQuestion(draft)}`, { kind: 'question' });
  else giveUp(draft, openings);
}

function sorry(count: number, round: number): string {
  if (round > mostAlike) return 'I am afraid that is not possible either.';
  return count > 1
    ? "I'm sorry, those do not work for the patient."
    : "I'm sorry, that does not work for the patient.";
}

/** Asks differently each time: for fitting days, then for other doctors and places. */
function otherQuestion({ memory, plan, today }: TurnDraft): string {
  const { rounds, turned_down } = memory.scheduling;
  const { first_day, last_day } = plan.availability;
  if (rounds === 2) {
    const days = fittingDays(plan.availability, today, turned_down);
    if (days.length > 0)
      return `Is there another time, for example on ${days.map((day) => spokenDay(day, today)).join(' or ')}?`;
  }
  if (
    first_day !== null &&
    first_day > today &&
    turned_down.every(({ day }) => day === null || day < first_day)
  ) {
    return `What is your first opening after ${spokenDay(addDays(first_day, -1), today)}?`;
  }
  const limit = last_day === null ? '' : ` until ${spokenDay(last_day, today)}`;
  return `What is the first opening${limit} with another doctor, or at another location?`;
}

/** The next two working days when the patient can come and that were not declined. */
function fittingDays(
  availability: TurnDraft['plan']['availability'],
  today: string,
  refused: readonly Opening[],
): string[] {
  const days = Array.from({ length: 28 }, (_, offset) => addDays(today, offset + 1));
  return days
    .filter((day) => weekdayOf(day) % 6 !== 0 && !refused.some((opening) => opening.day === day))
    .filter((day) => fits({ day, minutes: null }, availability) !== 'does-not-fit')
    .slice(0, 2);
}

/** The client learns the offers, and decides. */
function giveUp(draft: TurnDraft, openings: readonly OfferedOpening[]): void {
  const { turned_down } = draft.memory.scheduling;
  const offers = [
    ...new Set([...turned_down, ...openings].map((one) => spokenOpening(one, draft.today, true))),
  ];
  draft.followUp(
    `Offered, but outside of the patient's availability: ${offers.filter((offer) => offer !== '').join('; ')}.`,
  );
  const last = openings.at(-1) ?? turned_down.at(-1);
  if (last !== undefined) draft.obstacle('no_availability', last.quote, last.turn);
  draft.end('declined', 'follow-up');
}

/** A day without a time, a part of a day, a span of days: narrows it, or proposes a time in it. */
function takeUpPartial(draft: TurnDraft, partials: readonly OfferedOpening[]): boolean {
  const { memory, plan } = draft;
  const vague = partials.filter(({ minutes, day }) => minutes === null && day !== null);
  if (vague.length === 0) return false;
  const fitting = vague.filter((one) => timesIn(draft, one).length > 0);
  const [first] = fitting.toSorted((a, b) => (a.day ?? '').localeCompare(b.day ?? ''));
  if (first === undefined) {
    askForOthers(draft, vague);
    return true;
  }
  const [proposed] = isStretch(first) ? timesIn(draft, first).toSorted((a, b) => rank(a) - rank(b)) : [];
  function rank(minutes: number): number {
    return (isPreferred({ day: first?.day ?? '', minutes }, plan.availability) ? 0 : 2000) + minutes;
  }
  const opening = proposed === undefined ? first : { ...first, minutes: proposed };
  if (isExact(opening)) {
    choose(draft, opening);
    return true;
  }
  const times = (memory.attempts[`times ${first.day}`] ?? 0) + 1;
  memory.attempts[`times ${first.day}`] = times;
  if (times > 2) return false;
  memory.pending = 'appointment_time';
  if (first.last_day !== null)
    draft.say('What is the first day and time that you could offer then?', { kind: 'question' });
  else
    draft.say(`${spokenDay(first.day ?? '', draft.today)} is possible. Which times do you have then?`, {
      kind: 'question',
    });
  return true;
}

/** A few named hours, not a whole morning. */
function isStretch({ from, to, last_day }: OfferedOpening): boolean {
  return last_day === null && from !== null && to !== null && from % 720 !== 0 && to - from <= 5 * 60;
}

/** The times within a vague offer when the patient can come, in minutes since midnight. */
function timesIn({ plan }: TurnDraft, { day, last_day, from, to }: OfferedOpening): number[] {
  const days = Array.from({ length: 31 }, (_, offset) => addDays(day ?? '', offset)).filter(
    (one) => one <= (last_day ?? day ?? ''),
  );
  const quarters = Array.from({ length: 48 }, (_, at) => 7 * 60 + at * 15).filter(
    (at) => at >= (from ?? 0) && at < (to ?? 1440),
  );
  return quarters.filter((minutes) =>
    days.some((one) => fits({ day: one, minutes }, plan.availability) !== 'does-not-fit'),
  );
}
