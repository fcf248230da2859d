import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from './call-plan.ts';
import type { KnownFact } from './facts.ts';
import { specialityPhrase } from './visit.ts';
import { inSentence } from './words.ts';

type Purpose = Pick<CallPlan, 'subject' | 'purpose'>;

interface Given {
  readonly facts: readonly KnownFact[];
  readonly isRescheduling: boolean;
  readonly questions: number;
}

/**
 * The reason for the call: a subject without facts, and a sentence with the known facts for the right party.
 * The reason comes first, and its facts are listed.
 */
export function purposeOf(type: TaskType, given: Given): Purpose {
  switch (type) {
    case 'SCHEDULE_APPOINTMENT':
      return given.isRescheduling ? reschedulingPurpose(given) : schedulingPurpose(given);
    case 'VERIFY_INSURANCE':
      return verificationPurpose(given);
    case 'REIMBURSEMENT':
      return claimPurpose();
    case 'CUSTOM_TASK':
      return customPurpose(given);
  }
}

/** Builds a purpose from fixed words and the facts. */
function told(subject: string, text: string, facts: readonly (KnownFact | undefined)[]): Purpose {
  const discloses = facts.filter((fact) => fact !== undefined).map(({ field }) => field);
  return { subject, purpose: { text, discloses } };
}

/** A longer text is a story, not part of a sentence. */
const maxLength = 120;

const factOf = ({ facts }: Given, topic: KnownFact['topic']): KnownFact | undefined =>
  facts.find((fact) => fact.topic === topic && fact.spoken.length <= maxLength);

function schedulingPurpose(given: Given): Purpose {
  const specialty = factOf(given, 'specialty');
  const phrase = specialityPhrase(specialty?.value);
  const provider = phrase.wish.startsWith(' with ') ? undefined : factOf(given, 'preferred-provider');
  const reason = factOf(given, 'visit-reason');
  const who = provider === undefined ? phrase.wish : ` with ${provider.spoken}`;
  const why = reason === undefined ? '' : `, for ${inSentence(reason.spoken)}`;
  // Of "with Dr. Lee" and "in cardiology" the name is more specific.
  const text = `I would like to schedule an appointment${who} for a patient${why}.${phrase.sentence}`;
  const saysSpecialty = provider === undefined || phrase.sentence !== '';
  return told('about scheduling an appointment', text, [
    saysSpecialty ? specialty : undefined,
    provider,
    reason,
  ]);
}

/** The appointment to move; the reason is told on request. */
function reschedulingPurpose(given: Given): Purpose {
  const existing = factOf(given, 'existing-appointment');
  const provider = existing === undefined ? factOf(given, 'preferred-provider') : undefined;
  const which = existing === undefined ? '' : `, ${inSentence(existing.spoken)}`;
  const who = provider === undefined ? '' : ` with ${provider.spoken}`;
  const text = `I would like to reschedule an existing appointment${who} for a patient${which}.`;
  return told('about rescheduling an appointment', text, [existing, provider]);
}

function verificationPurpose(given: Given): Purpose {
  const service = factOf(given, 'service');
  const what = service === undefined ? '' : `, for ${inSentence(service.spoken)}`;
  const text = `I would like to verify the insurance coverage and benefits of a patient${what}.`;
  return told('about insurance benefits', text, [service]);
}

/** Details of the claim are told on request: a number finds it, and no more is needed. */
function claimPurpose(): Purpose {
  return told(
    'about an insurance claim',
    'I would like to check the status of a reimbursement claim for a patient.',
    [],
  );
}

function customPurpose(given: Given): Purpose {
  const matter = factOf(given, 'context');
  const about = matter === undefined ? '' : `, about ${matter.spoken}`;
  const isOne = given.questions === 1;
  const text = `I have ${isOne ? 'one question' : 'a few questions'} for a patient${about}.`;
  return told(isOne ? 'with a question' : 'with a few questions', text, [matter]);
}
