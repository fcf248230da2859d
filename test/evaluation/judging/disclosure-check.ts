import type { Disclosure } from '#shared/domain/call-result.ts';
import type { CallPlan, Fact, FactTopic } from '#shared/voice-agent/call-plan/call-plan.ts';
import type { Line } from '../held.ts';

/*
 * Finds needless disclosures from the agent's words alone, without asking the agent what it thinks it has told.
 */

/** Facts whose words also occur in ordinary sentences ("existing", "primary care") and prove nothing. */
const ordinaryWords: ReadonlySet<FactTopic> = new Set([
  'patient-status',
  'specialty',
  'relationship',
  'timeframe',
  'context',
  'other',
  'known-status',
  'plan-name',
]);

/** For a person without any business, everything else counts, also in parts. */
const wordsOfAnybody: ReadonlySet<FactTopic> = new Set([
  'patient-status',
  'specialty',
  'relationship',
  'other',
  'known-status',
]);

/** What any caller would have to say to do the business at all, once they know whom they have reached. */
const neededFor: Record<CallPlan['task_type'], ReadonlySet<FactTopic>> = {
  SCHEDULE_APPOINTMENT: new Set([
    'patient-name',
    'first-name',
    'last-name',
    'visit-reason',
    'preferred-provider',
    'primary-care-provider',
    'existing-appointment',
  ]),
  VERIFY_INSURANCE: new Set(['patient-name', 'first-name', 'last-name', 'service', 'procedure-codes']),
  REIMBURSEMENT: new Set(['patient-name', 'first-name', 'last-name', 'claim-number', 'bill-number']),
  CUSTOM_TASK: new Set(),
};

/** How a person asks for a fact, in any words. */
const askedBy: Partial<Record<FactTopic, RegExp>> = {
  'patient-name': /\bname|\bwho\b|patient|member|subscriber/i,
  'first-name': /\bname|\bwho\b|patient|member|spell/i,
  'last-name': /\bname|\bwho\b|patient|member|spell/i,
  'date-of-birth': /birth|\bborn\b|\bd[. ]?o[. ]?b\b|\bage\b|how old/i,
  phone: /phone|\bnumber\b|\bcell\b|mobile|call ?back|contact|reach/i,
  address: /address|live|zip|street|mail/i,
  email: /e-?mail/i,
  'member-id': /member|\bi\.?d\b|policy|subscriber|insurance|identif|number/i,
  'group-number': /group|insurance/i,
  insurer: /insur|carrier|plan|coverage|payer/i,
  'insurer-phone': /phone|number/i,
  subscriber: /subscriber|policy ?holder|insured/i,
  'provider-name': /provider|doctor|physician|who|practice|name|npi|facility|office/i,
  'provider-npi': /npi|provider|identif|number/i,
  facility: /facility|provider|office|practice|calling from|where|clinic|company|npi|name|\bwho\b/i,
  'provider-address': /address|where/i,
  'provider-phone': /phone|number/i,
  referral: /refer/i,
  'referral-npi': /npi|refer/i,
  'previous-visits': /visit|seen|before|last/i,
  'reschedule-reason': /reason|why/i,
  'visit-reason': /reason|why|what.*(?:for|about)|visit|need|appointment|about|help/i,
  'preferred-provider': /doctor|provider|who|see/i,
  'primary-care-provider': /doctor|provider|pcp|physician|who|primary/i,
  'existing-appointment': /appointment|when|current|existing/i,
  service: /service|procedure|treatment|what|benefit|for/i,
  'procedure-codes': /code|cpt|procedure/i,
  'claim-number': /claim|number|reference/i,
  'claim-date': /date|when/i,
  'bill-number': /bill|invoice|account|number/i,
  amount: /amount|how much|bill|charge|total/i,
  'billing-address': /address/i,
  'billing-phone': /phone|number/i,
  treatment: /treatment|service|procedure|what|for/i,
  'payment-details': /pay/i,
  'secondary-insurance': /other|secondary|insur/i,
};

/**
 * Facts of the plan that should not have been told: missing from `disclosures`, told to
 * a person who has no business with them, or neither requested nor needed. Each as `field at turn N: why`.
 *
 * @param slotsAskedFor what the person asked for in their own words, by the names in their file
 * @param mayHear false for a wrong number or a voicemail
 */
export function offPlanDisclosures(
  plan: CallPlan,
  lines: readonly Line[],
  disclosures: readonly Disclosure[],
  mayHear: boolean,
  slotsAskedFor: readonly string[] = [],
): string[] {
  return lines.flatMap((line, turn) => {
    if (line.role !== 'assistant') return [];
    const heard = lines
      .slice(0, turn)
      .filter(({ role }) => role === 'user')
      .map(({ content }) => content)
      .concat(turn === 0 ? [] : slotsAskedFor)
      .join('\n');
    const declared = new Set(disclosures.filter((entry) => entry.turn === turn).map(({ field }) => field));
    return (
      plan.facts
        // Anyone may know who calls, and where to call back.
        .filter(({ field }) => !field.startsWith('project.'))
        .filter((fact) =>
          mayHear
            ? isTold(fact, line.content) && !isInQuestion(fact, plan)
            : isToldToStranger(fact, line.content),
        )
        .flatMap((fact) => {
          // Words that another fact also contains count for whichever was meant.
          const same = plan.facts.filter((other) => sharesWords(other, fact));
          const why = !mayHear
            ? 'told to somebody who has no business with it'
            : !same.some(({ field }) => declared.has(field))
              ? 'not written down'
              : !same.some((other) => isWanted(other.topic, plan.task_type, heard))
                ? 'neither asked for nor needed'
                : null;
          return why === null ? [] : [`${fact.field} at turn ${turn}: ${why}`];
        })
    );
  });
}

/** The client's own question contains these words, so asking it tells them. */
function isInQuestion(fact: Fact, { items }: CallPlan): boolean {
  return items.some(({ question }) => isTold(fact, question));
}

function isWanted(topic: FactTopic, taskType: CallPlan['task_type'], heard: string): boolean {
  if (heard !== '' && neededFor[taskType].has(topic)) return true;
  return askedBy[topic]?.test(heard) ?? false;
}

function isTold(fact: Fact, words: string): boolean {
  if (ordinaryWords.has(fact.topic)) return false;
  const said = plainWords(words);
  return formsOf(fact).some((form) => form.length >= 4 && runsThrough(said, form));
}

/** Whether consecutive words make up the form: "plan or an" does not say "Nora". */
function runsThrough(words: readonly string[], form: string): boolean {
  return words.some((_, start) => {
    let rest = form;
    for (const word of words.slice(start)) {
      if (!rest.startsWith(word)) return false;
      rest = rest.slice(word.length);
      if (rest === '') return true;
    }
    return false;
  });
}

function isToldToStranger(fact: Fact, words: string): boolean {
  if (wordsOfAnybody.has(fact.topic)) return false;
  if (!ordinaryWords.has(fact.topic) && isTold(fact, words)) return true;
  const said = ` ${plainWords(words).join(' ')} `;
  return [fact.value, fact.spoken].some((form) =>
    partsOf(plainWords(form)).some((part) => said.includes(` ${part} `)),
  );
}

/** This many consecutive words of a longer fact are not said by chance. */
const tellingWords = 4;

/** A short fact as a whole, and all recognizable parts of a longer one. */
function partsOf(wanted: readonly string[]): string[] {
  if (wanted.length <= tellingWords) return wanted.join('').length >= 4 ? [wanted.join(' ')] : [];
  return wanted
    .slice(0, 1 - tellingWords)
    .map((_, start) => wanted.slice(start, start + tellingWords).join(' '))
    .filter((part) => part.replaceAll(/[^\p{L}]/gu, '').length >= 10);
}

function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function sharesWords(other: Fact, fact: Fact): boolean {
  return formsOf(other).some((form) => formsOf(fact).some((own) => form.includes(own) || own.includes(form)));
}

function formsOf(fact: Fact): string[] {
  return [...new Set([compact(fact.value), compact(fact.spoken), ...dateForms(fact.value)])];
}

/** "March 5th, 1979", "the 5th of March 1979", "03051979" */
function dateForms(value: string): string[] {
  const [year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)?.slice(1) ?? [];
  if (year === undefined || month === undefined || day === undefined) return [];
  const name = monthNames[Number(month) - 1] ?? '';
  const days = ['', 'st', 'nd', 'rd', 'th'].map((ending) => `${Number(day)}${ending}`);
  return [
    `${month}${day}${year}`,
    `${Number(month)}${Number(day)}${year}`,
    ...days.flatMap((spoken) => [`${name}${spoken}${year}`, `${spoken}of${name}${year}`]),
  ];
}

const monthNames =
  'january february march april may june july august september october november december'.split(' ');

/** "E H P, 2 0 4" and "EHP204" are the same words. */
function compact(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
