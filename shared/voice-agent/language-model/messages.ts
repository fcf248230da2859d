import type { Turn } from '#shared/domain/conversation.ts';
import { isRelevant } from '../call-plan/progress.ts';
import { keysPressed } from '../core/our-words.ts';
import type { DialogueEvent, DialogueInput } from '../dialogue/dialogue-model.ts';
import { type LikelyListener, likelyListener } from '../dialogue/likely-listener.ts';
import { localDay, writtenDay } from '../language/calendar.ts';
import { unmarked } from './prompt.ts';
import type { Block, Message } from './transport.ts';

/*
 * A conversation in the services' format: alternating messages of user and assistant, the user's first. Events on the
 * line are tags in the user's messages; the person's words cannot contain such tags.
 */

/** The messages for a turn that answers words or silence. */
export function messagesOf(input: DialogueInput, interruptedAfter: string | null): Message[] {
  const messages = alternating([
    happened('The call was answered.'),
    ...input.history.flatMap(historyMessages),
    ...eventMessages(input.event),
    said('user'),
  ]);
  // How many messages of this turn recur in the next one, and of the last turn in this one.
  for (const position of [-3, -1]) messages.at(position)?.blocks.push({ type: 'boundary' });
  messages.at(-1)?.blocks.push({ type: 'text', text: notes(input, interruptedAfter) });
  return messages;
}

function alternating(all: readonly Message[]): { role: Message['role']; blocks: Block[] }[] {
  const messages: { role: Message['role']; blocks: Block[] }[] = [];
  for (const { role, blocks } of all) {
    const last = messages.at(-1);
    if (last?.role === role && role === 'user') last.blocks.push(...blocks);
    else {
      // We spoke twice in a row without an answer.
      if (last?.role === role) messages.push({ role: 'user', blocks: [...nobodyAnswered.blocks] });
      messages.push({ role, blocks: [...blocks] });
    }
  }
  return messages;
}

function said(role: Message['role'], ...texts: readonly string[]): Message {
  return { role, blocks: texts.map((text) => ({ type: 'text', text })) };
}

function happened(event: string): Message {
  return said('user', `<event>${event}</event>`);
}

const nobodyAnswered = happened('Nobody answered.');

/** Pressed keys are among our words as `[pressed 1 2]`. */
function historyMessages({ role, content }: Turn): Message[] {
  if (role === 'user') return [said('user', heard(content))];
  const [words = '', ...others] = content.split(keysPressed);
  return [...ourWords(words), ...others.flatMap(pressedMessages)];
}

function pressedMessages(pressed: string): Message[] {
  const [keys = '', ...words] = pressed.split(']');
  return [happened(`You pressed ${keys}.`), ...ourWords(words.join(']'))];
}

function ourWords(words: string): Message[] {
  return words.trim() === '' ? [] : [said('assistant', words.trim())];
}

function eventMessages(event: DialogueEvent): Message[] {
  if (event.type === 'heard') return [said('user', heard(event.text))];
  if (event.type !== 'silence') return [];
  return [happened(`Nobody has said anything for ${Math.round(event.seconds)} seconds.`)];
}

function heard(words: string): string {
  return `<heard>${unmarked(words)}</heard>`;
}

/** The state of the call. Tools of earlier turns are not repeated in the messages; their results are here. */
function notes(input: DialogueInput, interruptedAfter: string | null): string {
  const { plan, record, now } = input;
  const listener = likelyListener(input);
  const answers = new Map(record.answers.map((answer) => [answer.key, answer]));
  const open = plan.items.filter(
    (item) =>
      !answers.has(item.key) &&
      !(item.key === 'person_name' && record.person_name !== null) &&
      isRelevant(item, answers, plan) &&
      (item.asked || item.required),
  );
  const recorded = record.answers.map(({ key, answer, value }) => `${key} = ${value ?? `"${answer}"`}`);
  const { time_zone: timeZone } = plan;
  const time = now.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const lines = [
    `It is ${writtenDay(localDay(now, timeZone))}, ${time} at the place called.`,
    `Recorded: ${recorded.join('; ') || 'nothing yet'}.`,
    `Still to find out: ${open.map(({ key }) => key).join(', ') || 'nothing'}.`,
    record.person_name === null ? null : `On the line: ${record.person_name}.`,
    listener === null ? null : detected[listener],
    interruptedAfter === null ? null : interruption(interruptedAfter),
  ];
  return `<notes>\n${unmarked(lines.filter((line) => line !== null).join('\n'))}\n</notes>`;
}

function interruption(heardOfUs: string): string {
  return heardOfUs === ''
    ? 'They interrupted you before they heard anything of your last words.'
    : `They interrupted you; the last that they heard of you was: "${heardOfUs.slice(-200)}"`;
}

/** The verdict of detection at the start of a call, and its meaning. */
const detected: Record<LikelyListener, string> = {
  human: 'Detection says that a person picked up: an odd greeting alone makes no voicemail.',
  machine:
    'Detection says that a machine picked up. It is wrong about one call in ten, and takes menus for machines: ' +
    'go on as usual with a menu or a person, but when nobody speaks after a greeting, treat it as a voicemail.',
  fax: 'Detection says that a fax machine picked up: when nobody speaks, end_call with "gave-up".',
};
