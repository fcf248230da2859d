import type { Turn } from '#shared/domain/conversation.ts';
import type { RecordedAnswer } from '#shared/voice-agent/dialogue/dialogue-record.ts';

/** A transcript, a second for each turn. */
export function sharesOf(...lines: [Turn['role'], string][]): Turn[] {
  return lines.map(([role, content], index) => ({
    call_id: '01930000-0000-7000-8000-000000000004',
    index,
    role,
    content,
    offset_ms: index * 1000,
    created_at: '2026-11-16T15:00:00.000Z',
  }));
}

/** An answer as the agent records it. */
export function answer(
  key: string,
  value: RecordedAnswer['value'],
  quote: string,
  turn: number,
  text = quote,
): RecordedAnswer {
  return { key, answer: text, value, quote, turn, needs_review: false };
}

/** A conversation that ends with an appointment, and what was recorded of it. */
export const booking = sharesOf(
  ['assistant', 'Hello, this is an automated assistant.'],
  ['user', 'I have Tuesday, November 24th at 10:30 with Dr. Okafor.'],
  ['assistant', 'Please book that.'],
  ['user', "You're all set. The confirmation number is RC-48213."],
);
export const booked: RecordedAnswer[] = [
  answer(
    'appointment_time',
    '2026-11-24T10:30',
    'I have Tuesday, November 24th at 10:30 with Dr. Okafor.',
    1,
  ),
  answer('booking_confirmed', true, "You're all set.", 3, 'Yes'),
  answer(
    'provider_name',
    'Dr. Okafor',
    'I have Tuesday, November 24th at 10:30 with Dr. Okafor.',
    1,
    'Dr. Okafor',
  ),
  answer('confirmation_number', 'RC-48213', 'The confirmation number is RC-48213.', 3, 'RC-48213'),
];
