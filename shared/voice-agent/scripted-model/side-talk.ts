import { findDays } from '../language/day-mentions.ts';
import type { Sentence } from '../language/text.ts';
import { extraFactSentence, sayUnknown, spellLastTold } from './fact-answers.ts';
import type { SaidPiece } from './memory.ts';
import { availabilitySentence, reachQuestion, spokenSlot } from './phrasing.ts';
import { contentWords } from './statements.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/*
 * What people say besides the matter itself: asking to repeat, to wait, whether they heard right, for leave.
 */

const maxRepeats = 4;
/** Silences in a row after which nobody can be there; the session usually ends the call before. */
const maxSilences = 3;

export function wantsRepetition({ signals, questions, statements, sentences }: Heard): boolean {
  if (questions.length > 0) return false;
  if (signals.has('still-there')) return statements.length === 0 || sentences.length === 1;
  return signals.has('repeat') && statements.every(({ plain }) => plain.length < 90 && !/[$%]/.test(plain));
}

/** Says the last words once more; after several times in vain the line is no good. */
export function repeatLast(draft: TurnDraft): void {
  draft.memory.repeats += 1;
  if (draft.memory.repeats > maxRepeats) {
    draft.end('gave-up', 'call-again');
    return;
  }
  const { last_said: last } = draft.memory;
  // Nobody is helped by hearing again what we do not have.
  const isUseless = /^(?:I don't have|I'm sorry, I really)/.test(last);
  // Who asks twice whether we are there, after we have told something, waits for us.
  const isAwaited = draft.memory.repeats > 1 && !last.includes('?');
  const question = isUseless || isAwaited ? pendingQuestion(draft) : null;
  if (question !== null && question.text !== '' && !question.text.startsWith("I don't")) {
    draft.say(`Sure. ${question.text}`, question.fields, question.kind);
    return;
  }
  const again = last.replace(/^(?:Sure\. |Yes, I am here\. |(?:Okay|Got it|All right|I see)\. )+/, '');
  // What told facts tells them again.
  const retold = draft.plan.facts.filter(
    ({ spoken, field }) => draft.memory.told.includes(field) && again.includes(spoken),
  );
  draft.say(
    `Sure. ${again}`,
    retold.map(({ field }) => field),
  );
}

export function sayWaiting(draft: TurnDraft): void {
  draft.aside('Sure, thank you.');
  draft.wait();
  draft.memory.line = 'held';
  draft.memory.stalled = 0;
}

/** The question that is open, in its shortest form. */
export function pendingQuestion(draft: TurnDraft): {
  text: string;
  fields: readonly string[];
  kind: SaidPiece['kind'];
} {
  const { memory, plan } = draft;
  if (!memory.reached) {
    if (memory.reach_asked > 0) return { text: reachQuestion(plan), fields: [], kind: 'reach' };
    memory.reach_asked += 1;
    return { text: `I am calling ${plan.subject}. ${reachQuestion(plan)}`, fields: [], kind: 'reach' };
  }
  const item = draft.pendingItem;
  const { chosen, booked } = memory.scheduling;
  if (item !== null) {
    const text =
      item.key === 'booking_confirmed' && chosen !== null
        ? `Is the appointment on ${spokenSlot({ ...chosen, provider: null }, draft.today)} booked now?`
        : item.question;
    return { text, fields: item.discloses, kind: 'other' };
  }
  if (chosen !== null && !booked) {
    return {
      text: `Could you book ${spokenSlot({ ...chosen, provider: null }, draft.today)}, please?`,
      fields: [],
      kind: 'other',
    };
  }
  const next = draft.item('appointment_time') ?? draft.openItems()[0];
  if (next === undefined || booked) return { text: '', fields: [], kind: 'other' };
  memory.pending = next.key;
  return { text: next.question, fields: next.discloses, kind: 'other' };
}

/** Nothing was heard for a while: the open question once more, in short. */
export function promptAgain(draft: TurnDraft): void {
  const { memory } = draft;
  memory.silences += 1;
  if (memory.silences > maxSilences) {
    draft.end('gave-up', 'call-again');
    return;
  }
  const question = pendingQuestion(draft);
  const notice = memory.notice_heard ? '' : 'This is an automated assistant, and the call is recorded. ';
  memory.notice_heard = true;
  draft.say(`Hello, are you still there? ${notice}${question.text}`.trim(), question.fields, question.kind);
}

/** They cannot or will not go on: tried once more, then left in peace. Returns whether the turn is decided by it. */
export function handleObstacle(draft: TurnDraft, heard: Heard): boolean {
  const needsSomebody = heard.signals.has('needs-principal');
  const cannotGoOn = heard.signals.has('cannot-go-on');
  const elsewhere = heard.signals.has('wrong-department');
  const cannotHelp = draft.plan.callee === 'clinic' && heard.signals.has('cannot-help');
  // After the one try, a plain no is the answer to it.
  const isFinal = draft.memory.pleaded && heard.polarity === 'no' && heard.statements.length === 0;
  if (!needsSomebody && !cannotGoOn && !elsewhere && !cannotHelp && !isFinal) return false;
  if (draft.memory.pleaded) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    draft.end('declined', 'follow-up');
    return true;
  }
  draft.memory.pleaded = true;
  if (elsewhere) draft.say('Could you transfer me there, please?');
  else if (cannotHelp) draft.say('I understand. Is there any way to do it on the telephone?');
  else if (needsSomebody) {
    draft.say(
      'I understand. I am calling on behalf of the patient. Is there anything that you can do for me today?',
    );
  } else draft.say('I understand. Is there another way, for example with the name and the date of birth?');
  return true;
}

/** "So that's 4 8 2 1, correct?": yes when it is, the right value again when it is not. */
export function answerCheckBack(draft: TurnDraft, heard: Heard): boolean {
  const check = heard.sentences.find(
    ({ isQuestion, plain }) =>
      isQuestion &&
      !/^(?:yes|yeah|yep|hello)[?!.]*$/.test(plain) &&
      heard.signals.has('check-back') &&
      /\b(?:correct|right|that|confirm|yes|you said|okay)\b/.test(plain),
  );
  if (check === undefined) return false;
  const facts = draft.plan.facts.filter(({ field }) => draft.memory.told.includes(field));
  const digits = heard.said.replaceAll(/[\s.,-]/g, '').match(/\d{4,}/g) ?? [];
  const days = findDays(heard.sentences.map(({ plain }) => plain).join(' '), draft.today, 'past').map(
    ({ first }) => first,
  );
  const known = facts.map(({ value }) => value.replaceAll(/\D/g, ''));
  const birth = facts.find(({ topic }) => topic === 'date-of-birth')?.value;
  // Whether they may do or want something is no question of having heard right.
  const hasSomethingToCheck =
    digits.length > 0 ||
    days.length > 0 ||
    facts.some(({ value }) => heard.said.toLowerCase().includes(value.toLowerCase())) ||
    contentWords(check.plain).length <= 2;
  if (!hasSomethingToCheck) return false;
  const wrongNumber =
    days.length === 0 &&
    digits.length > 0 &&
    facts.length > 0 &&
    !digits.some((run) =>
      known.some((value) => value !== '' && (value.includes(run) || run.includes(value))),
    );
  const wrongDay =
    birth !== undefined &&
    days.length > 0 &&
    !days.includes(birth) &&
    days.every((day) => day < draft.today.slice(0, 4));
  if (wrongNumber || wrongDay) {
    const last = draft.memory.last_told.flatMap((field) => facts.find((fact) => fact.field === field) ?? []);
    draft.say(
      `No, not quite. ${last.map((fact) => `The ${fact.label} is ${fact.spoken}.`).join(' ')}`,
      last.map(({ field }) => field),
    );
  } else draft.aside("Yes, that's correct.");
  return true;
}

/** "Really, February 19th, 1987?": what we have told, asked back. */
function echoesTold(draft: TurnDraft, { plain }: Sentence): boolean {
  const told = draft.plan.facts.filter(({ field }) => draft.memory.told.includes(field));
  const days = findDays(plain, draft.today, 'past').map(({ first }) => first);
  const compact = plain.replaceAll(/[^a-z0-9]/g, '');
  return told.some(({ value, topic }) =>
    topic === 'date-of-birth'
      ? days.includes(value)
      : value.length >= 4 &&
        compact.includes(value.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) &&
        contentWords(plain).length <= 5,
  );
}

/** What nobody has asked us to agree to. */
const sale =
  /\b(?:buy|purchase|charge|subscri\w+|donat\w+|enroll?|upgrade|join|sign (?:you |her |him |them |the patient )?up|card number|(?:credit|debit) card|survey|newsletter)\b/;

export const noThanks = 'No, thank you.';

/** Questions that no rule knows: offers are taken, spelling is done, for anything else we have no information. */
export function answerOtherQuestions(draft: TurnDraft, heard: Heard): boolean {
  if (heard.sentences.some(({ plain }) => /\bspell(?:ed|ing)?\b/.test(plain)) && spellLastTold(draft))
    return true;
  if (heard.signals.has('small-talk')) {
    draft.aside("I'm fine, thank you.");
    return false;
  }
  if (heard.offers.length > 0 && !heard.signals.has('anything-else')) {
    const isSale = heard.offers.some(({ plain }) => sale.test(plain));
    draft.aside(isSale ? noThanks : 'Yes, please.');
    return true;
  }
  const [question] = heard.otherQuestions;
  if (question === undefined) return false;
  if (echoesTold(draft, question)) {
    draft.aside("Yes, that's correct.");
    return true;
  }
  const extra = extraFactSentence(draft.plan, question.plain);
  if (extra !== null) {
    draft.say(extra.text, extra.discloses);
    return true;
  }
  const isAboutTime =
    /\b(?:weeks?|days?|months?|mornings?|afternoons?|evenings?|dates?|times?|early|late|soon|\w+day)\b/.test(
      question.plain,
    );
  if (draft.plan.task_type === 'SCHEDULE_APPOINTMENT' && !draft.memory.scheduling.booked && isAboutTime) {
    const fields = draft.plan.facts.filter(({ topic }) => topic === 'timeframe').map(({ field }) => field);
    draft.say(availabilitySentence(draft.plan), fields);
    return true;
  }
  sayUnknown(draft, '', question.plain);
  draft.followUp(`They asked: "${question.text}"`);
  return true;
}
