import { introducedName } from '../language/names.ts';
import { isAnnouncement } from './announcements.ts';
import { retellLast } from './fact-answers.ts';
import { isMailbox } from './mailbox.ts';
import { enterRequestedDigits, handleMenu, meetMachine } from './menu.ts';
import { deskName } from './phrasing.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';
import {
  agreesToBeRightPlace,
  deniesToBeRightPlace,
  handsOver,
  isOtherDepartment,
  presentsAsRightPlace,
} from './whom-we-reached.ts';

/**
 * Reacts to what happens on the line regardless of the task: machines, hold music, wrong numbers, refusals, being passed
 * on. Returns whether the turn is decided by it.
 */
export function handleLineEvent(draft: TurnDraft, heard: Heard): boolean {
  if (handleMachine(draft, heard)) return true;
  const { signals, sentences } = heard;
  const { memory } = draft;
  if (handleUnwilling(draft, heard)) return true;
  if (isWrongNumber(draft, heard)) {
    draft.end('wrong-number', 'wrong-number');
    return true;
  }
  if (signals.has('wrong-number') && !heard.isCorrection && retellLast(draft)) return true;
  if (wantsLaterCall(heard)) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    draft.end('call-again', 'call-again');
    return true;
  }
  if (signals.has('transfer') || handsOver(heard)) {
    memory.line = 'transfer';
    draft.aside(
      sentences.some(({ isQuestion }) => isQuestion) ? 'Yes, please. Thank you.' : 'Thank you, I will wait.',
    );
    draft.wait();
    return true;
  }
  noticeNewPerson(draft, heard);
  if (isOtherDepartment(heard, draft.plan.callee)) return askForTransfer(draft);
  return false;
}

function handleMachine(draft: TurnDraft, heard: Heard): boolean {
  if (handleMenu(draft, heard) || enterRequestedDigits(draft, heard)) return true;
  if (isMailbox(heard, draft.listener)) return handleVoicemail(draft, heard);
  if (isAnnouncement(heard)) {
    if (saysClosed(heard)) {
      draft.followUp(`They said: "${heard.said.trim()}"`);
      draft.end('call-again', 'call-again');
      return true;
    }
    // Nobody listens: silence, until somebody speaks, to whom all is told anew.
    meetMachine(draft);
    draft.wait();
    return true;
  }
  return false;
}

/** A recording that tells to call at another time. */
function saysClosed({ sentences }: Heard): boolean {
  return sentences.some(({ plain }) =>
    /\b(?:(?:is|are) (?:currently|now|presently) closed|closed (?:for the (?:day|holiday|weekend|night)|at this time|right now|today)|call (?:us )?(?:back|again) (?:during|tomorrow|on|when)|reached us (?:after|outside))\b/.test(
      plain,
    ),
  );
}

/** Those who will not speak with us, now or ever. */
function handleUnwilling(draft: TurnDraft, heard: Heard): boolean {
  const { signals } = heard;
  const { memory } = draft;
  if (signals.has('opt-out')) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    draft.end('opted-out', 'refused');
    return true;
  }
  const stillWantsHuman = memory.human_wanted && (signals.has('wants-human') || isPlainNo(heard));
  if (signals.has('refusal') || stillWantsHuman) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    if (stillWantsHuman) draft.followUp('They would rather speak with a person.');
    draft.end('refused', 'refused');
    return true;
  }
  if (signals.has('wants-human')) {
    memory.human_wanted = true;
    draft.say(
      'I am an automated assistant, so I cannot put a person on, but I can pass on any question of yours. May I go on?',
    );
    return true;
  }
  return false;
}

function isPlainNo({ polarity, statements, questions }: Heard): boolean {
  return polarity === 'no' && questions.length === 0 && statements.length <= 1;
}

function isWrongNumber(draft: TurnDraft, heard: Heard): boolean {
  const { memory } = draft;
  const said = heard.sentences.map(({ plain }) => plain).join(' ');
  if (heard.signals.has('wrong-department')) return false;
  if (heard.signals.has('wrong-number')) {
    // "That's the wrong number, I have 5512" is said of a number that we gave.
    return (
      !memory.reached ||
      (!/\b(?:i|we) (?:gave|told|read|said|have|had|got|was|misread)\b/.test(said) &&
        /\b(?:you(?:'ve|'re| have| must have| probably)?(?: \w+){0,2} (?:the |a )?wrong|private|home|house|residence|misdial\w*|dialed|here)\b/.test(
          said,
        ))
    );
  }
  const wasAsked = !memory.reached && memory.reach_asked > 0;
  // "That's us. No, I only do the mail, I'll get you somebody": it is the right place all the same.
  const isRightPlace = heard.signals.has('transfer') || agreesToBeRightPlace(heard, draft.plan.callee);
  return (
    wasAsked && !isRightPlace && deniesToBeRightPlace(heard) && !isOtherDepartment(heard, draft.plan.callee)
  );
}

function handleVoicemail(draft: TurnDraft, heard: Heard): boolean {
  // "Would you like to leave a message?" is asked by a person.
  const isOffered = heard.sentences.some(
    ({ isQuestion, plain }) => isQuestion && /\bmessage|voice ?mail\b/.test(plain),
  );
  if (isOffered) draft.end('call-again', 'call-again');
  else draft.end('voicemail', 'voicemail');
  return true;
}

/** After a machine or a transfer anybody may come on; after a hold, somebody with another name may. */
function noticeNewPerson(draft: TurnDraft, heard: Heard): void {
  const { memory } = draft;
  const name = introducedName(heard.said);
  const before = draft.personBefore;
  const isOther = name !== null && before !== null && name !== before && isGreeting(heard);
  const cameOn =
    memory.line === 'transfer' ||
    (memory.line === 'held' && name !== null && name !== before && isGreeting(heard));
  if ((cameOn && !heard.endsInHold && (name !== null || isGreeting(heard))) || isOther) {
    memory.notice_heard = false;
    memory.purpose_said = false;
    // Somebody else may have no right to what was told before.
    memory.reached = !heard.signals.has('voicemail') && presentsAsRightPlace(heard, draft.plan.callee);
  }
  if (!heard.endsInHold) memory.line = 'open';
}

function isGreeting({ said, signals, sentences }: Heard): boolean {
  return (
    introducedName(said) !== null ||
    signals.has('offer-to-help') ||
    sentences.some(({ plain }) =>
      /^(?:hello|hi|good (?:morning|afternoon|evening)|thank(?:s| you) for (?:holding|calling|waiting))/.test(
        plain,
      ),
    )
  );
}

/** Somebody of the right place who cannot help: the way to who can. */
function askForTransfer(draft: TurnDraft): boolean {
  const { memory } = draft;
  if (memory.pleaded) return false;
  memory.pleaded = true;
  memory.reached = true;
  const notice = memory.notice_heard
    ? ''
    : 'Hello, this is an automated assistant calling on behalf of a patient. This call is recorded. ';
  memory.notice_heard = true;
  draft.say(
    `${notice}I am calling ${draft.plan.subject}. Could you transfer me to ${deskName(draft.plan)}, please?`,
    [],
    'notice',
  );
  return true;
}

/** Asked to call at another time, unless they only tell when they can be reached with further questions. */
function wantsLaterCall({ signals, sentences, questions, statements }: Heard): boolean {
  if (!signals.has('call-again') || questions.length > 0) return false;
  // "Call back when you have it" asks for what nobody has.
  if (signals.has('cannot-go-on') || signals.has('needs-principal')) return false;
  const wishes = sentences.filter(({ plain }) =>
    /\b(?:call|try|ring)\b|closed|down\b|offline|good time|bad time|no ?(?:one|body)|not in|out |lunch|gone|back|busy/.test(
      plain,
    ),
  );
  const onlyInCase = wishes.every(({ plain }) =>
    /\b(?:if (?:you|anything|there|they|she|he)|any (?:questions|problems)|should you|in case|feel free|need anything|to cancel|to reschedule)\b/.test(
      plain,
    ),
  );
  if (onlyInCase) return false;
  // Offers or figures in the same breath show that the call goes on.
  return !statements.some(({ plain }) => /[$%]|\b(?:i have|we have) (?:an?|the|\w+day)\b.*\d/.test(plain));
}
