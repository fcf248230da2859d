import { isAskedEnough } from '../core/progress-guard.ts';
import { notice, reachQuestion } from '../core/wording.ts';
import type { Heard } from '../understanding/understand.ts';
import { asksForFacts, isAboutCaller, questionsIn, topicsOf } from './asked-of-us.ts';
import { answerQuestions } from './facts-asked.ts';
import { askNext } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';
import { sayWishes } from './without-offer.ts';
import { aboutCaller, phrase, phraseInTurn } from './wording.ts';

/** The first words, spoken once the line is open. Anyone may hear them, including a voicemail. */
export function open(draft: TurnDraft): void {
  draft.say(notice(draft.plan), { kind: 'notice' });
  draft.say(phrase('ask_help', 0));
}

/** Introduces the agent to a person who has not heard it: after a machine, a transfer, or an interruption. */
export function sayNotice(draft: TurnDraft): boolean {
  if (draft.view.party.notice_heard) return false;
  draft.say(notice(draft.plan, draft.view.reach_asked), { kind: 'notice' });
  return true;
}

/**
 * The subject, without any fact, and whether this is the right place. Requested facts wait
 * until then.
 */
export function verifyParty(draft: TurnDraft, heard: Heard): void {
  const { memory, plan, view } = draft;
  const asked = view.reach_asked;
  if (isAskedEnough(view.party.asked, asked)) {
    draft.obstacle('not_verified', heard.said, heard.turn);
    draft.end('gave-up', 'follow-up');
    return;
  }
  const isNew = sayNotice(draft);
  const questions = questionsIn(heard);
  const aboutUs = questions.flatMap(topicsOf).filter(isAboutCaller);
  for (const topic of isNew ? [] : new Set(aboutUs)) draft.sayFresh(aboutCaller(topic, plan));
  const isOwed = asksForFacts(heard);
  if (isOwed) memory.owed = heard.said;
  const saysSubject = asked === 0 && !aboutUs.includes('caller-purpose');
  if (saysSubject) draft.sayFresh(aboutCaller('caller-purpose', plan));
  else if (isOwed) draft.say(phraseInTurn('lead_reach', asked));
  else if (asked > 0 && aboutUs.length === 0) draft.say(phraseInTurn('reach_again', asked - 1));
  draft.say(reachQuestion(plan, asked), { kind: 'reach' });
  memory.pending = 'reach';
}

/**
 * The reason for the call; also answers questions asked meanwhile. A place that only introduced itself says first
 * whether it can help: it may be of another kind than it sounds. A payer hears the details once it knows the patient.
 */
export function sayPurpose(draft: TurnDraft, heard: Heard): void {
  const { plan, memory, view } = draft;
  const isNew = sayNotice(draft);
  const hasConfirmed = view.party.asked > 0;
  memory.purpose_said = true;
  memory.owes_details = true;
  memory.pending = null;
  const answers = asksForFacts(heard);
  if (!answers || isNew || !hasConfirmed)
    draft.say(plan.purpose.text, { fields: plan.purpose.discloses, kind: 'purpose' });
  if (answers) {
    answerQuestions(draft, heard, true);
    return;
  }
  // "Sure, go ahead" to the purpose would count as a yes to a first question.
  if (hasConfirmed && plan.callee === 'clinic') sayWishes(draft);
  else if (hasConfirmed && plan.callee === 'office' && draft.openItems()[0]?.kind !== 'yes-no')
    askNext(draft);
  else {
    draft.say(phrase('purpose_offer', 0));
    memory.pending = 'purpose';
  }
}
