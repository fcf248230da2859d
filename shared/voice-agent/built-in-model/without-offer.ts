import { obstacleIn } from '../core/obstacles.ts';
import { type Heard, likelihood, movesOf } from '../understanding/understand.ts';
import { sayUnknown } from './facts-asked.ts';
import { isHolding } from './holding.ts';
import { meetObstacle } from './obstacles.ts';
import { mostSaid, repeat, sayDetails, waitFor } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phraseInTurn } from './wording.ts';

/** How often in a row we ask for openings without success. */
const maxTimes = 4;
/** The same, once they have named an obstacle and no way around it. */
const maxTimesTurnedAway = 1;

/** These words offered nothing. */
export function withoutOffer(draft: TurnDraft, heard: Heard): void {
  const { memory } = draft;
  const [waitlist] = movesOf(heard, ['offers-waitlist']);
  if (waitlist !== undefined) takeWaitlist(draft, waitlist.text, heard.turn);
  else if (draft.hasSpoken) memory.attempts.openings = 0;
  else if (isBusy(draft, heard)) return;
  else if (isHolding(heard)) waitFor(draft);
  else if (memory.pending === 'waitlist') endWaitlisted(draft);
  else if (namesObstacle(heard)) meetObstacle(draft, heard, false);
  else if (saysNone(draft, heard)) askForNext(draft, heard);
  else if (likelihood(heard, 'asks-repeat') >= 0.5 && repeat(draft)) return;
  else if (likelihood(heard, 'closes') >= 0.6) leaveWithout(draft, heard);
  else if (likelihood(heard, 'asks-preference') >= 0.5) answerPreference(draft);
  else if (memory.owes_details && leavesUnanswered(draft, heard)) return;
  else askForOpenings(draft, likelihood(heard, 'offers-help') >= 0.5);
}

/** "Which doctor's account is it on?": who asks what we cannot tell may do other business, and hears no details yet. */
function leavesUnanswered(draft: TurnDraft, heard: Heard): boolean {
  const asking = heard.moves.find((move) => (move.acts.get('asks-fact') ?? 0) >= leastAsking);
  return asking !== undefined && sayUnknown(draft, 'other', asking);
}

const leastAsking = 0.8;

/** An obstacle other than missing openings, which have their own questions first. */
function namesObstacle(heard: Heard): boolean {
  const reason = obstacleIn(heard)?.reason;
  return reason !== undefined && reason !== 'no_availability' && reason !== 'waitlisted';
}

/** No openings, or no to our question for others. */
function saysNone({ memory }: TurnDraft, heard: Heard): boolean {
  if (likelihood(heard, 'no-availability') >= 0.5) return true;
  const isAsked = (memory.attempts['no-openings'] ?? 0) > 0 || memory.scheduling.rounds > 0;
  return isAsked && likelihood(heard, 'no', 'does-not-know') >= 0.6;
}

/** A place on the waiting list is taken if there is nothing else, and is not an appointment. */
function takeWaitlist(draft: TurnDraft, quote: string, turn: number): void {
  const { memory } = draft;
  draft.obstacle('waitlisted', quote, turn);
  draft.followUp(`A waiting list was offered: "${quote}"`);
  if (memory.pending === 'waitlist') {
    endWaitlisted(draft);
    return;
  }
  memory.pending = 'waitlist';
  const other = 'Is there any opening that you could offer instead, perhaps with another doctor?';
  draft.say(`${other} If not, please put the patient on the waiting list.`, { kind: 'question' });
}

function endWaitlisted(draft: TurnDraft): void {
  draft.end('declined', 'thanks');
}

/** No openings: asks for the next one, then for other doctors, then accepts it. */
function askForNext(draft: TurnDraft, heard: Heard): void {
  const { memory } = draft;
  const times = memory.attempts['no-openings'] ?? 0;
  memory.attempts['no-openings'] = times + 1;
  memory.pending = 'appointment_time';
  const quote = movesOf(heard, ['no-availability'])[0]?.text ?? heard.said;
  const questions = [
    'I see. When is the next opening that you have?',
    'Is there an opening with another doctor, or at another location?',
  ];
  const question = questions[times];
  if (question !== undefined) {
    draft.say(question, { kind: 'question' });
    return;
  }
  draft.obstacle('no_availability', quote, heard.turn);
  draft.followUp(`They said: "${quote}"`);
  draft.end('declined', 'follow-up');
}

/** Before a booking, a goodbye gets one more attempt. */
function leaveWithout(draft: TurnDraft, heard: Heard): void {
  const { attempts } = draft.memory;
  attempts.leave = (attempts.leave ?? 0) + 1;
  if (attempts.leave > 1) {
    draft.followUp(`They said: "${heard.said.trim()}"`);
    draft.end('gave-up', 'follow-up');
    return;
  }
  draft.say('Before you go, please: is there any opening that you could offer?', { kind: 'question' });
  draft.memory.pending = 'appointment_time';
}

/** "Mornings or afternoons?" */
function answerPreference(draft: TurnDraft): void {
  const { attempts } = draft.memory;
  attempts.preference = (attempts.preference ?? 0) + 1;
  const wish = wishes(draft);
  if (attempts.preference > 1 || draft.timesSaid(wish.text) >= mostSaid) {
    askForOpenings(draft, false);
    return;
  }
  draft.memory.pending = 'appointment_time';
  draft.say(`${wish.text} Which opening do you have then?`, wish);
}

const quietActs: ReadonlySet<string> = new Set(['acknowledges', 'back', 'chat', 'yes', 'greeting']);
/** How often in a row we wait for a person who is busy with our facts. */
const mostQuiet = 2;

/** They write down our facts: a person who continues is not pushed, and silence brings us back. */
function isBusy({ memory }: TurnDraft, heard: Heard): boolean {
  const hasTold = memory.last_words.some(({ fields }) => fields.length > 0);
  const isQuiet = heard.moves.every(
    ({ act, tokens }) => quietActs.has(act) || (act === 'states' && tokens.length <= 4),
  );
  const times = !memory.owes_details && hasTold && isQuiet ? (memory.attempts.quiet ?? 0) + 1 : 0;
  memory.attempts.quiet = times;
  return times > 0 && times <= mostQuiet;
}

const otherWordings = [
  'Could you offer a day and a time for that?',
  'Which appointment could you give the patient?',
  'Is there a free appointment that you could tell me?',
];

/** @param isNew they ask for our reason, so the purpose is repeated */
function askForOpenings(draft: TurnDraft, isNew: boolean): void {
  const { memory, plan } = draft;
  const { attempts } = memory;
  if (memory.owes_details) {
    sayWishes(draft);
    return;
  }
  const item = draft.item('appointment_time');
  const said = attempts.openings_said ?? 0;
  attempts.openings = (attempts.openings ?? 0) + 1;
  attempts.openings_said = said + 1;
  const isTurnedAway = (attempts.instead ?? 0) > 0;
  if (attempts.openings > (isTurnedAway ? maxTimesTurnedAway : maxTimes)) {
    draft.followUp('No opening was offered, although it was asked for in several ways.');
    draft.end(isTurnedAway ? 'declined' : 'gave-up', 'follow-up');
    return;
  }
  // The purpose included the item's own question.
  const wordings = [item?.rephrase ?? '', item?.rephrase2 ?? '', ...otherWordings].filter(
    (text) => text !== '',
  );
  attempts.purpose = (attempts.purpose ?? 0) + (isNew ? 1 : 0);
  const isFirst = isNew && attempts.openings === 1 && attempts.purpose === 1;
  memory.pending = 'appointment_time';
  if (isFirst) draft.say(plan.purpose.text, { fields: plan.purpose.discloses, kind: 'purpose' });
  else draft.say(phraseInTurn('acknowledge', memory.turns));
  draft.say(wordings[said % wordings.length] ?? '', { kind: 'question' });
}

/** The details, the patient's availability, and a question for openings. */
export function sayWishes(draft: TurnDraft): void {
  sayDetails(draft);
  const { text, fields } = wishes(draft);
  draft.say(fields.length > 0 ? text : 'The next opening is fine.', { fields });
  draft.say(draft.item('appointment_time')?.question ?? '', { kind: 'question' });
  draft.memory.pending = 'appointment_time';
}

/** The patient's availability, with the fact that it tells. */
export function wishes({ view }: TurnDraft): { text: string; fields: string[]; kind: 'question' } {
  const fact = view.facts.find(({ topic }) => topic === 'timeframe');
  const text =
    fact === undefined
      ? 'Any other time is fine.'
      : `The patient's availability is: ${withoutStop(fact.spoken)}.`;
  return { text, fields: fact === undefined ? [] : [fact.field], kind: 'question' };
}

function withoutStop(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
