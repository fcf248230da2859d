import { spelledIdentifier, spelledName } from '../language/speech.ts';
import type { CallPlan, Fact, FactTopic } from '../plan/call-plan.ts';
import type { AddressPart, AskedQuestion, AskedTopic } from './fact-questions.ts';
import { availabilitySentence, topicName } from './phrasing.ts';
import { contentWords } from './statements.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Facts that can stand in for one that is not known, or that belong to what was asked. */
const candidates: Partial<Record<AskedTopic, readonly FactTopic[]>> = {
  'provider-npi': ['provider-npi', 'referral-npi'],
  'claim-number': ['claim-number', 'bill-number'],
  'bill-number': ['bill-number', 'claim-number'],
  'provider-name': ['provider-name', 'facility'],
  'preferred-provider': ['preferred-provider'],
  facility: ['facility', 'provider-name'],
  service: ['service', 'treatment', 'visit-reason'],
  treatment: ['treatment', 'service'],
  'visit-reason': ['visit-reason', 'service', 'treatment', 'specialty'],
  specialty: ['specialty'],
  'callback-number': ['phone', 'provider-phone'],
  'insurance-type': ['plan-name'],
  'payment-method': [],
  'first-name': ['first-name'],
};

/** What somebody who only says "number?" looks things up by. */
const mainNumber: Record<CallPlan['callee'], AskedTopic> = {
  clinic: 'phone',
  office: 'phone',
  insurer: 'member-id',
  'claims-department': 'claim-number',
};

/** Answers that take several facts. */
const combined: Partial<Record<AskedTopic, readonly FactTopic[]>> = {
  'insurance-details': ['insurer', 'member-id', 'group-number'],
};

/** Answers what the other side asks us, as far as the plan knows and allows it. */
export function answerQuestions(draft: TurnDraft, questions: readonly AskedQuestion[]): void {
  const told: string[] = [];
  const said = new Set<string>();
  for (const asked of questions) {
    const question = isNosy(draft.plan, asked) ? { ...asked, topic: 'diagnosis' as const } : asked;
    const facts = factsFor(draft.plan, question.topic);
    const sentence = sentenceFor(draft, question, facts);
    if (sentence !== null && said.has(sentence.text)) continue;
    if (sentence !== null) said.add(sentence.text);
    if (sentence === null) {
      sayUnknown(draft, topicName(question.topic), question.topic);
    } else {
      draft.say(sentence.text, sentence.discloses);
      told.push(...sentence.discloses);
    }
    if (draft.isOver) return;
  }
  if (told.length > 0) draft.memory.last_told = told;
}

/** What ails somebody is asked by a scheduling desk for a reason, by anybody else out of curiosity. */
function isNosy({ callee }: CallPlan, { topic, sentence }: AskedQuestion): boolean {
  return (
    callee !== 'clinic' &&
    (topic === 'visit-reason' || topic === 'treatment') &&
    /\b(?:wrong with|going on with|treated for|condition|illness|disease|sick|suffer\w*|symptoms?|complain\w*|problem|what does (?:she|he) have|bothering)\b/.test(
      sentence.plain,
    )
  );
}

function factsFor(plan: CallPlan, topic: AskedTopic): Fact[] {
  const several = combined[topic];
  if (several !== undefined) {
    return several.flatMap((wanted) => plan.facts.find((fact) => fact.topic === wanted) ?? []);
  }
  if (topic === 'main-number') return factsFor(plan, mainNumber[plan.callee]);
  const isInsurer = plan.callee === 'insurer' || plan.callee === 'claims-department';
  // "Which doctor is it for?" asks an insurer's caller for the provider, not for a preference.
  if (topic === 'preferred-provider' && isInsurer) return factsFor(plan, 'provider-name');
  const callback = topic === 'callback-number' && plan.callee !== 'clinic' && plan.callee !== 'office';
  if (topic === 'street' || topic === 'city' || topic === 'zip-code') return addressPart(plan, topic);
  const order: readonly string[] = callback ? ['provider-phone', 'phone'] : (candidates[topic] ?? [topic]);
  for (const wanted of order) {
    const fact = plan.facts.find((known) => known.topic === wanted);
    if (fact !== undefined) return [fact];
  }
  return [];
}

/** A part of the patient's address, told under the address's own field; the whole when it cannot be taken apart. */
function addressPart(plan: CallPlan, part: AddressPart): Fact[] {
  const address = plan.facts.find(({ topic }) => topic === 'address');
  if (address === undefined) return [];
  const parts = /^(?:(?<street>.+), )?(?<city>[^,]+), [^,]+, (?<zip>\d[\d -]+)$/.exec(address.spoken)?.groups;
  switch (part) {
    case 'street':
      return [partOf(address, 'street', parts?.street)];
    case 'city':
      return [partOf(address, 'city', parts?.city)];
    case 'zip-code':
      return [partOf(address, 'zip code', parts?.zip)];
  }
}

function partOf(address: Fact, label: string, text: string | undefined): Fact {
  return text === undefined ? address : { ...address, label, value: text, spoken: text };
}

interface Telling {
  readonly text: string;
  readonly discloses: readonly string[];
}

function sentenceFor(draft: TurnDraft, question: AskedQuestion, facts: readonly Fact[]): Telling | null {
  const { plan } = draft;
  const fields = facts.map(({ field }) => field);
  const [first] = facts;
  switch (question.topic) {
    case 'caller':
      return callerSentence(draft);
    case 'caller-is-machine':
      return {
        text: 'Yes, I am an automated assistant, calling on behalf of a patient. This call is recorded.',
        discloses: [],
      };
    case 'caller-relationship':
      return {
        text: 'I am an automated assistant, calling on behalf of the patient.',
        discloses: [],
      };
    case 'timeframe':
      return plan.task_type === 'SCHEDULE_APPOINTMENT'
        ? { text: availabilitySentence(plan), discloses: fields }
        : null;
    case 'patient-status':
      if (first === undefined) return null;
      if (first.value === 'new') return { text: 'This is a new patient.', discloses: fields };
      if (first.value === 'existing') return { text: 'This is an existing patient.', discloses: fields };
      return { text: `About that I have the note: ${first.spoken}.`, discloses: fields };
    case 'referral':
      if (first === undefined) return null;
      if (first.value === 'none') return { text: 'There is no referral.', discloses: fields };
      return {
        text: first.value.startsWith('from ')
          ? `There is a referral ${first.spoken}.`
          : 'Yes, there is a referral.',
        discloses: fields,
      };
    case 'preferred-provider':
      if (first !== undefined && first.topic !== 'preferred-provider') return telling(facts);
      if (first === undefined) {
        return plan.task_type === 'SCHEDULE_APPOINTMENT'
          ? { text: 'There is no preference for a particular doctor.', discloses: [] }
          : null;
      }
      return { text: `The preference is ${first.spoken}.`, discloses: fields };
    case 'visit-reason':
      return first === undefined
        ? null
        : { text: `The reason for the visit is: ${stripped(first.spoken)}.`, discloses: fields };
    case 'diagnosis':
      // Medical details are told only where the client put them under that very name.
      return extraFactSentence(plan, 'diagnosis');
    case 'first-name':
    case 'last-name':
    case 'patient-name':
      if (first === undefined) return null;
      return question.spelled
        ? {
            text: `The ${first.label} is ${first.spoken}, spelled ${spelledName(first.value)}.`,
            discloses: fields,
          }
        : { text: `The ${first.label} is ${first.spoken}.`, discloses: fields };
    case 'secondary-insurance':
      return first === undefined
        ? null
        : { text: `The secondary insurance is ${first.spoken}.`, discloses: fields };
    case 'relationship':
      return first === undefined
        ? null
        : {
            text:
              first.value === 'self'
                ? 'The patient is the subscriber.'
                : `The patient is the subscriber's ${first.value}.`,
            discloses: fields,
          };
    case 'subscriber':
      return first === undefined ? subscriberFromRelationship(plan) : telling(facts);
    default:
      return facts.length === 0 ? null : telling(facts);
  }
}

function telling(facts: readonly Fact[]): Telling {
  return {
    text: facts
      .map(
        (fact) => `The ${fact.label} ${/codes$/.test(fact.label) ? 'are' : 'is'} ${stripped(fact.spoken)}.`,
      )
      .join(' '),
    discloses: facts.map(({ field }) => field),
  };
}

function stripped(text: string): string {
  return text.replace(/[.\s]+$/, '');
}

function subscriberFromRelationship(plan: CallPlan): Telling | null {
  const relationship = plan.facts.find(({ topic }) => topic === 'relationship');
  const name = plan.facts.find(({ topic }) => topic === 'patient-name');
  if (relationship?.value !== 'self' || name === undefined) return null;
  return {
    text: `The subscriber is the patient, ${name.spoken}.`,
    discloses: [relationship.field, name.field],
  };
}

/** Insurers want to know which practice is asking; nobody hears of the patient before it is clear who listens. */
function callerSentence({ plan }: TurnDraft): Telling {
  const practice =
    plan.facts.find(({ topic }) => topic === 'facility') ??
    plan.facts.find(({ topic }) => topic === 'provider-name');
  return practice === undefined
    ? { text: 'I am an automated assistant, calling on behalf of a patient.', discloses: [] }
    : {
        text: `I am an automated assistant, calling on behalf of a patient of ${practice.spoken}.`,
        discloses: [practice.field],
      };
}

/** A fact that the client added under a name of its own, when all words of that name are in the question. */
export function extraFactSentence(plan: CallPlan, question: string): Telling | null {
  const asked = new Set(contentWords(question));
  for (const fact of plan.facts) {
    if (fact.topic !== 'other') continue;
    const words = contentWords(fact.label);
    if (words.length > 0 && words.every((word) => asked.has(word))) {
      return {
        text: `About the ${fact.label} I have this: ${stripped(fact.spoken)}.`,
        discloses: [fact.field],
      };
    }
  }
  return null;
}

/** For what nobody told us: says so, notes it, and does not let the call go round in circles about it. */
export function sayUnknown(draft: TurnDraft, name: string, key: string): void {
  const times = (draft.memory.unknown_asked[key] ?? 0) + 1;
  draft.memory.unknown_asked[key] = times;
  if (times === 1) {
    // Long names are for the notes; on the line they would sound like a question of ours.
    draft.say(
      name === '' || name.split(' ').length > 5
        ? "I don't have that information. I'll note it for the patient."
        : `I don't have the ${name}. I'll note it for the patient.`,
    );
    if (name !== '') draft.followUp(`They asked for the ${name}, which was not known.`);
    return;
  }
  if (times === 2) {
    draft.say("I'm sorry, I really don't have that. Can we go on without it?");
    return;
  }
  draft.end('declined', 'follow-up');
}

/** "That's the wrong number": what was told last, once more. */
export function retellLast(draft: TurnDraft): boolean {
  const facts = draft.memory.last_told.flatMap(
    (field) => draft.plan.facts.find((fact) => fact.field === field) ?? [],
  );
  if (facts.length === 0) return false;
  const { text, discloses } = telling(facts);
  draft.say(`Let me say that again. ${text}`, discloses);
  return true;
}

/** "Could you spell that?": the last thing told, letter by letter. */
export function spellLastTold(draft: TurnDraft): boolean {
  const facts = draft.memory.last_told.flatMap(
    (field) => draft.plan.facts.find((fact) => fact.field === field) ?? [],
  );
  if (facts.length === 0) return false;
  draft.say(
    facts
      .map((fact) =>
        /name$/.test(fact.field) || /name/.test(fact.topic)
          ? `${fact.spoken} is spelled ${spelledName(fact.value)}.`
          : /^[\w-]*\d[\w-]*$/.test(fact.value)
            ? `The ${fact.label} is ${spelledIdentifier(fact.value)}.`
            : `${stripped(fact.spoken)} is spelled ${spelledName(fact.value)}.`,
      )
      .join(' '),
    facts.map(({ field }) => field),
  );
  return true;
}
