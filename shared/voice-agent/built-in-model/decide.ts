import type { GovernedInput, ProposingModel } from '../core/conversation-core.ts';
import { obstacleIn } from '../core/obstacles.ts';
import { reachReply } from '../core/reach-reply.ts';
import { longSpeech } from '../core/right-party.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import type { ObstacleReason } from '../dialogue/dialogue-record.ts';
import { type Heard, understand } from '../understanding/understand.ts';
import { asksForFacts } from './asked-of-us.ts';
import { confirmReadBack } from './confirm-read-back.ts';
import { answerQuestions } from './facts-asked.ts';
import { isHolding } from './holding.ts';
import { open, sayNotice, sayPurpose, verifyParty } from './introduce.ts';
import { handleLine } from './line.ts';
import { emptyMemory, Memory } from './memory.ts';
import { endAfterGreeting, handleMachineSilence, mayBeGreeting } from './menu.ts';
import { proceedWithQuestions, repeat, waitFor } from './questions.ts';
import { addressesUs, repliesToUs } from './recordings.ts';
import { proceedWithScheduling, remindOfScheduling } from './scheduling.ts';
import { TurnDraft } from './turn-draft.ts';
import { phrase } from './wording.ts';

/** The built-in dialogue model: no network, same input, same words. */
export const builtInModel: ProposingModel = {
  name: 'built-in',
  isImmediate: true,
  async *takeTurn(input) {
    yield* decide(input);
  },
};

/** One turn of the built-in model. Pure. */
export function decide({ plan, view, memory, event }: GovernedInput): DialogueAction[] {
  const draft = new TurnDraft(plan, view, memory === null ? emptyMemory : Memory.parse(memory));
  switch (event.type) {
    case 'opened':
      open(draft);
      break;
    case 'heard':
      draft.memory.silences = 0;
      countPrompt(draft, event);
      if (view.heard !== null) {
        noteReply(draft, view.heard);
        respond(draft, view.heard);
        draft.memory.heard = view.heard.moves.map(({ text }) => text.toLowerCase());
      }
      break;
    case 'silence':
      respondToSilence(draft);
      break;
    case 'interrupted':
      // Their words follow.
      draft.memory.is_cut = true;
      noteCut(draft, event.heard);
      break;
    case 'key-pressed':
      break;
  }
  return draft.finish();
}

function countPrompt(
  { memory }: TurnDraft,
  { text, turn }: { readonly text: string; readonly turn: number },
): void {
  memory.prompts += 1;
  memory.first_turn ??= turn;
  if (!memory.has_replied) memory.first_words += text.split(' ').length;
}

/** Whoever answers with a greeting, continues it, or speaks over our words has not replied to them. */
function noteReply({ memory, view }: TurnDraft, heard: Heard): void {
  const isBehindOurs = memory.prompts > 1 && view.ours.length > memory.spoken && !memory.is_cut;
  const confirms = view.reach_asked > 0 && reachReply(heard).label === 'confirms';
  memory.has_replied ||= isBehindOurs && (confirms || repliesToUs(heard));
  memory.is_cut = false;
  memory.spoken = view.ours.length;
}

function respond(draft: TurnDraft, heard: Heard): void {
  const { memory, view } = draft;
  if (handleLine(draft, heard) || draft.isOver || heard.moves.length === 0) return;
  if (memory.prompts > 1 && mayBeGreeting(draft) && !addressesUs(heard)) {
    memory.line = 'mailbox';
    return;
  }
  if (view.party.status !== 'verified' || isMonologue(draft)) {
    if (isHolding(heard)) waitFor(draft);
    else if (isTurnedAway(draft, heard)) draft.end('declined', 'follow-up');
    else verifyParty(draft, heard);
    return;
  }
  if (!memory.purpose_said) {
    noteObstacle(draft, heard);
    if (isHolding(heard)) waitFor(draft);
    else sayPurpose(draft, withOwed(draft, heard));
    return;
  }
  sayNotice(draft);
  if (draft.plan.callee === 'clinic') schedule(draft, heard);
  else proceedWithQuestions(draft, heard);
}

/** An introduction that goes on, whatever we said between, may be a recording: they are asked. */
function isMonologue({ memory, view }: TurnDraft): boolean {
  const isIntroduction = view.party.turn === memory.first_turn;
  return isIntroduction && memory.prompts > 1 && !memory.has_replied;
}

/** The same obstacle, named twice before we know the speaker. */
function isTurnedAway(draft: TurnDraft, heard: Heard): boolean {
  const reason = noteObstacle(draft, heard);
  return reason !== null && (draft.memory.obstacles[reason] ?? 0) >= 2;
}

function noteObstacle(draft: TurnDraft, heard: Heard): ObstacleReason | null {
  const found = obstacleIn(heard);
  if (found === null || found.move.isQuestion) return null;
  draft.obstacle(found.reason, found.move.text, heard.turn);
  return found.reason;
}

/** Answers requests made before the speaker was known. */
function withOwed(draft: TurnDraft, heard: Heard): Heard {
  const { owed } = draft.memory;
  draft.memory.owed = null;
  if (owed === null || asksForFacts(heard)) return heard;
  return {
    ...heard,
    moves: [...heard.moves, ...understand(owed, heard.turn, { today: draft.today, after: null }).moves],
  };
}

function schedule(draft: TurnDraft, heard: Heard): void {
  const hasAsked =
    answerQuestions(draft, heard, !offersTimes(heard)) !== null || confirmReadBack(draft, heard);
  if (isHolding(heard) && !hasAsked) {
    waitFor(draft);
    return;
  }
  proceedWithScheduling(draft, heard);
}

function offersTimes({ entities }: Heard): boolean {
  return entities.some(({ type }) => type === 'moment' || type === 'date' || type === 'time');
}

/** Silence: a menu may have ended; otherwise repeats the question. */
function respondToSilence(draft: TurnDraft): void {
  const { memory } = draft;
  memory.silences += 1;
  if (handleMachineSilence(draft)) return;
  if (memory.line === 'machine') {
    draft.wait();
    return;
  }
  if (memory.line === 'mailbox' || isAtMailbox(draft)) {
    endAfterGreeting(draft);
    return;
  }
  if (draft.view.listener === 'fax') {
    draft.end('gave-up', 'unheard');
    return;
  }
  if (draft.plan.callee === 'clinic' && memory.purpose_said && remindOfScheduling(draft)) return;
  draft.say(memory.silences > 1 ? phrase('still_here', 1) : 'Hello, are you still there?');
  if (draft.pendingItem !== null) repeat(draft);
}

/**
 * A long speech that replies to nothing of ours, or one that detection calls a machine, then silence: a mailbox,
 * however human it sounds.
 */
function isAtMailbox({ memory, view }: TurnDraft): boolean {
  return (
    !memory.has_replied &&
    memory.prompts > 0 &&
    (memory.first_words >= longSpeech || mayBeGreeting({ memory, view })) &&
    memory.menu.choices.length + memory.menu.tried.length === 0
  );
}

/** The share of a piece that must be heard for it to count. */
const heardShare = 0.8;

function noteCut(draft: TurnDraft, heard: string): void {
  const { memory } = draft;
  let from = 0;
  const cut = memory.last_words.filter(({ text }) => {
    const end = from + text.length * heardShare;
    from += text.length + 1;
    return heard.length < end;
  });
  const { pending, attempts } = memory;
  const isUnasked = pending !== null && cut.some(({ kind }) => kind === 'question');
  // An interrupted question does not count as asked.
  if (!isUnasked) return;
  if (pending in attempts) attempts[pending] = Math.max(0, (attempts[pending] ?? 0) - 1);
  memory.pending = memory.pending_before;
}
