import { introducedName } from '../language/names.ts';
import { answerQuestions } from './fact-answers.ts';
import { handleLineEvent } from './line-events.ts';
import { availabilitySentence, openingWords } from './phrasing.ts';
import { askNext, proceedWithQuestions } from './questioning.ts';
import { proceedWithScheduling } from './scheduling.ts';
import { repeatLast, sayWaiting, wantsRepetition } from './side-talk.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/** No conversation is longer than this, whatever is said. */
const maxTurns = 70;

/** The first words, spoken as soon as the line is open. */
export function open(draft: TurnDraft): void {
  draft.say(openingWords(draft.plan));
}

/** Decides what to do about what was heard. */
export function respond(draft: TurnDraft, heard: Heard): void {
  if (draft.memory.turns >= maxTurns) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  if (heard.sentences.length === 0) return;
  const name = introducedName(heard.said);
  if (name !== null) draft.meet(name);
  if (handleLineEvent(draft, heard)) return;
  if (!wantsRepetition(heard)) draft.memory.repeats = 0;
  const isMachineQuestion = heard.questions.some(({ topic }) => topic === 'caller-is-machine');
  if (!draft.memory.purpose_said) {
    introduce(draft, heard);
    return;
  }
  if (isMachineQuestion && heard.questions.length === 1 && heard.statements.length === 0) {
    answerQuestions(draft, heard.questions);
    return;
  }
  if (draft.plan.task_type === 'SCHEDULE_APPOINTMENT') proceedWithScheduling(draft, heard);
  else proceedWithQuestions(draft, heard);
}

/** The first reply: says why we call, and to whom we say it by name if we know it. */
function introduce(draft: TurnDraft, heard: Heard): void {
  const { plan, memory } = draft;
  if (wantsRepetition(heard) && !isMereGreeting(heard)) {
    repeatLast(draft);
    return;
  }
  if (heard.endsInHold) {
    sayWaiting(draft);
    return;
  }
  memory.purpose_said = true;
  const facts = heard.questions.filter(
    ({ topic }) => topic !== 'visit-reason' && topic !== 'timeframe' && topic !== 'service',
  );
  const aboutUs = facts.filter(({ topic }) => topic.startsWith('caller'));
  if (facts.length > aboutUs.length) {
    answerQuestions(draft, facts);
    // The opening has told what it is about; only somebody who got nothing else needs to hear it again.
    if (draft.memory.last_told.length > 0 || draft.isOver) return;
  } else if (aboutUs.length > 0) answerQuestions(draft, aboutUs);
  const greeting = draft.person === null || draft.hasSpoken ? '' : `Hello ${firstName(draft.person)}. `;
  const purpose = `${greeting}${plan.purpose.text}`;
  switch (plan.callee) {
    case 'clinic': {
      const wishes = plan.time_wishes.text === null ? '' : ` ${availabilitySentence(plan)}`;
      const fields =
        wishes === ''
          ? []
          : plan.facts.filter(({ topic }) => topic === 'timeframe').map(({ field }) => field);
      draft.say(`${purpose}${wishes} ${draft.item('appointment_time')?.question ?? ''}`.trim(), [
        ...plan.purpose.discloses,
        ...fields,
      ]);
      memory.pending = 'appointment_time';
      return;
    }
    case 'office':
      draft.say(purpose, plan.purpose.discloses);
      askNext(draft, null);
      return;
    case 'insurer':
    case 'claims-department':
      draft.say(`${purpose} Can you help me with that?`, plan.purpose.discloses);
  }
}

/** "Hello?" right after picking up is a greeting, not a complaint about silence. */
function isMereGreeting({ signals }: Heard): boolean {
  return signals.has('still-there') && !signals.has('repeat');
}

function firstName(name: string): string {
  const [first = name, second] = name.split(' ');
  return /^(?:Dr|Mr|Mrs|Ms|Doctor|Nurse)\.?$/.test(first) && second !== undefined ? name : first;
}
