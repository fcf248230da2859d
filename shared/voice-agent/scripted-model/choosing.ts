import { addDays, spokenDay, weekdayOf } from '../language/calendar.ts';
import { denies } from '../language/polarity.ts';
import { fitOf } from '../plan/time-wishes.ts';
import { book, recordTime, slotValue } from './booking.ts';
import { confirmationIn, settledIn } from './booking-words.ts';
import { answerQuestions } from './fact-answers.ts';
import { availabilitySentence, spokenSlot } from './phrasing.ts';
import {
  answerCheckBack,
  answerOtherQuestions,
  handleObstacle,
  repeatLast,
  sayWaiting,
  wantsRepetition,
} from './side-talk.ts';
import type { Slot } from './slots.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/** How often other times are asked for before the appointment is given up. */
const maxRounds = 5;
/** The same when all that is offered is too late. */
const maxRoundsOutOfReach = 3;
/** How often in a row openings are asked for in vain. */
const maxStalled = 5;

/** While no slot is chosen: takes what fits of what is offered, narrows down what is vague, asks for other times. */
export function considerOffers(draft: TurnDraft, heard: Heard, offered: readonly Slot[]): void {
  const { scheduling } = draft.memory;
  const slots = offered.filter((slot) => !scheduling.turned_down.some((known) => isSame(known, slot)));
  const exact = slots.filter((slot) => slot.day !== null && slot.minutes !== null);
  const best = bestOf(draft, exact, scheduling.rounds > 0 || exact.length > 1);
  const questions = heard.questions.filter(({ topic }) => topic !== 'timeframe' || slots.length === 0);
  scheduling.day = slots.findLast(({ day }) => day !== null)?.day ?? scheduling.day;

  if (asksForPresence(draft, heard)) return;
  if (best !== null) {
    const confirmation = exact.length === 1 ? settledIn(heard) : null;
    choose(draft, best, questions.length === 0 && confirmation === null);
    if (confirmation !== null) {
      book(draft, heard, best, confirmation);
      return;
    }
    answerQuestions(draft, questions);
    return;
  }
  const again = offered.filter((slot) => slot.minutes !== null && !slots.includes(slot));
  if (questions.length > 0) {
    draft.memory.stalled = 0;
    if (exact.length > 0) turnDown(draft, exact);
    answerQuestions(draft, questions);
    return;
  }
  if (offersWaitingList(heard)) {
    takeWaitingList(draft, heard, exact);
    return;
  }
  if (exact.length === 0 && again.length > 0 && !slots.some(({ day }) => day !== null)) {
    // Offered once more although it does not fit: no again, and above all no yes.
    askForOthers(draft, again, confirmationIn(heard) !== null);
    return;
  }
  if (exact.length > 0) {
    turnDown(draft, exact);
    askForOthers(draft, exact, confirmationIn(heard) !== null);
    return;
  }
  if (slots.length > 0 && takeUpPartial(draft, slots)) return;
  if (wantsRepetition(heard) && !heard.signals.has('offer-to-help')) {
    repeatLast(draft);
    return;
  }
  if (heard.signals.has('takes-nobody')) {
    handleClosedPractice(draft, heard);
    return;
  }
  if (heard.signals.has('no-openings')) {
    handleNoOpenings(draft, heard);
    return;
  }
  if (heard.endsInHold) {
    sayWaiting(draft);
    return;
  }
  if (handleObstacle(draft, heard)) return;
  if (heard.signals.has('offer-to-help')) {
    restatePurpose(draft);
    return;
  }
  if (answerCheckBack(draft, heard) || answerOtherQuestions(draft, heard)) return;
  if (heard.signals.has('goodbye')) {
    leaveWithout(draft);
    return;
  }
  askForOpenings(draft);
}

/** The best slot that fits. A merely possible one is taken once we have asked, or when there was a choice. */
export function bestOf(draft: TurnDraft, slots: readonly Slot[], takePossible: boolean): Slot | null {
  const ranked = slots
    .filter((slot) => slot.day !== null && slot.day >= draft.today)
    .map((slot) => ({
      slot,
      fit: fitOf({ day: slot.day ?? '', minutes: slot.minutes }, draft.plan.time_wishes),
    }))
    .filter(({ fit }) => fit === 'preferred' || (fit === 'possible' && takePossible))
    .sort((a, b) => {
      if (a.fit !== b.fit) return a.fit === 'preferred' ? -1 : 1;
      return slotValue(a.slot).localeCompare(slotValue(b.slot));
    });
  return ranked[0]?.slot ?? null;
}

function isSame(a: Slot, b: Slot): boolean {
  return a.day === b.day && a.minutes === b.minutes && a.from === b.from && a.last_day === b.last_day;
}

/** Says which slot we take, completely, so that a misunderstanding shows at once. */
function choose(draft: TurnDraft, slot: Slot, asksForBooking: boolean): void {
  const { memory, plan } = draft;
  memory.scheduling.chosen = slot;
  memory.scheduling.day = slot.day;
  memory.pending = null;
  memory.stalled = 0;
  recordTime(draft, slot, slot.quote, slot.turn);
  const when = spokenSlot(slot, draft.today);
  if (!asksForBooking) {
    draft.say(`${when} works.`);
    return;
  }
  const request = plan.is_rescheduling ? 'Please move the appointment to that time' : 'Please book that';
  const name = plan.facts.find(({ topic }) => topic === 'patient-name');
  const isTold =
    name === undefined || memory.told.includes(name.field) || memory.told.includes('patient.last_name');
  draft.say(
    isTold || name === undefined
      ? `${when} works. ${request}.`
      : `${when} works. ${request} for the patient, ${name.spoken}.`,
    isTold || name === undefined ? [] : [name.field],
  );
}

export function turnDown(draft: TurnDraft, slots: readonly Slot[]): void {
  draft.memory.scheduling.turned_down.push(...slots);
}

/**
 * @param isTakenAsBooked the other side speaks as if it were settled, which it must not be
 */
function askForOthers(draft: TurnDraft, slots: readonly Slot[], isTakenAsBooked = false): void {
  const { scheduling } = draft.memory;
  scheduling.rounds += 1;
  if (scheduling.rounds >= maxRounds || isOutOfReach(draft)) {
    declineAll(draft);
    return;
  }
  if (isTakenAsBooked) draft.retract('confirmation_number');
  const isAgain = scheduling.rounds > 1;
  const preferred = slots.some(
    (slot) =>
      slot.day !== null &&
      fitOf({ day: slot.day, minutes: slot.minutes }, draft.plan.time_wishes) === 'possible',
  );
  const notThese = isTakenAsBooked
    ? "I'm sorry, please do not book that; it does not work for the patient."
    : slots.length === 1
      ? "I'm sorry, that does not work for the patient."
      : "I'm sorry, those do not work for the patient.";
  draft.say(
    preferred
      ? `That would be possible, but not ideal. ${availabilitySentence(draft.plan)} Do you have anything like that?`
      : `${notThese} ${isAgain ? proposal(draft) : `${availabilitySentence(draft.plan)} Do you have anything else?`}`,
    isAgain && !preferred ? [] : timeframeField(draft),
  );
  // What is possible may be taken later on.
  if (preferred) scheduling.turned_down = scheduling.turned_down.filter((slot) => !slots.includes(slot));
  draft.memory.pending = 'appointment_time';
}

/** Times that would fit, for somebody who has named none of them yet. */
function proposal({ plan, today, memory }: TurnDraft): string {
  const refused = new Set(memory.scheduling.turned_down.map(({ day }) => day));
  const wishes = plan.time_wishes;
  const first = wishes.first_day !== null && wishes.first_day > today ? wishes.first_day : addDays(today, 1);
  const days: { day: string; part: string }[] = [];
  for (let offset = 0; offset < 21 && days.length < 2; offset += 1) {
    const day = addDays(first, offset);
    if (weekdayOf(day) % 6 === 0 || refused.has(day)) continue;
    const minutes = [9, 10, 11, 13, 14, 15, 16, 17].find(
      (hour) => fitOf({ day, minutes: hour * 60 }, wishes) === 'preferred',
    );
    if (minutes !== undefined) days.push({ day, part: minutes < 12 ? 'in the morning' : 'in the afternoon' });
  }
  const [one, two] = days;
  if (one === undefined) return 'Is there any other time, perhaps with another doctor?';
  const named =
    two === undefined || two.part !== one.part
      ? `${spokenDay(one.day, today)} ${one.part}`
      : `${spokenDay(one.day, today)} or ${spokenDay(two.day, today)} ${one.part}`;
  return `Is there another time, for example on ${named}, perhaps with another doctor?`;
}

/** Everything that was offered in several rounds lies after the last day that the patient can do. */
function isOutOfReach({ memory, plan }: TurnDraft): boolean {
  const { rounds, turned_down: turnedDown } = memory.scheduling;
  const last = plan.time_wishes.last_day;
  return (
    rounds >= maxRoundsOutOfReach &&
    last !== null &&
    turnedDown.every(({ day }) => day === null || day > last)
  );
}

/** Nothing that was offered fits: the client learns what was, and decides. */
function declineAll(draft: TurnDraft): void {
  const offers = draft.memory.scheduling.turned_down.map((slot) => spokenSlot(slot, draft.today));
  draft.followUp(`Offered, but outside of the patient's availability: ${[...new Set(offers)].join('; ')}.`);
  draft.end('declined', 'follow-up');
}

const remote =
  /\b(?:tele-?(?:health|medicine|visit)|video (?:visit|call|appointment)|virtual(?:ly)?|(?:phone|telephone) (?:visit|appointment)|over video|remote(?:ly)?)\b/;

/** A visit by video is taken when the client speaks of one, or when there is nothing else; a visit in person is asked for first. */
function asksForPresence(draft: TurnDraft, heard: Heard): boolean {
  const { memory, plan } = draft;
  const isRemote = heard.sentences.some(({ plain }) => remote.test(plain) && !denies(plain));
  const isWished = remote.test(
    `${plan.instructions} ${plan.facts.map(({ value }) => value).join(' ')}`.toLowerCase(),
  );
  if (!isRemote || isWished) return false;
  if (memory.scheduling.remote_offered) {
    draft.followUp('The visit that was offered is not in person but by video or telephone.');
    return false;
  }
  memory.scheduling.remote_offered = true;
  draft.say('If possible, the patient would like to come in person. Do you have an opening for that?');
  memory.pending = 'appointment_time';
  return true;
}

const waitingList =
  /\b(?:wait(?:ing)?[- ]?list|cancell?ation list|(?:put|add) (?:her|him|them|the patient|you) on (?:a|the|our) list|call (?:you|her|him|them|the patient) if (?:something|anything|there's|we have) )/;

function offersWaitingList({ sentences }: Heard): boolean {
  return sentences.some(({ plain }) => waitingList.test(plain) && !denies(plain));
}

/** A place on the waiting list is taken, and is no appointment: an opening is still asked for. */
function takeWaitingList(draft: TurnDraft, heard: Heard, slots: readonly Slot[]): void {
  const { scheduling } = draft.memory;
  turnDown(draft, slots);
  scheduling.rounds += 1;
  draft.followUp(`A waiting list was offered: "${heard.said.trim()}"`);
  if (scheduling.waiting_list) {
    declineAll(draft);
    return;
  }
  scheduling.waiting_list = true;
  const isWithin = slots.length === 0 ? '' : ' The times that you named do not work for the patient.';
  draft.say(
    `Yes, please put the patient on the waiting list.${isWithin} Is there any other opening, perhaps with another doctor?`,
  );
  draft.memory.pending = 'appointment_time';
}

function timeframeField(draft: TurnDraft): string[] {
  return draft.plan.facts.filter(({ topic }) => topic === 'timeframe').map(({ field }) => field);
}

/** A day without a time, or a stretch of time: narrowed down by asking, or by proposing a time in it. */
function takeUpPartial(draft: TurnDraft, slots: readonly Slot[]): boolean {
  const { plan, memory } = draft;
  const wishes = plan.time_wishes;
  const proposals = slots.flatMap((slot): Slot[] => {
    if (slot.day === null || slot.last_day !== null || slot.from === null || slot.to === null) return [];
    for (let minutes = slot.from; minutes < slot.to; minutes += 15) {
      if (minutes < 7 * 60 || fitOf({ day: slot.day, minutes }, wishes) !== 'preferred') continue;
      return [{ ...slot, minutes, from: null, to: null }];
    }
    return [];
  });
  const isStretch = slots.some(
    ({ from, to }) => from !== null && to !== null && from % 720 !== 0 && to - from <= 5 * 60,
  );
  const [proposal] = proposals;
  if (proposal !== undefined && isStretch) {
    choose(draft, proposal, true);
    return true;
  }
  const days = slots.filter((slot) => slot.day !== null && slot.last_day === null);
  const fitting = days.filter((slot) => isDayPossible(draft, slot));
  const [day] = fitting.sort((a, b) => (a.day ?? '').localeCompare(b.day ?? ''));
  if (day?.day !== undefined && day.day !== null) {
    memory.scheduling.day = day.day;
    memory.pending = 'appointment_time';
    memory.stalled += 1;
    if (memory.stalled > maxStalled) return false;
    draft.say(
      `${spokenSlot({ ...day, provider: null, minutes: null }, draft.today)} is possible. Which times do you have then?`,
    );
    return true;
  }
  if (days.length > 0) {
    turnDown(draft, days);
    askForOthers(draft, days);
    return true;
  }
  return false;
}

function isDayPossible(draft: TurnDraft, slot: Slot): boolean {
  if (slot.day === null) return false;
  const wishes = draft.plan.time_wishes;
  if (slot.from === null || slot.to === null) return fitOf({ day: slot.day, minutes: null }, wishes) !== 'no';
  for (let minutes = Math.max(slot.from, 7 * 60); minutes < Math.min(slot.to, 20 * 60); minutes += 15) {
    if (fitOf({ day: slot.day, minutes }, wishes) !== 'no') return true;
  }
  return false;
}

/** They take nobody, or nobody new: believed at once, unless the patient is one of theirs and they may not know it. */
function handleClosedPractice(draft: TurnDraft, heard: Heard): void {
  const { memory, plan } = draft;
  const status = plan.facts.find(({ topic }) => topic === 'patient-status');
  const isTheirs = status !== undefined && /exist|establish|return|current/i.test(status.value);
  if (memory.pleaded || !isTheirs) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    draft.end('declined', 'follow-up');
    return;
  }
  memory.pleaded = true;
  draft.say('This is an existing patient. What openings do you have?', [status.field]);
  memory.pending = 'appointment_time';
}

function handleNoOpenings(draft: TurnDraft, heard: Heard): void {
  const { scheduling } = draft.memory;
  const isClosed = heard.sentences.some(({ plain }) =>
    /\bnot (?:currently )?(?:accepting|taking|seeing)\b/.test(plain),
  );
  scheduling.rounds += 1;
  if (isClosed || scheduling.rounds >= 3) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    draft.end('declined', 'follow-up');
    return;
  }
  draft.say('I see. When is the next opening that you have?');
  draft.memory.pending = 'appointment_time';
}

function askForOpenings(draft: TurnDraft): void {
  const item = draft.item('appointment_time');
  const { memory } = draft;
  const isAgain = memory.pending === 'appointment_time';
  memory.stalled = isAgain ? memory.stalled + 1 : 0;
  if (memory.stalled > maxStalled) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  // Somebody who does not react to the question twice may not know what it is about.
  if (memory.stalled === 2) {
    draft.say(`${draft.plan.purpose.text} ${item?.question ?? ''}`.trim(), draft.plan.purpose.discloses);
    memory.pending = 'appointment_time';
    return;
  }
  const question = (isAgain ? item?.rephrase : item?.question) ?? 'What openings do you have?';
  const told = timeframeField(draft).some((field) => memory.told.includes(field));
  const wishes = !told && draft.plan.time_wishes.text !== null;
  draft.say(
    wishes ? `${availabilitySentence(draft.plan)} ${question}` : question,
    wishes ? timeframeField(draft) : [],
  );
  memory.pending = 'appointment_time';
}

/** "What can I do for you?" once more: why we call, and the question. */
function restatePurpose(draft: TurnDraft): void {
  const { purpose } = draft.plan;
  draft.memory.stalled += 1;
  if (draft.memory.stalled > maxStalled) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.say(`${purpose.text} ${draft.item('appointment_time')?.question ?? ''}`.trim(), purpose.discloses);
  draft.memory.pending = 'appointment_time';
}

/** Before anything is booked, a goodbye is answered with one more try. */
function leaveWithout(draft: TurnDraft): void {
  if (draft.memory.held_back) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.memory.held_back = true;
  draft.say('Before you go, please: is there any opening that you could offer?');
}
