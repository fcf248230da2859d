import type { CallResult } from '#shared/domain/call-result.ts';
import type { Turn } from '#shared/domain/conversation.ts';
import type { SandboxCall } from '#shared/sandbox-phone/store/sandbox-call.ts';
import type { CallPlan } from '#shared/voice-agent/plan/call-plan.ts';
import type { Casting } from './cast.ts';
import { compareFact, type KnownFact } from './compare.ts';
import { offPlanDisclosures } from './disclosure-check.ts';

/** Everything that is known of a conversation once its task has ended. */
export interface Held {
  readonly casting: Casting;
  readonly taskStatus: string;
  readonly plan: CallPlan;
  /** The structured result of the task's last call; null when no conversation took place. */
  readonly result: CallResult | null;
  readonly transcript: readonly Pick<Turn, 'role' | 'content'>[];
  /** The sandbox phone's own account of the last call. */
  readonly sandboxCall: SandboxCall | null;
}

export interface Verdict {
  readonly held: Held;
  /** The goal was reached where that was possible; otherwise the call ended as it should. */
  readonly isGood: boolean;
  readonly outcome: string;
  readonly wrongFacts: readonly string[];
  /** Facts that the person told and the task wanted, and how many of them were reported rightly. */
  readonly factsTold: number;
  readonly factsReported: number;
  readonly disclosures: readonly string[];
  readonly turns: number;
  readonly talkSeconds: number;
  readonly responseTimesMs: readonly number[];
}

/** Endings after which nothing about the patient may have been said. */
const withoutBusiness = new Set(['wrong-number', 'voicemail']);

/** Compares what was reported with what the person knew, told and booked. Pure. */
export function judge(held: Held): Verdict {
  const { casting, result, plan, transcript, sandboxCall } = held;
  const { goal, ending } = casting.person.evaluation;
  const answers = (result?.answers ?? []).filter(({ answer }) => answer !== null);
  const truths = truthsOf(held);
  const told = new Set(sandboxCall?.person?.told ?? []);
  const wrongFacts: string[] = [];
  const right = new Set<string>();
  for (const answer of answers) {
    const known = truths.get(answer.key);
    if (known === undefined) continue;
    const comparison = compareFact(known, answer);
    if (comparison === 'right') right.add(answer.key);
    // Who hung up before a slip of their own was put right has told what was reported.
    const isTheirSlip =
      casting.person.temper.misspeaks?.fact === factNameOf(casting, answer.key) &&
      !told.has(factNameOf(casting, answer.key));
    if (comparison === 'wrong' && !isTheirSlip)
      wrongFacts.push(
        `${answer.key}: reported ${String(answer.value ?? answer.answer)}, known ${String(known.value)}`,
      );
  }
  const wanted = (result?.answers ?? []).filter(({ key }) => {
    const name = factNameOf(casting, key);
    return told.has(name) && truths.has(key);
  });
  const mayHear = !(goal === 'unreachable' && ending !== undefined && withoutBusiness.has(ending));
  return {
    held,
    ...outcomeOf(held),
    wrongFacts,
    factsTold: wanted.length,
    factsReported: wanted.filter(({ key }) => right.has(key)).length,
    disclosures: offPlanDisclosures(plan, transcript, result?.disclosures ?? [], mayHear),
    turns: transcript.filter(({ role }) => role === 'assistant').length,
    talkSeconds: sandboxCall?.duration_seconds ?? 0,
    responseTimesMs: sandboxCall?.response_times_ms ?? [],
  };
}

function outcomeOf({ casting, result, taskStatus }: Held): Pick<Verdict, 'isGood' | 'outcome'> {
  const { goal, ending } = casting.person.evaluation;
  const reached = result?.goal_reached ?? false;
  if (goal === 'reachable') {
    return reached && taskStatus === 'COMPLETED'
      ? { isGood: true, outcome: 'reached' }
      : { isGood: false, outcome: `not reached (${result?.ending ?? 'no conversation'}, ${taskStatus})` };
  }
  if (reached) return { isGood: false, outcome: 'claims a goal that could not be reached' };
  const isAsExpected = ending === undefined || result?.ending === ending;
  return {
    isGood: isAsExpected,
    outcome: isAsExpected
      ? 'ended well'
      : `ended ${result?.ending ?? 'without a conversation'}, not ${ending ?? ''}`,
  };
}

function factNameOf({ person, truthOf }: Casting, key: string): string {
  return truthOf[key] ?? person.evaluation.reports[key] ?? key;
}

/** What the person knew, by the keys of the result's items. */
function truthsOf({ casting, result, sandboxCall }: Held): Map<string, KnownFact> {
  const person = sandboxCall?.person ?? null;
  const truths = new Map<string, KnownFact>();
  if (person === null) return truths;
  for (const { key } of result?.answers ?? []) {
    // A client's own question has the name of its place only; a fact of that name would be chance.
    const known = person.knows[factNameOf(casting, key)];
    if (known !== undefined && (!key.startsWith('question_') || key in casting.truthOf))
      truths.set(key, known);
  }
  if (casting.taskType === 'SCHEDULE_APPOINTMENT') {
    truths.set('booking_confirmed', { type: 'yes', value: person.booked !== null });
    if (person.booked !== null) {
      truths.set('appointment_time', { type: 'moment', value: person.booked.moment });
      truths.set('provider_name', { type: 'text', value: person.booked.with });
    }
  }
  return truths;
}
