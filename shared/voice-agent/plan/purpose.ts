import type * as z from 'zod/mini';
import type { ScheduleAppointmentData } from '#shared/domain/task-data.ts';
import type { CallPlan } from './call-plan.ts';

type Purpose = Pick<CallPlan, 'subject' | 'purpose'>;

export function schedulingPurpose(data: z.infer<typeof ScheduleAppointmentData>): Purpose {
  const speciality = specialityPhrase(data.speciality_preferences);
  const discloses = speciality === null ? [] : ['task_data.speciality_preferences'];
  if (data.is_rescheduling === true) {
    return {
      subject: 'about rescheduling an appointment',
      purpose: {
        text: `I would like to reschedule an existing appointment for a patient${speciality?.wish ?? ''}.${speciality?.sentence ?? ''}`,
        discloses,
      },
    };
  }
  return {
    subject: 'about scheduling an appointment',
    purpose: {
      text: `I would like to schedule an appointment${speciality?.wish ?? ''} for a patient.${speciality?.sentence ?? ''}`,
      discloses,
    },
  };
}

/** "cardiologist" → with a cardiologist; "Cardiology" → in cardiology; anything longer becomes a sentence of its own. */
function specialityPhrase(speciality: string | undefined): { wish: string; sentence: string } | null {
  const text = speciality?.trim().replace(/[.;,]+$/, '') ?? '';
  if (text === '') return null;
  // A lone capital is the beginning of a sentence, several are an abbreviation or a name.
  const lowered = /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
  if (/^(?:dr\.?|doctor) \S+(?: \S+)?$/i.test(text)) return { wish: ` with ${text}`, sentence: '' };
  if (/^[\w/ -]{3,40}(?:ist|ian|doctor|surgeon|provider|physician|practitioner)$/i.test(text)) {
    return { wish: ` with ${/^[aeiou]/i.test(lowered) ? 'an' : 'a'} ${lowered}`, sentence: '' };
  }
  if (
    /^[\w/ -]{3,40}(?:logy|ics|care|medicine|surgery|therapy|iatry|health|dentistry|optometry)$/i.test(text)
  ) {
    return { wish: ` in ${lowered}`, sentence: '' };
  }
  return { wish: '', sentence: ` The preference is: ${text}.` };
}

export function verificationPurpose(): Purpose {
  return {
    subject: 'about insurance benefits',
    purpose: {
      text: 'I would like to verify the insurance coverage and benefits of a patient.',
      discloses: [],
    },
  };
}

export function claimPurpose(): Purpose {
  return {
    subject: 'about an insurance claim',
    purpose: {
      text: 'I would like to check the status of a reimbursement claim for a patient.',
      discloses: [],
    },
  };
}

export function customPurpose(questions: number): Purpose {
  return {
    subject: questions === 1 ? 'with a question' : 'with a few questions',
    purpose: {
      text: questions === 1 ? 'I have one question for a patient.' : 'I have a few questions for a patient.',
      discloses: [],
    },
  };
}
