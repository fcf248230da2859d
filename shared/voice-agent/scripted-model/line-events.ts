import { introducedName } from '../language/names.ts';
import { chooseMenuKey, enterRequestedDigits } from './menu.ts';
import { reintroduction } from './phrasing.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/**
 * Reacts to what happens on the line regardless of the task: machines, hold music, wrong numbers, refusals, being passed
 * on. Returns whether the turn is decided by it.
 */
export function handleLineEvent(draft: TurnDraft, heard: Heard): boolean {
  const { signals, sentences } = heard;
  const menuKey = chooseMenuKey(sentences, draft.plan);
  if (menuKey !== null) {
    if (menuKey !== '') draft.press(menuKey);
    return true;
  }
  if (enterRequestedDigits(draft, sentences)) return true;
  if (signals.has('voicemail')) return handleVoicemail(draft, heard);
  if (signals.has('hold-message') && !isPerson(heard)) {
    // Nobody listens: silence, until somebody speaks, to whom all is told anew.
    draft.memory.transferring = draft.memory.purpose_said;
    return true;
  }
  if (signals.has('refusal')) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    draft.end('refused', 'refused');
    return true;
  }
  if (signals.has('wrong-number') && !signals.has('wrong-department')) {
    draft.end('wrong-number', 'wrong-number');
    return true;
  }
  if (wantsLaterCall(heard)) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    draft.end('call-again', 'call-again');
    return true;
  }
  if (signals.has('transfer') && !draft.memory.transferring) {
    draft.memory.transferring = true;
    draft.say(
      sentences.some(({ isQuestion }) => isQuestion) ? 'Yes, please. Thank you.' : 'Thank you, I will wait.',
    );
    return true;
  }
  if (draft.memory.transferring && !heard.endsInHold) {
    draft.memory.transferring = false;
    if (isGreeting(heard)) {
      draft.memory.purpose_said = true;
      draft.memory.pending = null;
      draft.say(reintroduction(draft.plan), draft.plan.purpose.discloses);
      return true;
    }
  }
  return false;
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

function isPerson({ said, signals, questions, sentences }: Heard): boolean {
  return (
    introducedName(said) !== null ||
    questions.length > 0 ||
    signals.has('offer-to-help') ||
    sentences.some(({ isQuestion }) => isQuestion)
  );
}

function isGreeting({ said, signals, sentences }: Heard): boolean {
  return (
    introducedName(said) !== null ||
    signals.has('offer-to-help') ||
    sentences.some(({ plain }) =>
      /^(?:hello|hi|good (?:morning|afternoon)|thank you for (?:holding|calling))/.test(plain),
    )
  );
}

/** Asked to call at another time, unless they only tell when they can be reached with further questions. */
function wantsLaterCall({ signals, sentences, questions, statements }: Heard): boolean {
  if (!signals.has('call-again') || questions.length > 0) return false;
  const wishes = sentences.filter(({ plain }) =>
    /\b(?:call|try|ring)\b|closed|down\b|offline|good time|bad time|no ?(?:one|body)|not in|out |lunch|gone|back/.test(
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
