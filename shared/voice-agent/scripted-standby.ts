import * as z from 'zod/mini';
import type { DialogueInput } from './dialogue-model.ts';
import type { DialogueRecord } from './dialogue-record.ts';
import type { Standby } from './fallback-model.ts';
import type { CallPlan } from './plan/call-plan.ts';
import { asksWhomWeReached, reachedSoFar } from './reached-so-far.ts';
import { emptyMemory, Memory } from './scripted-model/memory.ts';
import { reachQuestion } from './scripted-model/phrasing.ts';
import { scriptedModel } from './scripted-model/scripted-model.ts';
import type { Slot } from './scripted-model/slots.ts';

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
    pending: itemAsked(plan, lastSaid),
    last_said: lastSaid,
    last_answered: record.answers.at(-1)?.key ?? known.last_answered,
    told: [...new Set([...known.told, ...record.disclosures.map(({ field }) => field)])],
    stalled: 0,
    silences: 0,
    line: 'open',
    unfinished: null,
    last_words: [],
    cut: null,
    scheduling: schedulingAfter(known.scheduling, record),
  };
}

/** The item whose question our last words put, as far as that can be told from their words. */
function itemAsked(plan: CallPlan, lastSaid: string): string | null {
  const said = contentWords(lastSaid);
  let best: { key: string; share: number } | null = null;
  for (const { key, question, rephrase } of plan.items) {
    for (const wanted of [contentWords(question), contentWords(rephrase)]) {
      const share = [...wanted].filter((word) => said.has(word)).length / Math.max(wanted.size, 1);
      if (share > (best?.share ?? 0.5)) best = { key, share };
    }
  }
  return lastSaid.trimEnd().endsWith('?') ? (best?.key ?? null) : null;
}

function contentWords(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => word.length > 3));
}

function schedulingAfter(known: Memory['scheduling'], record: DialogueRecord): Memory['scheduling'] {
  const time = record.answers.find(({ key }) => key === 'appointment_time');
  const slot = z.safeParse(z.string(), time?.value);
  const [, day, hours, minutes] = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})$/.exec(slot.data ?? '') ?? [];
  if (time === undefined || day === undefined) return known;
  const provider = record.answers.find(({ key }) => key === 'provider_name')?.answer ?? null;
  const chosen: Slot = {
    day,
    minutes: Number(hours) * 60 + Number(minutes),
    from: null,
    to: null,
    last_day: null,
    provider,
    quote: time.quote,
    turn: time.turn,
  };
  const booked = record.answers.some(({ key, value }) => key === 'booking_confirmed' && value === true);
  return { ...known, chosen, booked, read_back: known.read_back || booked };
}
