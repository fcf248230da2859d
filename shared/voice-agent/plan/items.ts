import type * as z from 'zod/mini';
import type {
  CustomTaskData,
  ScheduleAppointmentData,
  VerifyInsuranceData,
} from '#shared/domain/task-data.ts';
import type { ItemKind, PlanItem } from './call-plan.ts';

interface ItemOptions {
  rephrase?: string;
  required?: boolean;
  asked?: boolean;
  discloses?: string[];
  only_if?: PlanItem['only_if'];
  expected?: string | null;
}

function item(key: string, kind: ItemKind, question: string, options: ItemOptions = {}): PlanItem {
  return {
    key,
    kind,
    question,
    rephrase: options.rephrase ?? question,
    required: options.required ?? false,
    asked: options.asked ?? true,
    discloses: options.discloses ?? [],
    only_if: options.only_if ?? null,
    expected: options.expected ?? null,
  };
}

function onlyIf(key: string, values: (string | boolean)[], whileOpen = false): PlanItem['only_if'] {
  return { key, values, while_open: whileOpen };
}

const personName = item('person_name', 'name', 'May I have your name for my notes?');

export function schedulingItems(data: z.infer<typeof ScheduleAppointmentData>): PlanItem[] {
  return [
    item(
      'appointment_time',
      'date-time',
      data.is_rescheduling === true ? 'What other times do you have?' : 'What openings do you have?',
      { rephrase: 'Which day and time could you offer?', required: true },
    ),
    item('booking_confirmed', 'yes-no', 'Is the appointment booked?', { required: true, asked: false }),
    item('provider_name', 'name', 'Which doctor will it be with?', { asked: false }),
    item('confirmation_number', 'identifier', 'Is there a confirmation number?'),
    item('instructions', 'text', 'Is there anything the patient should bring or do beforehand?'),
  ];
}

/** Benefits of a coverage that is not active are of no interest. */
const ifCovered = onlyIf('coverage_active', [true], true);

export function verificationItems(data: z.infer<typeof VerifyInsuranceData>, wishes: string): PlanItem[] {
  const { service, provider } = data;
  const hasService = service?.description !== undefined || (service?.cpt_codes ?? []).length > 0;
  const named = service?.description === undefined ? 'this service' : asObject(service.description);
  const serviceField = service?.description === undefined ? [] : ['task_data.service.description'];
  return [
    item('coverage_active', 'yes-no', 'Is the coverage currently active?', {
      rephrase: 'Just to be sure: is the coverage active at the moment, yes or no?',
      required: true,
    }),
    item('plan_name', 'text', 'What is the name of the plan?', { rephrase: 'Which plan is it, please?' }),
    item('effective_date', 'date', 'Since when has the coverage been effective?', { asked: false }),
    item('in_network', 'yes-no', 'Is the provider in network?', {
      only_if: ifCovered,
      rephrase: 'Is the provider in network with this plan, yes or no?',
      asked: provider !== undefined || /in.?network/i.test(wishes),
    }),
    item('service_covered', 'yes-no', `Is ${named} covered?`, {
      only_if: ifCovered,
      rephrase: 'Is that service covered under the plan, yes or no?',
      asked: hasService,
      discloses: serviceField,
    }),
    item('copay', 'money', 'What is the copay?', {
      only_if: ifCovered,
      rephrase: 'How many dollars is the copay exactly?',
      required: true,
    }),
    item('deductible', 'money', 'What is the deductible?', {
      only_if: ifCovered,
      rephrase: 'How many dollars is the individual deductible exactly?',
      required: true,
    }),
    item('deductible_met', 'money', 'How much of the deductible has been met?', {
      only_if: ifCovered,
      rephrase: 'How many dollars of the deductible have been met so far?',
    }),
    item('deductible_remaining', 'money', 'How much of the deductible remains?', { asked: false }),
    item('coinsurance', 'percentage', 'What is the coinsurance?', {
      only_if: ifCovered,
      rephrase: 'What percentage is the coinsurance exactly?',
      required: true,
    }),
    item('out_of_pocket_maximum', 'money', 'What is the out-of-pocket maximum?', {
      only_if: ifCovered,
      asked: /out.?of.?pocket/i.test(wishes),
    }),
    item('out_of_pocket_met', 'money', 'How much of the out-of-pocket maximum has been met?', {
      asked: false,
    }),
    item('pre_authorization', 'yes-no', 'Is pre-authorization required for the service?', {
      only_if: ifCovered,
      rephrase: 'For this service, is pre-authorization required, yes or no?',
      required: true,
    }),
    item('authorization_process', 'text', 'How can the pre-authorization be requested?', {
      only_if: onlyIf('pre_authorization', [true]),
    }),
    item('referral_required', 'yes-no', 'Is a referral required?', {
      only_if: ifCovered,
      asked: /referral/i.test(wishes),
    }),
    item('visit_limit', 'number', 'Is there a limit on the number of visits?', {
      only_if: ifCovered,
      rephrase: 'How many visits are allowed per year?',
      asked:
        /visit limit|number of visits|how many visits|visits (?:are )?(?:allowed|left|remaining)|limit/i.test(
          wishes,
        ),
    }),
    item('reference_number', 'identifier', 'May I have a reference number for this call?'),
    personName,
  ];
}

/** "Outpatient physical therapy." in the middle of a sentence */
function asObject(description: string): string {
  const text = description.trim().replace(/[.\s]+$/, '');
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}

const paid = ['paid', 'partially paid'];

export function claimItems(wishes: string): PlanItem[] {
  return [
    item('claim_status', 'claim-status', 'What is the status of the claim?', {
      rephrase: 'Has the claim been paid, denied, or is it still in process?',
      required: true,
    }),
    item('received_date', 'date', 'When was the claim received?', {
      asked: /received|on file/i.test(wishes),
    }),
    item('processed_date', 'date', 'When was the claim processed?', { asked: false }),
    item('billed_amount', 'money', 'What amount was billed?', { asked: false }),
    item('allowed_amount', 'money', 'What is the allowed amount?', { asked: /allowed/i.test(wishes) }),
    item('paid_amount', 'money', 'What amount was paid?', {
      rephrase: 'How many dollars were paid exactly?',
      required: true,
      only_if: onlyIf('claim_status', paid),
    }),
    item('payment_date', 'date', 'On what date was the payment issued?', {
      rephrase: 'Which day was the payment sent?',
      only_if: onlyIf('claim_status', paid),
    }),
    item('payment_number', 'identifier', 'What is the check or payment number?', { asked: false }),
    item('denial_reason', 'text', 'What is the reason for the denial?', {
      required: true,
      only_if: onlyIf('claim_status', ['denied']),
    }),
    item('patient_responsibility', 'money', 'What is the patient responsibility?', {
      asked: /patient (?:responsibility|balance|owes)|owe/i.test(wishes),
    }),
    item('missing_documents', 'text', 'Is anything missing, or do you need any documents for this claim?', {
      rephrase: 'Which documents, if any, are still needed for this claim?',
      only_if: onlyIf(
        'claim_status',
        ['paid', 'partially paid', 'approved', 'denied', 'pending', 'received', 'closed', 'processed'],
        true,
      ),
    }),
    item('send_documents_to', 'text', 'Where should the missing documents be sent?', {
      only_if: onlyIf('missing_documents', [true]),
    }),
    item('expected_decision', 'text', 'When can a decision be expected?', {
      only_if: onlyIf('claim_status', ['pending', 'received']),
    }),
    item('expected_payment', 'text', 'When will it be paid?', {
      only_if: onlyIf('claim_status', ['approved']),
    }),
    item('appeal_deadline', 'text', 'What is the deadline for an appeal?', {
      only_if: onlyIf('claim_status', ['denied']),
    }),
    item('reference_number', 'identifier', 'May I have a reference number for this call?'),
    personName,
  ];
}

export function customItems(data: z.infer<typeof CustomTaskData>, description: string): PlanItem[] {
  const questions = (data.questions_to_ask ?? [])
    .filter(({ question }) => question.trim() !== '')
    .toSorted((a, b) => a.index - b.index);
  if (questions.length === 0) {
    return questionsIn(description).map((question, position) =>
      customItem(`question_${position}`, question, null),
    );
  }
  return questions.map(({ question, answer }, position) => {
    // Two questions with one index are the client's slip; both are asked, and their names stay apart.
    const index = questions.findIndex((other) => other.index === questions[position]?.index);
    const key = `question_${questions[position]?.index}`;
    return customItem(index === position ? key : `${key}_${position}`, question, answer ?? null);
  });
}

function customItem(key: string, question: string, expected: string | null): PlanItem {
  const text = question.trim();
  const spoken = /[?.!]$/.test(text) ? text : `${text}?`;
  const kind = kindOfQuestion(text);
  return item(key, kind, spoken, { rephrase: rephrased(spoken, kind), required: true, expected });
}

/** The kind of value that answers a client's own question. */
export function kindOfQuestion(question: string): ItemKind {
  const text = question
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(
      /^(?:and|so|please|can you tell me|could you tell me|i would like to know|we would like to know)[, ]+/,
      '',
    );
  if (
    /\b(?:fax|phone|telephone|call ?back|contact) number|number (?:can|should|do) (?:we|i|they|the patient) (?:call|fax)/.test(
      text,
    )
  )
    return 'phone-number';
  if (
    /\b(?:npi|tax id|id number|reference number|confirmation number|account number|claim number|member id|license number|tracking number)\b/.test(
      text,
    )
  )
    return 'identifier';
  if (
    /^(?:is|are|do|does|did|can|could|will|would|has|have|had|was|were|should|may|must|am)\b/.test(text) ||
    /\b(?:yes or no)\b|^(?:whether|if)\b/.test(text)
  ) {
    return /^(?:can|could|would|will) you (?:tell|give|explain|describe|confirm what|please)/.test(text)
      ? 'text'
      : 'yes-no';
  }
  if (/^(?:who|whom|whose)\b/.test(text)) return 'text';
  if (/\bpercent/.test(text)) return 'percentage';
  if (
    /\bhow much (?:does|do|is|are|would|will|will it|did)\b.*|\b(?:fee|price|cost|charge|copay|amount)\b/.test(
      text,
    ) &&
    !/\bhow (?:do|can|is)\b/.test(text)
  )
    return 'money';
  if (/\bhow many\b/.test(text)) return 'number';
  if (
    /^(?:(?:on|until|till|by|from|since|as of|before) )?(?:what|which) date\b|\bwhat is the date\b/.test(text)
  )
    return 'date';
  return 'text';
}

function rephrased(question: string, kind: ItemKind): string {
  switch (kind) {
    case 'yes-no':
      return `I would need a clear yes or no, if possible. ${question}`;
    case 'money':
      return `If you can, please give me the exact amount. ${question}`;
    case 'number':
    case 'percentage':
    case 'phone-number':
    case 'identifier':
      return `If you can, please give me the exact number. ${question}`;
    case 'date':
    case 'date-time':
      return `If you can, please give me the exact date. ${question}`;
    case 'name':
    case 'claim-status':
    case 'text':
      return `Could you be a little more specific, please? ${question}`;
  }
}

/** Without a list of questions the description is searched for them: sentences with a question mark, and "ask whether …". */
function questionsIn(description: string): string[] {
  const direct = [...description.matchAll(/(?<=^|[.!?\n]\s*|:\s*)[^.!?\n:]*\?/g)].map((match) =>
    match[0].trim(),
  );
  if (direct.length > 0) return direct;
  const indirect = [
    ...description.matchAll(
      /\b(?:ask|find out|confirm|check|verify|inquire|clarify|determine|learn)(?: (?:them|the office|the clinic|the pharmacy|for us|about))? (?<what>(?:if|whether|what|when|where|which|who|how)\b[^.;\n]*)/gi,
    ),
  ].flatMap((match) => splitClauses(match.groups?.what ?? ''));
  if (indirect.length > 0) return indirect.map((clause) => `Could you tell me ${toTheOffice(clause)}?`);
  const about = /\b(?:ask|find out|inquire) (?:about|for) (?<what>[^.;\n]+)/i.exec(description)?.groups?.what;
  if (about !== undefined) return [`Could you tell me about ${about.trim()}?`];
  const wish = description.trim().replace(/[.!]+$/, '');
  return [`My request is the following: ${wish}. What can you tell me about that?`];
}

/** "whether they take Medicare" is asked of them: "whether you take Medicare". */
function toTheOffice(clause: string): string {
  return clause
    .replaceAll(/\bthey are\b/gi, 'you are')
    .replaceAll(/\bthey\b/gi, 'you')
    .replaceAll(/\btheir\b/gi, 'your')
    .replaceAll(/\bthem\b/gi, 'you');
}

/** "if they take new patients and what the fee is" asks two things. */
function splitClauses(text: string): string[] {
  return text
    .split(
      /,? and (?=(?:if|whether|what|when|where|which|who|how)\b)|, (?=(?:if|whether|what|when|where|which|who|how)\b)/i,
    )
    .map((clause) => clause.trim().replace(/^if\b/i, 'whether'))
    .filter((clause) => clause !== '');
}
