import { requestsMessage } from '../core/possible-recording.ts';
import menus from '../language/en-US/menu-choices.json' with { type: 'json' };
import { type Heard, likelihood, understand } from '../understanding/understand.ts';
import { enterRequested } from './keyed-entries.ts';
import type { MenuChoice } from './memory.ts';
import { choicesIn, sayableIn } from './menu-choices.ts';
import { askForPerson, choose, first, sayInMenu, wantedTiers } from './menu-choosing.ts';
import {
  addressesUs,
  endsGreeting,
  goesOn,
  isAnnouncement,
  isClosedRecording,
  isMailbox,
  isPersonSpeaking,
  type LineState,
  offersMessage,
  onlyRepeats,
  promisesCall,
} from './recordings.ts';
import type { TurnDraft } from './turn-draft.ts';
import { holdsAny, plainWords } from './words.ts';

/** Handles machines: menus, entries, mailboxes, recordings, music. Returns whether the words were a machine's. */
export function handleMachine(draft: TurnDraft, heard: Heard): boolean {
  const state = lineState(draft);
  if (offersMessage(heard)) return declineMessage(draft, heard);
  const isClosed = isClosedRecording(heard, state);
  const isOnlyClosed = isClosed && onlyRepeats(heard);
  if (!isOnlyClosed && isGreeting(draft, heard, state)) return atMailbox(draft, heard);
  if (
    !isOnlyClosed &&
    (enterRequested(draft, heard) || handleMenu(draft, heard, state) || handleSpokenMenu(draft, heard))
  ) {
    meetMachine(draft);
    return true;
  }
  if (draft.memory.line === 'mailbox' && !addressesUs(heard)) return atMailbox(draft, heard);
  if (isClosed)
    return draft.memory.has_replied || asksForCall(heard)
      ? endAtAbsence(draft, heard.said)
      : noteAbsence(draft, heard);
  if (!isAnnouncement(heard, state) && !goesOn(heard, state)) return false;
  meetMachine(draft);
  draft.wait();
  return true;
}

/** The words of a mailbox: alone, as the last request of what replies to nothing of ours, or all of that together. */
function isGreeting(draft: TurnDraft, heard: Heard, state: LineState): boolean {
  if (isMailbox(heard, state)) return true;
  const { memory, view, today } = draft;
  if (memory.has_replied || memory.prompts === 1) return false;
  const whole = understand([...view.earlier, heard.said].join(' '), heard.turn, { today, after: 'opening' });
  return requestsMessage(heard) || promisesCall(heard) || isMailbox(whole, { ...state, isTalking: false });
}

/** A message is left behind the tone, so until the greeting asks for one, or falls silent, we say nothing. */
function atMailbox(draft: TurnDraft, heard: Heard): true {
  if (endsGreeting(heard.moves) || promisesCall(heard)) draft.end('voicemail', 'voicemail');
  else draft.memory.line = 'mailbox';
  return true;
}

/** Whoever answered may be a mailbox that has not come to its last request. */
export function mayBeGreeting({ memory, view }: Pick<TurnDraft, 'memory' | 'view'>): boolean {
  return !memory.has_replied && (view.party.may_be_recording === true || view.listener === 'machine');
}

/** "Please call back during business hours": no message is taken. */
function asksForCall({ tokens }: Heard): boolean {
  return holdsAny(plainWords(tokens), menus.callAgain) || choicesIn(tokens).length > 0;
}

/** "We're closed until Monday": it may take messages, too. */
export function noteAbsence(draft: TurnDraft, { said }: Heard): true {
  draft.memory.absence ??= said;
  draft.memory.line = 'mailbox';
  return true;
}

/** The greeting is over without a request for a message. */
export function endAfterGreeting(draft: TurnDraft): void {
  const { absence } = draft.memory;
  if (absence === null) draft.end('voicemail', 'voicemail');
  else endAtAbsence(draft, absence);
}

function endAtAbsence(draft: TurnDraft, said: string): true {
  draft.followUp(`A recording said: "${said.trim()}"`);
  draft.end('call-again', 'call-again');
  return true;
}

/** A partial menu has ended: takes the best choice so far. Returns whether there was one. */
export function handleMachineSilence(draft: TurnDraft): boolean {
  const { menu, line } = draft.memory;
  if (line !== 'machine' || menu.choices.length === 0 || menu.is_answered) return false;
  choose(draft, { isOver: true, isEnd: true, isRetry: false, isWrongBranch: false });
  return true;
}

function lineState({ memory, view }: TurnDraft): LineState {
  const isMachine = memory.line === 'machine';
  const hasAnswered = memory.purpose_said || view.party.person !== null;
  return {
    listener: view.listener,
    isMachine,
    isTalking: !isMachine && view.party.status === 'verified' && hasAnswered,
  };
}

/** A person who joins after a machine has not heard the reason. */
function meetMachine({ memory }: TurnDraft): void {
  memory.line = 'machine';
  memory.purpose_said = false;
  memory.pending = null;
  memory.obstacles = {};
}

/** A person offers to take a message: the call needs a conversation. */
function declineMessage(draft: TurnDraft, { said, turn }: Heard): boolean {
  const { attempts } = draft.memory;
  attempts.message = (attempts.message ?? 0) + 1;
  if (attempts.message > 1) {
    draft.obstacle('call_back_at', said.trim(), turn);
    draft.end('call-again', 'call-again');
    return true;
  }
  draft.say('No, thank you, I cannot leave a message. Is there anybody else who could help me now?', {
    kind: 'question',
  });
  return true;
}

function handleMenu(draft: TurnDraft, heard: Heard, { isTalking }: LineState): boolean {
  const choices = choicesIn(heard.tokens);
  if (choices.length === 0 || !isMenu(heard, choices, isTalking)) return false;
  const { menu } = draft.memory;
  const words = plainWords(heard.tokens);
  const isSame = choices.some(({ text }) => menu.choices.some((known) => known.text === text));
  const others = menu.choices.filter(({ key }) => !choices.some((choice) => choice.key === key));
  const wasRead = isSame && !menu.is_answered;
  const isRetry = isSame && menu.is_answered && holdsAny(words, menus.notTaken);
  menu.choices = isSame || menu.is_answered ? choices : [...others, ...choices];
  menu.is_answered = false;
  const holdsChoice = (phrases: readonly string[]): boolean =>
    choices.some(({ text }) => holdsAny(text.split(' '), phrases));
  const isEnd = wasRead || isRetry || holdsChoice(menus.again);
  const isOver = isEnd || menu.choices.length > 1 || holdsChoice(menus.person);
  choose(draft, { isOver, isEnd, isRetry, isWrongBranch: likelihood(heard, 'wrong-department') >= 0.5 });
  return true;
}

const later = [
  'next time',
  'when you call',
  'if you call',
  'you should',
  'you need to',
  'you have to',
  'you must',
  'i',
  'they',
  'she',
  'he',
];

/** A person may mention keys: "you can press one when you call next time". */
function isMenu(heard: Heard, choices: readonly MenuChoice[], isTalking: boolean): boolean {
  if (isPersonSpeaking(heard)) return false;
  const judged = likelihood(heard, 'menu');
  const isTold = choices.length === 1 && holdsAny(plainWords(heard.tokens), later);
  return judged >= (isTalking ? 0.8 : 0.4) && !isTold;
}

/** A machine that asks for the reason in words, or whether it has understood. */
function handleSpokenMenu(draft: TurnDraft, heard: Heard): boolean {
  const words = plainWords(heard.tokens);
  const isMachine =
    draft.memory.line === 'machine' || likelihood(heard, 'menu') >= 0.3 || holdsAny(words, menus.automatic);
  if (!isMachine || (isPersonSpeaking(heard) && likelihood(heard, 'menu') < 0.3)) return false;
  if (draft.memory.menu.tried.length > 0 && holdsAny(words, menus.asksYesOrNo)) {
    draft.say('Yes.');
    return true;
  }
  if (!holdsAny(words, menus.asksForWords)) return false;
  const wish = wishFor(draft, sayableIn(heard.tokens));
  sayInMenu(draft, draft.memory.menu.tried.includes(wish) ? askForPerson : wish);
  return true;
}

/** One of the offered words, if one fits; otherwise the subject of the call. */
function wishFor(draft: TurnDraft, offered: readonly string[]): string {
  const { callee, subject } = draft.plan;
  const word = first(wantedTiers(draft), (phrases) =>
    offered.find((one) => holdsAny(one.split(' '), phrases)),
  );
  const wish = word ?? (callee === 'clinic' ? withoutAbout(subject) : menus.spokenWish[callee]);
  return `${wish.slice(0, 1).toUpperCase()}${wish.slice(1)}${wish.endsWith('.') ? '' : '.'}`;
}

function withoutAbout(subject: string): string {
  return subject.startsWith('about ') ? subject.slice('about '.length) : subject;
}
