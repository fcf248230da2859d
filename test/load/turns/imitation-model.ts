import {
  begin,
  end,
  type FakeBedrock,
  type Step,
  startFakeBedrock,
  text,
} from '../../support/fake-bedrock.ts';

/** What the person says to hear the imitation go on and on. */
export const askForAll = 'Please read all of it to me.';

/** Nothing in it that the agent would have to check before it is spoken. */
const short = 'I see. Could you say that in other words?';
const long = 'Then there is one more thing that I would like to say about it. '.repeat(10);
/** Every one is a frame of its own. */
export const wordsOfLongAnswer = long.trim().split(' ').length;
/** Language models give about thirty words a second. */
const betweenWordsMs = 33;

/**
 * A server that answers as Amazon Bedrock does and at once: with one sentence, or, when it is asked for all of it, with
 * four seconds of them.
 */
export function startImitationModel(): Promise<FakeBedrock> {
  return startFakeBedrock(({ messages }) => {
    const last =
      messages
        .at(-1)
        ?.content.map((block) => block.text ?? '')
        .join(' ') ?? '';
    return last.includes(askForAll) ? goingOn() : [begin, ...text(short), ...end('end_turn')];
  });
}

function goingOn(): Step[] {
  const words = (long.match(/\S+\s*/g) ?? []).flatMap((word): Step[] => [
    { event: 'contentBlockDelta', payload: { contentBlockIndex: 0, delta: { text: word } } },
    { waitMs: betweenWordsMs },
  ]);
  return [
    begin,
    ...words,
    { event: 'contentBlockStop', payload: { contentBlockIndex: 0 } },
    ...end('end_turn'),
  ];
}
