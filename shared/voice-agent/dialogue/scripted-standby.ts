import { localDay } from '../language/calendar.ts';
import { findDays } from '../language/day-mentions.ts';
import { plainOf } from '../language/text.ts';
import type { CallPlan } from '../plan/call-plan.ts';
import { isRelevant } from '../plan/progress.ts';
import { emptyMemory, Memory } from '../scripted-model/memory.ts';
import { reachQuestion } from '../scripted-model/phrasing.ts';
import { scriptedModel } from '../scripted-model/scripted-model.ts';
import type { Slot } from '../scripted-model/slots.ts';
import type { DialogueInput } from './dialogue-model.ts';
import type { DialogueRecord } from './dialogue-record.ts';
import type { Standby } from './fallback-model.ts';
import { asksWhomWeReached, reachedSoFar } from './reached-so-far.ts';

/** The scripted model in the place of a language model that is late or fails. */
export const scriptedStandby: Standby = { model: scriptedModel, catchUp };

/**
 * What the scripted model would remember, had it led the conversation so far: told from the transcript and the record,
 * which both models share. What it remembers from turns of its own is kept.
 */
function catchUp(memory: unknown, input: DialogueInput): Memory {
  const { plan, record, history, event } = input;
  const known = memory === null ? emptyMemory : Memory.parse(memory);
  const ours = history.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  const lastSaid = ours.at(-1) ?? '';
  const missedNothing = known.last_said !== '' && lastSaid.includes(known.last_said);
  if (lastSaid === '' || missedNothing) return known;
  // Once it was clear whom we had reached, we have said why we call; the words of now have not been answered yet.
  const before = event.type === 'heard' ? ({ type: 'silence', seconds: 0 } as const) : event;
  const isKnown = reachedSoFar({ ...input, event: before }) === 'right-place';
  return {
    ...known,
    turns: Math.max(known.turns, ours.length),
    notice_heard: true,
    purpose_said: known.purpose_said || isKnown,
    reached: known.reached || isKnown,
    reach_asked: ours.filter((words) => asksWhomWeReached(words, reachQuestion(plan))).length,
    pending: itemAsked(plan, record, lastSaid),
    last_said: lastSaid,
    last_answered: record.answers.at(-1)?.key ?? known.last_answered,
    told: [...new Set([...known.told, ...record.disclosures.map(({ field }) => field)])],
    stalled: 0,
    silences: 0,
    line: 'open',
    unfinished: null,
    last_words: [],
    cut: null,
    scheduling: schedulingAfter(known.scheduling, input),
  };
}

/** The open item whose question our last words put, as far as that can be told from their words. */
function itemAsked(plan: CallPlan, record: DialogueRecord, lastSaid: string): string | null {
  if (!/\?["')]*$/.test(lastSaid.trimEnd())) return null;
  const answers = new Map(record.answers.map((answer) => [answer.key, answer]));
  const open = plan.items.filter((item) => item.asked && !answers.has(item.key) && isRelevant(item, answers));
  const [only] = open;
  if (only !== undefined && open.length === 1) return only.key;
  const said = contentWords(lastSaid);
  let best: { key: string; share: number } | null = null;
  for (const { key, question, rephrase } of open) {
    for (const wanted of [contentWords(question), contentWords(rephrase)]) {
      const share = [...wanted].filter((word) => said.has(word)).length / Math.max(wanted.size, 1);
      if (share > (best?.share ?? 0.5)) best = { key, share };
    }
  }
  return best?.key ?? null;
}

const emptyWords = new Set(
  'about could from have know please tell that them this what when which will with would your'.split(' '),
);

function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return new Set(words.filter((word) => word.length > 3 && !emptyWords.has(word)));
}

function schedulingAfter(
  known: Memory['scheduling'],
  { plan, record, history, now }: DialogueInput,
): Memory['scheduling'] {
  const today = localDay(now, plan.time_zone);
  const named = history
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => findDays(plainOf(content), today).map(({ first }) => first))
    .filter((day) => day >= today);
  const chosen = chosenSlot(record);
  const days = [
    ...new Set([...known.days, ...named, ...(chosen === null || chosen.day === null ? [] : [chosen.day])]),
  ].slice(-6);
  if (chosen === null) return { ...known, days, day: days.at(-1) ?? known.day };
  const booked = record.answers.some(({ key, value }) => key === 'booking_confirmed' && value === true);
  return { ...known, days, day: chosen.day, chosen, booked, read_back: known.read_back || booked };
}

/** The time that is recorded, as a slot that was offered. */
function chosenSlot({ answers }: DialogueRecord): Slot | null {
  const time = answers.find(({ key }) => key === 'appointment_time');
  const [, day, hours, minutes] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})$/.exec(String(time?.value ?? '')) ?? [];
  if (time === undefined || day === undefined) return null;
  return {
    day,
    minutes: Number(hours) * 60 + Number(minutes),
    from: null,
    to: null,
    last_day: null,
    provider: answers.find(({ key }) => key === 'provider_name')?.answer ?? null,
    quote: time.quote,
    turn: time.turn,
  };
}
