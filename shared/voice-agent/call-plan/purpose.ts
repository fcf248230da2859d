import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from './call-plan.ts';
import type { KnownFact } from './facts.ts';
import { specialityPhrase } from './visit.ts';
import { inSentence } from './words.ts';

type Purpose = Pick<CallPlan, 'subject' | 'purpose' | 'details'>;
type Statement = CallPlan['purpose'];

interface Given {
  readonly facts: readonly KnownFact[];
  readonly isRescheduling: boolean;
  readonly questions: number;
}

/**
 * The reason for the call, in three steps: a subject without facts, a sentence for the right party, and the details
 * for a person who has not objected to it. A place that only sounds right hears no more than the sentence.
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

/** Fixed words with facts. */
function statement(text: string, ...facts: (KnownFact | undefined)[]): Statement {
  return { text, discloses: facts.filter((fact) => fact !== undefined).map(({ field }) => field) };
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
  const text = `I would like to schedule an appointment${phrase.wish} for a patient.${phrase.sentence}`;
  const why = reason === undefined ? undefined : `for ${inSentence(reason.spoken)}`;
  const who = provider === undefined ? 'It is' : `The patient would like to see ${provider.spoken}`;
  const details =
    provider === undefined && why === undefined
      ? ''
      : `${[who, why].filter((part) => part !== undefined).join(provider === undefined ? ' ' : ', ')}.`;
  return {
    subject: 'about scheduling an appointment',
    purpose: statement(text, specialty),
    details: statement(details, provider, reason),
  };
}

/** The appointment to move; the reason is told on request. */
function reschedulingPurpose(given: Given): Purpose {
  const existing = factOf(given, 'existing-appointment');
  const provider = existing === undefined ? factOf(given, 'preferred-provider') : undefined;
  const which = existing === undefined ? '' : `It is ${inSentence(existing.spoken)}.`;
  const who = provider === undefined ? '' : `It is with ${provider.spoken}.`;
  return {
    subject: 'about rescheduling an appointment',
    purpose: statement('I would like to reschedule an existing appointment for a patient.'),
    details: statement(which + who, existing, provider),
  };
}

function verificationPurpose(given: Given): Purpose {
  const service = factOf(given, 'service');
  return {
    subject: 'about insurance benefits',
    purpose: statement('I would like to verify the insurance coverage and benefits of a patient.'),
    details: statement(service === undefined ? '' : `It is for ${inSentence(service.spoken)}.`, service),
  };
}

/** Details of the claim are told on request: a number finds it, and no more is needed. */
function claimPurpose(): Purpose {
  return {
    subject: 'about an insurance claim',
    purpose: statement('I would like to check the status of a reimbursement claim for a patient.'),
    details: statement(''),
  };
}

function customPurpose(given: Given): Purpose {
  const matter = factOf(given, 'context');
  const [questions, about] =
    given.questions === 1 ? ['one question', 'It is about'] : ['a few questions', 'They are about'];
  return {
    subject: given.questions === 1 ? 'with a question' : 'with a few questions',
    purpose: statement(`I have ${questions} for a patient.`),
    details: statement(matter === undefined ? '' : `${about} ${matter.spoken}.`, matter),
  };
}
