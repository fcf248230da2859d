import type { Turn } from '#shared/domain/conversation.ts';
import { type CallPlan, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { itemsElsewhere } from '../call-plan/items.ts';
import { isRelevant } from '../call-plan/progress.ts';
import type { Evidence } from '../core/clause-value.ts';
import { askedItem } from '../core/conversation-core.ts';
import { ownsUp } from '../core/corrections.ts';
import { directionOf } from '../core/direction.ts';
import { evidenceIn } from '../core/evidence.ts';
import { sentenceAround } from '../core/reply-clauses.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { localDay } from '../language/calendar.ts';
import { type Heard, likelihood, type Move, understand } from '../understanding/understand.ts';
import { isSameValue, leastSure, namesTopic, type Reading, reviewed } from './review.ts';
import { inWholeReply } from './whole-reply.ts';

/*
 * Reads the whole transcript again, for every model. A preceding question suggests answers
 * that are not there: here a clause counts for an item only if it names it. Contradictions of the record
 * are not decided but left for review; only open items are filled in, and only from certain,
 * unanimous clauses.
 */

/**
 * The answers after a second reading: contradicted and conditional answers
 * need review and have no value; open items are filled in. Pure, linear in the transcript.
 *
 * @param answers with the index of a turn as `turn`
 */
export function readAgain(
  plan: CallPlan,
  answers: readonly RecordedAnswer[],
  turns: readonly Turn[],
): RecordedAnswer[] {
  const readings = readingsOf(plan, answers, turns);
  const again = answers.map((answer) => inFull(plan, reviewed(plan, answer, readings, answers), readings));
  const known = new Map(again.map((answer) => [answer.key, answer]));
  const open = plan.items.filter((item) => !known.has(item.key) && isRelevant(item, known, plan));
  const filled = open.flatMap((item) => filledIn(item, known, readings));
  return [...again, ...filled.map((answer) => inFull(plan, answer, readings))];
}

/** In all words of the reply, and in those that followed before we asked on. */
function inFull(plan: CallPlan, answer: RecordedAnswer, readings: readonly Reading[]): RecordedAnswer {
  const item = plan.items.find(({ key }) => key === answer.key);
  const at = readings.findIndex(({ heard }) => heard.turn === answer.turn);
  const own = readings[at];
  if (item === undefined || own === undefined) return answer;
  // "It's every other Saturday. And that coating, it's $65": what they put right beside our question ends with it.
  if (isClientsOwn(item) && own.asked !== null && own.asked !== item)
    return inWholeReply(item, answer, [{ ...own.heard, moves: sentenceAround(answer.quote, own.heard) }]);
  const after = readings.slice(at + 1);
  const end = after.findIndex(({ goesOn }) => !goesOn);
  const others = end < 0 ? after : after.slice(0, end);
  return inWholeReply(item, answer, [own.heard, ...others.map(({ heard }) => heard)]);
}

function readingsOf(plan: CallPlan, answers: readonly RecordedAnswer[], turns: readonly Turn[]): Reading[] {
  const today = localDay(new Date(turns[0]?.created_at ?? 0), plan.time_zone);
  const elsewhere = itemsElsewhere(plan.task_type);
  const readings: Reading[] = [];
  const tier = answers.filter(({ key }) => key === 'in_network');
  let anchor: string | null = null;
  let ours: readonly Turn[] = [];
  let isGreeting = true;
  let before = 0;
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      isGreeting = ours.length === 0;
      // "I see.", cut short: what we asked before is still open.
      ours = turn.content.includes('?') ? [turn] : [...ours, turn];
      continue;
    }
    const asked = askedItem(plan, ours);
    const direction = directionOf(plan, asked);
    const heard = understand(turn.content, turn.index, { today, after: null, anchor, direction, elsewhere });
    anchor = dayIn(heard) ?? anchor;
    // "Provider line of Example Health Plan": a greeting says nothing of a patient not yet named.
    if (
      isGreeting &&
      likelihood(heard, 'introduces-place', 'introduces-person', 'announcement') >= leastGreeting
    )
      continue;
    // A client's own question has no known topic: only our question makes words its answer.
    const evidence = evidenceIn(heard, plan, asked !== null && isClientsOwn(asked) ? asked : null, tier);
    const goesOn = !ours.some(({ content, index }) => index > before && content.includes('?'));
    const corrections = takenBack(plan, answers, { heard, asked, goesOn }, readings);
    before = turn.index;
    readings.push({ heard, asked, goesOn, evidence: [...evidence, ...corrections] });
  }
  return readings;
}

const leastGreeting = 0.5;

function dayIn({ entities }: Heard): string | null {
  const date = entities.findLast((entity) => entity.type === 'date' || entity.type === 'moment');
  return date?.type === 'date' || date?.type === 'moment' ? date.value.day : null;
}

/** Below this, words like a correction may be a figure of speech: "actually". */
const leastCorrecting = 0.7;

/**
 * "Sorry, thirty, not forty": a correction without a topic applies to the previous answer. It may be a prompt of its
 * own: "Oh, I transposed that", and then the value.
 */
function takenBack(
  plan: CallPlan,
  answers: readonly RecordedAnswer[],
  { heard, asked, goesOn }: Omit<Reading, 'evidence'>,
  readings: readonly Reading[],
): Evidence[] {
  const last = readings.at(-1);
  const isAnnounced = goesOn && last !== undefined && isOnlySlip(last.heard);
  const corrects = isAnnounced || heard.moves.some((move) => correctsSurely(move));
  if (!corrects || answers.some(({ turn }) => turn === heard.turn)) return [];
  const before = isAnnounced ? readings.at(-2) : last;
  const told = answers.findLast(({ turn }) => turn === before?.heard.turn) ?? before?.evidence.at(-1);
  const item = plan.items.find(({ key }) => key === told?.key);
  if (item === undefined) return [];
  // "Eighteen fifty, not the two fourteen", asked for a price, does not withdraw an earlier yes.
  const isOther = asked !== null && asked !== item && asked.kind !== item.kind;
  return evidenceIn(heard, plan, item)
    .filter(
      (found) => found.key === item.key && found.isAsked && (!isOther || namesTopic(found, item.question)),
    )
    .map((found) => ({ ...found, corrects: true }));
}

function correctsSurely({ acts }: Move): boolean {
  return (acts.get('corrects') ?? 0) >= leastCorrecting;
}

function isOnlySlip({ moves, entities }: Heard): boolean {
  return entities.length === 0 && moves.some((move) => correctsSurely(move) || ownsUp(move));
}

/** Both sides settle an appointment's details, and a name belongs to the person on the line. */
const settledTogether: ReadonlySet<string> = new Set([
  'appointment_time',
  'booking_confirmed',
  'person_name',
]);

/** An amount for one item, even if its words are left for review, is not another's. */
function isTaken({ turn, value, quote }: Evidence, known: ReadonlyMap<string, RecordedAnswer>): boolean {
  return [...known.values()].some(
    (answer) => answer.turn === turn && (isSameValue(answer.value, value) || answer.quote === quote),
  );
}

/** "She may, but only with a release", and nothing clearer when asked again: their words are the answer. */
function limitedIn({ key }: PlanItem, readings: readonly Reading[]): RecordedAnswer[] {
  const found = readings
    .flatMap(({ evidence }) => evidence)
    .find((one) => one.key === key && one.isAsked && one.isConditional && one.confidence >= leastLimited);
  if (found === undefined) return [];
  const { quote, turn } = found;
  return [{ key, answer: quote, value: null, quote, turn, needs_review: false }];
}

const leastLimited = 0.55;

/** The answer to an open item, if all certain mentions agree. */
function filledIn(
  item: PlanItem,
  known: ReadonlyMap<string, RecordedAnswer>,
  readings: readonly Reading[],
): RecordedAnswer[] {
  if (settledTogether.has(item.key)) return [];
  if (isClientsOwn(item)) return limitedIn(item, readings);
  // Statements about other times do not apply to the chosen one.
  const from = known.get('appointment_time')?.turn ?? 0;
  const sure = readings
    .filter(({ heard }) => heard.turn >= from)
    .flatMap(({ evidence }) => evidence)
    .filter((one) => one.key === item.key && one.confidence >= leastSure)
    .filter((one) => one.corrects || namesTopic(one, item.question))
    .filter((one) => item.kind !== 'money' || !isTaken(one, known));
  const found = sure.at(-1);
  // "Today nobody for claims": a claim that we did not ask for is not missing.
  const isMissing = found?.value === 'not on file';
  if (isMissing && !readings.some(({ asked, heard }) => asked === item && heard.turn <= found.turn))
    return [];
  if (found === undefined || sure.some(({ value }) => !isSameValue(value, found.value))) return [];
  const { key, answer, value, quote, turn } = found;
  return value === null && item.kind !== 'text'
    ? []
    : [{ key, answer, value, quote, turn, needs_review: false }];
}
