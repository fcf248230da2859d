import { introducedName } from '../language/names.ts';
import { takesBack } from '../language/polarity.ts';
import type { Sentence } from '../language/text.ts';
import { isAnnouncement } from './announcements.ts';
import { isEmptyTalk, isPreamble, salesTalkIn } from './answers/chatter.ts';
import { breaksOff } from './broken-off.ts';
import { isEcho } from './echoes.ts';
import { answerQuestions } from './fact-answers.ts';
import { isLedAstray, stayOnTask } from './leading-astray.ts';
import { handleLineEvent } from './line-events.ts';
import type { Memory } from './memory.ts';
import { availabilitySentence, notice, openingWords, reachQuestion } from './phrasing.ts';
import { askNext, proceedWithQuestions } from './questioning.ts';
import { proceedWithScheduling } from './scheduling.ts';
import { noThanks, repeatLast, sayWaiting, wantsRepetition } from './side-talk.ts';
import type { TurnDraft } from './turn-draft.ts';
import { type Heard, understand } from './understanding.ts';
import { agreesToBeRightPlace, offersBusiness, presentsAsRightPlace } from './whom-we-reached.ts';

/** No conversation is longer than this, whatever is said. */
const maxTurns = 70;
/** How often we ask whom we have reached before we leave them in peace. */
const maxReachQuestions = 5;

/** The first words, spoken as soon as the line is open. */
export function open(draft: TurnDraft): void {
  draft.memory.notice_heard = true;
  draft.say(openingWords(), [], 'notice');
}

/** Decides what to do about what was heard. */
export function respond(draft: TurnDraft, heard: Heard): void {
  if (draft.memory.turns >= maxTurns) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  if (heard.sentences.length === 0) {
    if (isAnnouncement(heard)) draft.wait();
    return;
  }
  if (breaksOff(heard)) {
    draft.memory.unfinished = { text: heard.said, turn: heard.turn };
    return;
  }
  const name = introducedName(heard.said);
  if (name !== null) draft.meet(name);
  // A recording names the place as well; whoever answers is asked first.
  const mayBeRecording = draft.listener === 'machine' || heard.signals.has('voicemail');
  if (!mayBeRecording && presentsAsRightPlace(heard, draft.plan.callee)) draft.memory.reached = true;
  if (handleLineEvent(draft, heard)) return;
  if (isLedAstray(heard)) {
    stayOnTask(draft);
    return;
  }
  draft.memory.astray = 0;
  if (!wantsRepetition(heard)) draft.memory.repeats = 0;
  if (!draft.memory.purpose_said || !draft.memory.reached) {
    introduce(draft, heard);
    return;
  }
  if (declinesSale(draft, heard)) return;
  if (saysWhatWasCut(draft, heard) || isMurmur(draft, heard) || isTakenBack(draft, heard)) return;
  const isMachineQuestion = heard.questions.some(({ topic }) => topic === 'caller-is-machine');
  if (isMachineQuestion && heard.questions.length === 1 && heard.statements.length === 0) {
    answerQuestions(draft, heard.questions);
    return;
  }
  proceed(draft, heard);
}

/** Things to buy are declined, whatever is asked for them; the rest of what was said counts. */
function declinesSale(draft: TurnDraft, heard: Heard): boolean {
  const { plan, memory } = draft;
  // Who calls about such a thing wants to hear of it.
  if (plan.items.some(({ question }) => aboutSales.test(question.toLowerCase()))) return false;
  const goesOn = memory.last_words.some(({ text }) => text === noThanks);
  const sold = salesTalkIn(heard.sentences, goesOn);
  if (sold.length === 0) return false;
  draft.aside(noThanks);
  const rest = without(heard, sold);
  if (!rest.sentences.every(isEmptyTalk)) proceed(draft, rest);
  return true;
}

const aboutSales =
  /\b(?:club|memberships?|discounts?|promotions?|programs?|newsletter|rewards?|sign up|enroll\w*)\b/;

/** What was heard, without some of its sentences. */
function without(heard: Heard, left: readonly Sentence[]): Heard {
  const stays = (sentence: Sentence): boolean => !left.includes(sentence);
  const sentences = heard.sentences.filter(stays);
  return {
    ...heard,
    sentences,
    reply: { ...heard.reply, sentences },
    statements: heard.statements.filter(stays),
    questions: heard.questions.filter(({ sentence }) => stays(sentence)),
    otherQuestions: heard.otherQuestions.filter(stays),
    offers: heard.offers.filter(stays),
  };
}

function proceed(draft: TurnDraft, heard: Heard): void {
  if (draft.plan.task_type === 'SCHEDULE_APPOINTMENT') proceedWithScheduling(draft, heard);
  else proceedWithQuestions(draft, heard);
}

/** Somebody new on the line: who calls, whom we have reached, and why we call; in that order, and no fact before the second. */
function introduce(draft: TurnDraft, heard: Heard): void {
  const { memory, plan } = draft;
  const asksWhatItIs = heard.sentences.some(({ plain }) => /\bwhat(?:'s| is) (?:it|this)\b/.test(plain));
  if (
    wantsRepetition(heard) &&
    !asksWhatItIs &&
    !isMereGreeting(heard) &&
    memory.last_said !== '' &&
    memory.notice_heard
  ) {
    repeatLast(draft);
    return;
  }
  if (heard.endsInHold) {
    sayWaiting(draft);
    return;
  }
  if (!memory.reached && !isReached(draft, heard)) {
    askWhomWeReached(draft, heard);
    return;
  }
  // What they offer at once is taken up at once.
  const goesOn = memory.reach_asked > 0 && memory.notice_heard && memory.owed === null;
  memory.reached = true;
  if (
    goesOn &&
    plan.callee === 'clinic' &&
    offersBusiness(heard, plan.callee) &&
    !heard.signals.has('offer-to-help')
  ) {
    memory.purpose_said = true;
    proceed(draft, heard);
    return;
  }
  const owed = memory.owed === null ? null : understand(memory.owed, heard.turn, draft.today);
  memory.owed = null;
  sayPurpose(draft, heard, owed);
}

function isReached({ memory, plan }: TurnDraft, heard: Heard): boolean {
  if (memory.reach_asked === 0) return false;
  return agreesToBeRightPlace(heard, plan.callee);
}

/** What it is about, without any fact, and whether this is the place for it. Facts that are asked for wait until then. */
function askWhomWeReached(draft: TurnDraft, heard: Heard): void {
  const { memory, plan } = draft;
  if (memory.reach_asked >= maxReachQuestions) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  sayNotice(draft);
  const asksWho = heard.questions.some(({ topic }) => topic.startsWith('caller') || topic === 'facility');
  if (asksWho && memory.notice_heard)
    draft.say('I am an automated assistant, calling on behalf of a patient.');
  if (heard.questions.some(({ topic }) => !topic.startsWith('caller'))) {
    memory.owed = heard.said;
    draft.say('First, to be sure:');
  }
  const isPuzzled = heard.signals.has('offer-to-help') || heard.signals.has('repeat') || asksWho;
  if (memory.reach_asked === 0 || isPuzzled) draft.say(`I am calling ${plan.subject}.`);
  else if (heard.questions.length === 0) draft.say('I would just like to know:');
  memory.reach_asked += 1;
  draft.say(reachQuestion(plan), [], 'reach');
}

/** The notice for whoever has not heard it: after a machine, a transfer, or when it was cut off. */
function sayNotice(draft: TurnDraft): void {
  if (draft.memory.notice_heard) return;
  draft.say(notice, [], 'notice');
  draft.memory.notice_heard = true;
}

/** Why we call, and to whom we say it by name if we know it; what they have asked meanwhile is answered as well. */
function sayPurpose(draft: TurnDraft, heard: Heard, owed: Heard | null): void {
  const { plan, memory } = draft;
  const isNew = !memory.notice_heard;
  sayNotice(draft);
  memory.purpose_said = true;
  const facts = [...heard.questions, ...(owed?.questions ?? [])].filter(
    ({ topic }, index, all) =>
      topic !== 'visit-reason' &&
      topic !== 'timeframe' &&
      topic !== 'service' &&
      all.findIndex((other) => other.topic === topic) === index &&
      !(isNew && topic.startsWith('caller')),
  );
  const aboutUs = facts.filter(({ topic }) => topic.startsWith('caller'));
  if (facts.length > aboutUs.length) {
    // Somebody who asks for facts at once is told the matter with them.
    if (isNew) draft.say(plan.purpose.text, plan.purpose.discloses, 'purpose');
    answerQuestions(draft, facts);
    // The opening has told what it is about; only somebody who got nothing else needs to hear it again.
    if (draft.memory.last_told.length > 0 || draft.isOver) return;
  } else if (aboutUs.length > 0) answerQuestions(draft, aboutUs);
  const greeting = draft.person === null || draft.hasSpoken ? '' : `Hello ${firstName(draft.person)}. `;
  const purpose = `${greeting}${plan.purpose.text}`;
  // Somebody new in the middle of the matter is told it, and asked what is still open.
  switch (plan.callee) {
    case 'clinic': {
      draft.say(purpose, plan.purpose.discloses, 'purpose');
      sayWishes(draft);
      return;
    }
    case 'office':
      draft.say(purpose, plan.purpose.discloses, 'purpose');
      askNext(draft, null);
      return;
    case 'insurer':
    case 'claims-department':
      draft.say(`${purpose} Can you help me with that?`, plan.purpose.discloses, 'purpose');
      memory.pending = null;
  }
}

function sayWishes(draft: TurnDraft): void {
  const { plan, memory } = draft;
  const wishes = plan.time_wishes.text === null ? '' : `${availabilitySentence(plan)} `;
  const fields =
    wishes === '' ? [] : plan.facts.filter(({ topic }) => topic === 'timeframe').map(({ field }) => field);
  draft.say(`${wishes}${draft.item('appointment_time')?.question ?? ''}`.trim(), fields);
  memory.pending = 'appointment_time';
}

/** Somebody who cut us off and then only murmurs is told what they have not heard. */
function saysWhatWasCut(draft: TurnDraft, heard: Heard): boolean {
  const { cut } = draft.memory;
  if (cut === null) return false;
  const says =
    (heard.statements.length > 0 && !goOn.test(heard.sentences.map(({ plain }) => plain).join(' '))) ||
    heard.questions.length > 0 ||
    heard.otherQuestions.length > 0 ||
    heard.endsInHold ||
    heard.signals.has('repeat') ||
    heard.signals.has('goodbye') ||
    heard.polarity === 'no';
  if (says) return false;
  for (const { text, fields, kind } of cut.pieces) draft.say(text, fields, kind);
  return cut.pieces.length > 0;
}

/** Words that only tell us to go on. */
const goOn =
  /^(?:(?:yes|yeah|yep|yup|uh-?huh|mm-?hmm?|okay|ok|right|sure|alright|all right|got it|i (?:got|know|have|heard) (?:that|it|this)(?: part| already| bit)?|go (?:on|ahead)|continue|keep going|please|and|so|sorry|carry on|i see|fine|i'm listening)[,.! ]*)+$/;

/** How many interjections in a row are let pass. */
const maxMurmurs = 2;

/** "Well, darn.": somebody who talks to themselves will go on; the question is not put again at once. */
function isMurmur(draft: TurnDraft, heard: Heard): boolean {
  const { memory } = draft;
  const plain = heard.sentences.map((sentence) => sentence.plain).join(' ');
  const isReadBack = heard.sentences.some((sentence) => isEcho(draft, sentence));
  const onlyEchoes = isReadBack && heard.statements.every((sentence) => isEcho(draft, sentence));
  if (isIntroduction(heard)) return true;
  const goesOn =
    isMurmuring(plain) ||
    explains(draft, heard) ||
    (hasOnlyTold(memory) && (noted.test(plain) || (isHum(heard) && !awaitsBooking(memory)))) ||
    (onlyEchoes &&
      heard.questions.length === 0 &&
      !heard.signals.has('offer-to-help') &&
      !heard.endsInHold &&
      heard.sentences.every(({ isQuestion }) => !isQuestion));
  // "Right" after a read-back is the answer to it.
  const isAwaited = memory.pending === 'read-back' && heard.polarity !== null;
  if (!goesOn || isAwaited || memory.murmurs >= maxMurmurs) {
    memory.murmurs = 0;
    return false;
  }
  memory.murmurs += 1;
  return true;
}

/**
 * "A first visit here is always with a nurse.": a scheduling desk that tells how things are done, after we asked for
 * openings, has not come to them yet.
 */
function explains({ plan, memory }: TurnDraft, heard: Heard): boolean {
  return (
    plan.callee === 'clinic' &&
    memory.pending === 'appointment_time' &&
    memory.scheduling.chosen === null &&
    heard.statements.length > 0 &&
    heard.questions.length === 0 &&
    !heard.endsInHold &&
    !heard.doesNotTell &&
    [...heard.signals].every((signal) => signal === 'thanks') &&
    heard.sentences.every(({ plain, isQuestion }) => !isQuestion && describes.test(plain))
  );
}

const describes =
  /^(?:(?:so|and|now|okay|as you (?:may |might )?know|just so you know|of course|certainly|usually|normally|generally|also|then)[, ]+)*(?:a|an|the|our|your|all|every|most|each|new|it|this|that|these|those|we|you|he|she|they|i) (?:(?!\b(?:have|has|got|do|can|could|don't|can't|won't|cannot|sorry|afraid|booked|full|closed|opening|available|see)\b)[a-z' ,-])+[.!]?$/;

/** "Done" is what we wait for. */
function awaitsBooking({ scheduling }: Memory): boolean {
  return scheduling.chosen !== null && !scheduling.booked;
}

/** "Yep, matches.": nothing that calls for a word of ours. */
function isHum({ sentences, signals, questions, otherQuestions }: Heard): boolean {
  if (questions.length > 0 || otherQuestions.length > 0) return false;
  const callsForUs = ['offer-to-help', 'anything-else', 'still-there', 'repeat', 'goodbye', 'hold'] as const;
  return sentences.every(isEmptyTalk) && !callsForUs.some((signal) => signals.has(signal));
}

/** "Let me explain how this works.": whoever announces what comes goes on by themselves. */
function isIntroduction({ sentences, endsInHold }: Heard): boolean {
  return !endsInHold && sentences.every(isEmptyTalk) && sentences.some(({ plain }) => isPreamble(plain));
}

/** "No, wait, that's the last patient's": what was said last no longer counts, and the right one is still to come. */
function isTakenBack(draft: TurnDraft, heard: Heard): boolean {
  const { memory } = draft;
  const key = memory.last_answered;
  const item = key === null ? undefined : draft.item(key);
  if (
    item === undefined ||
    !draft.answers.has(item.key) ||
    typeof draft.answers.get(item.key)?.value === 'boolean'
  )
    return false;
  const takes = heard.sentences.some(({ plain }) => takesBack(plain));
  if (!takes || heard.questions.length > 0 || heard.sentences.some(({ plain }) => /\d/.test(plain)))
    return false;
  draft.retract(item.key);
  memory.closed = memory.closed.filter((closed) => closed !== item.key);
  memory.pending = item.key;
  draft.say('No problem. What is the right one, please?');
  return true;
}

/** Our last words told facts and asked nothing: the next step is theirs. */
function hasOnlyTold({ last_words: words }: Memory): boolean {
  return words.some(({ fields }) => fields.length > 0) && !words.some(({ text }) => text.includes('?'));
}

/** "Okay, thank you, I'm putting that down." */
const noted =
  /^(?:(?:thank(?:s| you)(?: so much| very much)?|okay|ok|got it|gotcha|all right|alright|great|perfect|i see|fine|noted|right|wonderful|excellent|lovely|good|mm-?hmm?|uh-?huh|and|very|that's (?:fine|good|okay)|(?:i(?:'m| am)|i'll) (?:just )?(?:putting|put|typing|type|writing|write|noting|note|entering) (?:that|it|this)(?: (?:down|in))?|i(?:'ve| have)? (?:got|have|noted|wrote|put) (?:that|it|this)(?: (?:down|in))?)[,.!… ]*)+$/;

/** Interjections by the word, so that any number of them is judged in one pass. */
const interjections = new Set(
  "okey dokey alrighty righty right so well darn shoot dang oh my dear boy gosh hm hmm aha ah gotcha goodness oops whoops nothing there now and mercy wow interesting let's me then anyway anyhow where was i hang tight here".split(
    ' ',
  ),
);

function isMurmuring(plain: string): boolean {
  const words = plain.split(/[^a-z']/).filter((word) => word !== '');
  return words.length > 0 && words.every((word) => interjections.has(word));
}

/** "Hello?" right after picking up is a greeting, not a complaint about silence. */
function isMereGreeting({ signals }: Heard): boolean {
  return signals.has('still-there') && !signals.has('repeat');
}

function firstName(name: string): string {
  const [first = name, second] = name.split(' ');
  return /^(?:Dr|Mr|Mrs|Ms|Doctor|Nurse)\.?$/.test(first) && second !== undefined ? name : first;
}
