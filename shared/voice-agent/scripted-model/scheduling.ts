import { clockTime, writtenDay, writtenTime } from '../calendar.ts';
import type { Sentence } from '../language/text.ts';
import { spelledIdentifier } from '../speech.ts';
import { fitOf } from '../time-wishes.ts';
import { answerQuestions } from './fact-answers.ts';
import { findAnswers } from './find-answers.ts';
import { acknowledgement, availabilitySentence, spokenSlot } from './phrasing.ts';
import { recordAnswer } from './questioning.ts';
import {
  answerCheckBack,
  answerOtherQuestions,
  handleObstacle,
  repeatLast,
  sayWaiting,
  wantsRepetition,
} from './side-talk.ts';
import { findSlots, type Slot } from './slots.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/** How often other times are asked for before the appointment is given up. */
const maxRounds = 5;
/** How often we ask whether it is booked now. */
const maxChecks = 3;
const maxStalled = 4;

/** Negotiates an appointment: weighs what is offered, takes what fits, has it booked and reads it back. */
export function proceedWithScheduling(draft: TurnDraft, heard: Heard): void {
  const { scheduling } = draft.memory;
  const slots = findSlots(heard.sentences, {
    today: draft.today,
    day: scheduling.day,
    turn: heard.turn,
    isRescheduling: draft.plan.is_rescheduling,
    knownDays: scheduling.days,
    firstDay: draft.plan.time_wishes.first_day,
  });
  rememberDays(draft, slots);
  noteDetails(draft, heard);
  if (scheduling.booked) afterBooking(draft, heard, slots);
  else if (scheduling.chosen !== null) afterChoice(draft, heard, scheduling.chosen, slots);
  else beforeChoice(draft, heard, slots);
}

/** Days that were named are what later weekdays refer to: "next Tuesday …", then "on Tuesday at two". */
function rememberDays(draft: TurnDraft, slots: readonly Slot[]): void {
  const { scheduling } = draft.memory;
  const named = slots.flatMap(({ day }) => (day === null ? [] : [day]));
  scheduling.days = [...new Set([...scheduling.days, ...named])].slice(-6);
}

/** Numbers and instructions come at any time, often together with the booking. */
function noteDetails(draft: TurnDraft, heard: Heard): void {
  const { scheduling, pending } = draft.memory;
  if (scheduling.chosen === null && !scheduling.booked && confirmationIn(heard) === null) return;
  // After "is it booked?" a bare number is the confirmation.
  const key = pending === 'booking_confirmed' ? 'confirmation_number' : pending;
  const asked = key === null ? null : (draft.item(key) ?? null);
  for (const answer of findAnswers(heard.reply, draft.plan, asked)) {
    if (answer.key === 'instructions' && answer.answer === 'nothing special') {
      draft.memory.closed.push('instructions');
      continue;
    }
    if (draft.answers.has(answer.key) && !heard.isCorrection) continue;
    if (answer.key === 'confirmation_number' || answer.key === 'instructions') {
      recordAnswer(draft, answer, heard.turn);
    }
  }
}

function beforeChoice(draft: TurnDraft, heard: Heard, offered: readonly Slot[]): void {
  const { scheduling } = draft.memory;
  const slots = offered.filter((slot) => !scheduling.turned_down.some((known) => isSame(known, slot)));
  const exact = slots.filter((slot) => slot.day !== null && slot.minutes !== null);
  const best = bestOf(draft, exact, scheduling.rounds > 0 || exact.length > 1);
  const questions = heard.questions.filter(({ topic }) => topic !== 'timeframe' || slots.length === 0);
  scheduling.day = slots.findLast(({ day }) => day !== null)?.day ?? scheduling.day;

  if (best !== null) {
    const confirmation = exact.length === 1 ? confirmationIn(heard) : null;
    choose(draft, best, questions.length === 0 && confirmation === null);
    if (confirmation !== null) {
      book(draft, heard, best, confirmation);
      return;
    }
    answerQuestions(draft, questions);
    return;
  }
  if (questions.length > 0) {
    if (exact.length > 0) turnDown(draft, exact);
    answerQuestions(draft, questions);
    return;
  }
  if (exact.length > 0) {
    turnDown(draft, exact);
    askForOthers(draft, exact);
    return;
  }
  if (slots.length > 0 && takeUpPartial(draft, slots)) return;
  if (wantsRepetition(heard) && !heard.signals.has('offer-to-help')) {
    repeatLast(draft);
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
function bestOf(draft: TurnDraft, slots: readonly Slot[], takePossible: boolean): Slot | null {
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

function slotValue(slot: Slot): string {
  return `${slot.day ?? ''}T${clockTime(slot.minutes ?? 0)}`;
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

function recordTime(draft: TurnDraft, slot: Slot, quote: string, turn: number): void {
  if (slot.day === null || slot.minutes === null) return;
  draft.record({
    key: 'appointment_time',
    answer: `${writtenDay(slot.day)} at ${writtenTime(slot.minutes)}`,
    value: slotValue(slot),
    quote,
    turn,
  });
  if (slot.provider !== null && draft.item('provider_name') !== undefined) {
    draft.record({ key: 'provider_name', answer: slot.provider, value: slot.provider, quote, turn });
  }
}

function turnDown(draft: TurnDraft, slots: readonly Slot[]): void {
  draft.memory.scheduling.turned_down.push(...slots);
}

function askForOthers(draft: TurnDraft, slots: readonly Slot[]): void {
  const { scheduling } = draft.memory;
  scheduling.rounds += 1;
  if (scheduling.rounds >= maxRounds) {
    const offers = scheduling.turned_down.map((slot) => spokenSlot(slot, draft.today));
    draft.followUp(`Offered, but outside of the patient's availability: ${[...new Set(offers)].join('; ')}.`);
    draft.end('declined', 'follow-up');
    return;
  }
  const these =
    slots.length === 1
      ? "I'm sorry, that does not work for the patient."
      : "I'm sorry, those do not work for the patient.";
  const preferred = slots.some(
    (slot) =>
      slot.day !== null &&
      fitOf({ day: slot.day, minutes: slot.minutes }, draft.plan.time_wishes) === 'possible',
  );
  draft.say(
    preferred
      ? `That would be possible, but not ideal. ${availabilitySentence(draft.plan)} Do you have anything like that?`
      : `${these} ${availabilitySentence(draft.plan)} Do you have anything else?`,
    timeframeField(draft),
  );
  // What is possible may be taken later on.
  if (preferred) scheduling.turned_down = scheduling.turned_down.filter((slot) => !slots.includes(slot));
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

function afterChoice(draft: TurnDraft, heard: Heard, chosen: Slot, slots: readonly Slot[]): void {
  const { scheduling } = draft.memory;
  const others = slots.filter((slot) => slot.minutes !== null && !isMention(slot, chosen));
  const repeated = slots.some((slot) => slot.minutes !== null && isMention(slot, chosen));
  const isGone = heard.sentences.some(({ plain }) => goneCue.test(plain));
  const number = draft.answers.get('confirmation_number');
  const confirmation =
    confirmationIn(heard) ??
    // Whoever gives a confirmation number has booked.
    heard.sentences.find(({ text }) => number?.turn === heard.turn && text === number.quote) ??
    null;
  const questions = heard.questions.filter(
    ({ topic }) => topic !== 'timeframe' && topic !== 'existing-appointment',
  );

  if (repeated) {
    // They have said it themselves now, and perhaps with whom it is.
    scheduling.read_back = true;
    scheduling.chosen = withProvider(chosen, slots);
  }
  if (isGone || (others.length > 0 && !repeated)) {
    reconsider(draft, heard, chosen, others, isGone, confirmation);
    return;
  }
  if (confirmation !== null && questions.length === 0) {
    book(draft, heard, withProvider(chosen, slots), confirmation);
    return;
  }
  if (questions.length > 0) {
    answerQuestions(draft, questions);
    return;
  }
  if (draft.memory.pending === 'booking_confirmed' && heard.polarity !== null && !heard.endsInHold) {
    const sentence = heard.sentences.find(({ text }) => !text.endsWith('?'));
    if (heard.polarity === 'yes' && sentence !== undefined) {
      scheduling.read_back = true;
      book(draft, heard, scheduling.chosen ?? chosen, sentence);
      return;
    }
  }
  if (wantsRepetition(heard)) {
    repeatLast(draft);
    return;
  }
  if (heard.endsInHold) {
    sayWaiting(draft);
    return;
  }
  if (handleObstacle(draft, heard)) return;
  if (heard.signals.has('acceptance') || heard.signals.has('check-back') || repeated) {
    confirmChoice(draft, chosen);
    return;
  }
  if (answerOtherQuestions(draft, heard)) return;
  checkBooking(draft, chosen);
}

const goneCue =
  /\b(?:(?:just|already|now) (?:been )?(?:taken|booked|gone|filled|snapped)|no longer (?:available|open)|(?:someone|somebody) (?:just |else )?(?:took|booked|grabbed)|not available (?:any ?more|after all)|isn't available|got taken|was taken|is taken|is gone|slot (?:is )?(?:gone|taken)|lost that)\b/;

/** A time said again without its day still means the slot spoken of. */
function isMention(slot: Slot, chosen: Slot): boolean {
  return slot.minutes === chosen.minutes && (slot.day === null || slot.day === chosen.day);
}

function withProvider(chosen: Slot, slots: readonly Slot[]): Slot {
  const named = slots.find((slot) => slot.provider !== null)?.provider ?? null;
  return { ...chosen, provider: chosen.provider ?? named };
}

/** The other side names another time than the one we took: it is weighed like any offer. */
function reconsider(
  draft: TurnDraft,
  heard: Heard,
  chosen: Slot,
  others: readonly Slot[],
  isGone: boolean,
  confirmation: Sentence | null,
): void {
  const { scheduling } = draft.memory;
  draft.retract('appointment_time');
  draft.retract('provider_name');
  scheduling.chosen = null;
  if (isGone) turnDown(draft, [chosen]);
  const best = bestOf(draft, others, true);
  if (best === null || confirmation === null) {
    beforeChoice(draft, heard, others);
    return;
  }
  // They speak as if the other time were settled: taken if it fits, but not without asking.
  scheduling.chosen = best;
  recordTime(draft, best, best.quote, best.turn);
  draft.say(`So that is ${spokenSlot(best, draft.today)}. Is that right?`);
  draft.memory.pending = 'booking_confirmed';
  scheduling.checks += 1;
}

function confirmChoice(draft: TurnDraft, chosen: Slot): void {
  const { scheduling } = draft.memory;
  scheduling.checks += 1;
  if (scheduling.checks > maxChecks) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.say(`Yes, please book ${spokenSlot({ ...chosen, provider: null }, draft.today)}.`);
}

function checkBooking(draft: TurnDraft, chosen: Slot): void {
  const { scheduling } = draft.memory;
  scheduling.checks += 1;
  if (scheduling.checks > maxChecks) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.say(`Is the appointment on ${spokenSlot({ ...chosen, provider: null }, draft.today)} booked now?`);
  draft.memory.pending = 'booking_confirmed';
}

const bookedCue =
  /^(?:(?:okay|ok|alright|all right|great|perfect|yes|yep|sure|and|there)[,. ]+)*(?:all )?(?:done|booked|scheduled|confirmed|reserved)\b|\b(?:booked|all set|you're set|set (?:up )?for|(?:is|are|got|been|now) scheduled|scheduled (?:for|him|her|them|you|it|that)|rescheduled|confirmed|(?:got|have|put|placed|penciled|pencilled|added|moved|switched|changed|rescheduled|entered|down)(?: \w+){0,4} (?:down|in\b|to\b|on (?:the|our|for|monday|tuesday|wednesday|thursday|friday|saturday)|for (?:monday|tuesday|wednesday|thursday|friday|saturday|the|\d|november|december|january|february))|on (?:the|our) (?:schedule|calendar|books)|(?:see|seeing) (?:him|her|them|you|the patient|\w+) (?:then|on|there|at|next|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|in)\b|confirmation (?:number|code)(?: for (?:that|this|it))? is|(?:is|are|'s) in (?:for|on)\b|reserved|taken care of|locked in|it's in (?:the|our) system|look(?:ing)? forward to seeing|good to go|(?:it|that|this|everything)(?:'s| is) (?:all )?(?:done|set|in)|all done|you got it)\b/;
const notYetCue =
  /\b(?:can|could|let me|let's|before|in order to|would|if|once|want me|should i|shall i|need to|needs to|have to|going to|about to|will be|not|n't|unable|as soon as|when i|to get|while i|trying)\b/;

/** The sentence that says that it is booked, if one does. */
export function confirmationIn({ sentences }: Pick<Heard, 'sentences'>): Sentence | null {
  return (
    sentences.find(({ text, plain }) => {
      if (text.endsWith('?') || !bookedCue.test(plain)) return false;
      if (/\bbooked (?:up|out|solid)|fully booked|we(?:'re| are) all booked|completely booked\b/.test(plain))
        return false;
      const cue = bookedCue.exec(plain);
      const before = plain.slice(0, cue?.index ?? 0);
      return !notYetCue.test(before);
    }) ?? null
  );
}

function book(draft: TurnDraft, heard: Heard, slot: Slot, confirmation: Sentence): void {
  const { scheduling } = draft.memory;
  scheduling.chosen = slot;
  scheduling.booked = true;
  draft.memory.stalled = 0;
  const restated = restatedIn(draft, heard, slot);
  if (restated !== null) scheduling.read_back = true;
  recordTime(draft, slot, restated ?? slot.quote, restated === null ? slot.turn : heard.turn);
  draft.record({
    key: 'booking_confirmed',
    answer: 'Yes',
    value: true,
    quote: confirmation.text,
    turn: heard.turn,
  });
  settleBooking(draft);
}

/** The words of this turn that name the slot once more. */
function restatedIn(draft: TurnDraft, heard: Heard, slot: Slot): string | null {
  const { scheduling } = draft.memory;
  const mention = findSlots(heard.sentences, {
    today: draft.today,
    day: null,
    turn: heard.turn,
    isRescheduling: false,
    knownDays: scheduling.days,
  }).find((found) => found.day === slot.day && found.minutes === slot.minutes);
  return mention?.quote ?? null;
}

function afterBooking(draft: TurnDraft, heard: Heard, slots: readonly Slot[]): void {
  const { scheduling, pending } = draft.memory;
  const chosen = scheduling.chosen;
  const others = slots.filter(
    (slot) => slot.minutes !== null && (chosen === null || !isMention(slot, chosen)),
  );
  const contradicts =
    chosen !== null &&
    others.length > 0 &&
    (heard.isCorrection || heard.polarity === 'no' || pending === 'read-back') &&
    !slots.some((slot) => isMention(slot, chosen));
  if (chosen !== null && contradicts) {
    scheduling.booked = false;
    scheduling.read_back = false;
    draft.retract('booking_confirmed');
    reconsider(draft, heard, chosen, others, false, heard.sentences[0] ?? null);
    return;
  }
  const questions = heard.questions.filter(
    ({ topic, sentence }) =>
      topic !== 'timeframe' &&
      topic !== 'existing-appointment' &&
      // "And her insurance card" answers what to bring.
      (pending !== 'instructions' || sentence.text.endsWith('?')),
  );
  if (questions.length > 0) {
    answerQuestions(draft, questions);
    return;
  }
  if (pending !== null && !draft.answers.has(pending) && wantsRepetition(heard)) {
    repeatLast(draft);
    return;
  }
  if (heard.endsInHold) {
    sayWaiting(draft);
    return;
  }
  if (pending === 'read-back') scheduling.read_back = true;
  else if (pending !== null && !draft.answers.has(pending)) draft.memory.closed.push(pending);
  if (answerOtherQuestions(draft, heard) && draft.hasSpoken && heard.otherQuestions.length > 0) return;
  if (heard.signals.has('goodbye')) {
    draft.end('finished', 'thanks');
    return;
  }
  settleBooking(draft);
}

/** After the booking: the number, what to bring, and the slot read back if nobody has said it since. */
function settleBooking(draft: TurnDraft): void {
  const { scheduling } = draft.memory;
  const chosen = scheduling.chosen;
  const [next] = draft
    .openItems()
    .filter(({ key }) => key === 'confirmation_number' || key === 'instructions');
  if (next !== undefined) {
    draft.say(`${acknowledgement(draft.memory.turns)} ${next.question}`);
    draft.memory.pending = next.key;
    return;
  }
  if (!scheduling.read_back && chosen !== null) {
    const number = draft.answers.get('confirmation_number');
    const read = number === undefined ? '' : `, confirmation number ${spelledIdentifier(number.answer)}`;
    draft.say(`Let me read that back: ${spokenSlot(chosen, draft.today)}${read}. Is that right?`);
    draft.memory.pending = 'read-back';
    return;
  }
  draft.end('finished', 'thanks');
}
