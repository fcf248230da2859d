import type { ContentBlock, Message } from '@aws-sdk/client-bedrock-runtime';
import type { Turn } from '#shared/domain/conversation.ts';
import type { DialogueEvent, DialogueInput } from '../dialogue/dialogue-model.ts';
import { type LikelyListener, likelyListener } from '../dialogue/likely-listener.ts';
import { clockTime, localDay, writtenDay } from '../language/calendar.ts';
import { isRelevant } from '../plan/progress.ts';
import { unmarked } from './prompt.ts';

/*
 * A conversation as the service wants it: messages of the user and the assistant that alternate, the user's first. What
 * happened on the line stands in tags in the user's messages; the person's words cannot hold such tags.
 */

interface Part {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock[];
}

/** The messages for a turn that answers words or silence. */
export function messagesOf(input: DialogueInput, interruptedAfter: string | null): Message[] {
  const parts: Part[] = [
    said('user', '<event>The call was answered.</event>'),
    ...input.history.flatMap(historyParts),
    ...eventParts(input.event),
    said('user', notes(input, interruptedAfter)),
  ];
  const messages: { role: Part['role']; content: ContentBlock[] }[] = [];
  for (const { role, content } of parts) {
    const last = messages.at(-1);
    if (last?.role === role && role === 'user') last.content.push(...content);
    else {
      // We spoke twice in a row: nobody had answered.
      if (last?.role === role) messages.push(said('user', '<event>Nobody answered.</event>'));
      messages.push({ role, content: [...content] });
    }
  }
  return messages;
}

function said(role: Part['role'], text: string): Part {
  return { role, content: [{ text }] };
}

function historyParts({ role, content, index }: Turn): Part[] {
  if (role === 'user') return [said('user', heard(content))];
  const keys = [...content.matchAll(/\[pressed ([^\]]+)\]/g)].map(([, pressed = '']) =>
    pressed.replaceAll(' ', ''),
  );
  const words = content.replaceAll(/\[pressed [^\]]+\]/g, ' ').trim();
  const spoken: ContentBlock[] = words === '' ? [] : [{ text: words }];
  if (keys.length === 0) return spoken.length === 0 ? [] : [{ role, content: spoken }];
  const uses = keys.map((pressed, position) => ({ toolUseId: `keys-${index}-${position}`, pressed }));
  return [
    {
      role,
      content: [
        ...spoken,
        ...uses.map(({ toolUseId, pressed }) => ({
          toolUse: { toolUseId, name: 'press_keys', input: { keys: pressed } },
        })),
      ],
    },
    {
      role: 'user',
      content: uses.map(({ toolUseId }) => ({
        toolResult: { toolUseId, content: [{ text: 'ok' }], status: 'success' },
      })),
    },
  ];
}

function eventParts(event: DialogueEvent): Part[] {
  switch (event.type) {
    case 'heard':
      return [said('user', heard(event.text))];
    case 'silence':
      return [
        said('user', `<event>Nobody has said anything for ${Math.round(event.seconds)} seconds.</event>`),
      ];
    case 'opened':
    case 'interrupted':
    case 'key-pressed':
      return [];
  }
}

function heard(words: string): string {
  return `<heard>${unmarked(words)}</heard>`;
}

/** How the call stands. Tools used in earlier turns are not repeated in the messages; their results are here. */
function notes(input: DialogueInput, interruptedAfter: string | null): string {
  const { plan, record, now } = input;
  const listener = likelyListener(input);
  const answers = new Map(record.answers.map((answer) => [answer.key, answer]));
  const open = plan.items.filter(
    (item) => !answers.has(item.key) && isRelevant(item, answers) && (item.asked || item.required),
  );
  const lines = [
    `It is ${writtenDay(localDay(now, plan.time_zone))}, ${localTime(now, plan.time_zone)} at the place called.`,
    `Recorded: ${record.answers.map(({ key, answer, value }) => `${key} = ${value ?? `"${answer}"`}`).join('; ') || 'nothing yet'}.`,
    `Still to find out: ${open.map(({ key }) => key).join(', ') || 'nothing'}.`,
    ...(record.person_name === null ? [] : [`On the line: ${record.person_name}.`]),
    ...(listener === null ? [] : [detected[listener]]),
    ...(interruptedAfter === null
      ? []
      : [
          interruptedAfter === ''
            ? 'They interrupted you before they heard anything of your last words.'
            : `They interrupted you; the last that they heard of you was: "${interruptedAfter.slice(-200)}"`,
        ]),
  ];
  return `<notes>\n${unmarked(lines.join('\n'))}\n</notes>`;
}

/** What detection says at the beginning of a call, and what may be made of it. */
const detected: Record<LikelyListener, string> = {
  human: 'Detection says that a person picked up: an odd greeting alone makes no voicemail.',
  machine:
    'Detection says that a machine picked up. It is wrong about one call in ten, and takes menus for machines: go on as usual with a menu or a person, but when nobody speaks after a greeting, treat it as a voicemail.',
  fax: 'Detection says that a fax machine picked up: when nobody speaks, end_call with "gave-up".',
};

function localTime(now: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const [hours = '0', minutes = '0'] = parts.format(now).split(':');
  return clockTime(Number(hours) * 60 + Number(minutes));
}
