import { clockTime, writtenDay, writtenTime } from '../language/calendar.ts';
import { spelledIdentifier } from '../language/speech.ts';
import type { Sentence } from '../language/text.ts';
import { acknowledgement, spokenSlot } from './phrasing.ts';
import { findSlots, type Slot } from './slots.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/** How often we ask whether it is booked now. */
const maxChecks = 3;

export function book(draft: TurnDraft, heard: Heard, slot: Slot, confirmation: Sentence): void {
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

/** After the booking: the number, what to bring, and the slot read back if nobody has said it since. */
export function settleBooking(draft: TurnDraft): void {
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

export function recordTime(draft: TurnDraft, slot: Slot, quote: string, turn: number): void {
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

export function slotValue(slot: Slot): string {
  return `${slot.day ?? ''}T${clockTime(slot.minutes ?? 0)}`;
}

export function confirmChoice(draft: TurnDraft, chosen: Slot): void {
  const { scheduling } = draft.memory;
  scheduling.checks += 1;
  if (scheduling.checks > maxChecks) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.say(`Yes, please book ${spokenSlot({ ...chosen, provider: null }, draft.today)}.`);
}

export function checkBooking(draft: TurnDraft, chosen: Slot): void {
  const { scheduling } = draft.memory;
  scheduling.checks += 1;
  if (scheduling.checks > maxChecks) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.say(`Is the appointment on ${spokenSlot({ ...chosen, provider: null }, draft.today)} booked now?`);
  draft.memory.pending = 'booking_confirmed';
}
