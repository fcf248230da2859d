import type * as z from 'zod/mini';
import type { ScheduleAppointmentData } from '#shared/domain/task-data.ts';

const reasonMembers = [
  'reason_for_visit',
  'visit_reason',
  'reason',
  'chief_complaint',
  'visit_type',
  'appointment_type',
];

/**
 * Why the patient wants to be seen, in words for the front desk. The specification has no member for it, so it is taken
 * from one that the client added, else from the description of the task: "Schedule an annual physical for …".
 */
export function visitReason(
  data: z.infer<typeof ScheduleAppointmentData>,
  description: string,
): string | undefined {
  for (const member of reasonMembers) {
    const value = data[member];
    if (typeof value === 'string' && value.trim() !== '') return value.trim().replace(/\.$/, '');
  }
  return (
    purposeOf(description) ??
    purposeOf(data.additional_context ?? '') ??
    (data.speciality_preferences === undefined
      ? undefined
      : `a ${lowered(data.speciality_preferences)} visit`)
  );
}

function purposeOf(text: string): string | undefined {
  return becauseOf(text) ?? objectOf(text);
}

const beforeReason =
  /\b(?:for|regarding|(?<!ask |asking |call |calling |inquire |question |questions )about|because of|due to|to discuss|to evaluate|to check|concerning|complains of|complaining of|experiencing|suffering from|reason(?: for (?:the )?visit)?(?::| is)) (?<reason>[^.,;:\n]+?)(?= (?:for|because|due to|regarding|about) |[.,;:\n]|$)/giu;

/** "… an appointment for recurring migraines": what comes after "for" when it is no person, time or place. */
function becauseOf(text: string): string | undefined {
  for (const match of text.matchAll(beforeReason)) {
    const reason = trimmed(match.groups?.reason ?? '');
    const isSomethingElse =
      /^(?:the |our |my |a |an |new |existing |this )*(?:patient|client|member|him|her|them|me|us|mr|mrs|ms|dr|next|this|any|early|late|mid|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|january|february|march|april|may|june|july|august|september|october|november|december|\d|tomorrow|today|later|earlier|the (?:morning|afternoon|week|first|same)|morning|afternoon|week|availab|an? (?:appointment|opening|slot|time)|appointment|whom|who|which|example|now)\b/i.test(
        reason,
      ) || /^\p{Lu}\p{L}+(?: \p{Lu}|$|'s|’s)/u.test(reason);
    if (reason !== '' && !isSomethingElse && reason.split(' ').length <= 12) return reason;
  }
  return undefined;
}

/** "Schedule an annual physical for Maria": what is to be scheduled. */
function objectOf(text: string): string | undefined {
  const match =
    /\b(?:re-?schedule|schedule|book|arrange|set up|make|get|find|request)\s+(?:an?|the|his|her|their|my|patient's)?\s*(?<object>[^.,;:\n]+?)(?=\s+(?:for|with|at|on|in|by|next|this|as soon|before|after|within|sometime|to)\b|[.,;:\n]|$)/iu.exec(
      text,
    );
  const object = trimmed(match?.groups?.object ?? '');
  if (
    object === '' ||
    /^(?:appointment|visit|time|slot|existing appointment|new appointment|new patient appointment|call)$/i.test(
      object,
    )
  ) {
    return undefined;
  }
  return object.split(' ').length <= 8 ? object : undefined;
}

function trimmed(text: string): string {
  return text
    .trim()
    .replace(
      /\s+(?:with|at|by|on (?=\d|the \d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|in the next|next|this|as soon as|before|after|within|sometime|for|and (?:ask|find|see|get|make|confirm))\b.*$/i,
      '',
    )
    .replace(/^(?:his|her|their|my|the patient's)\s+/i, '')
    .trim();
}

function lowered(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}
