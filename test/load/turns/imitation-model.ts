import {
  begin,
  end,
  type FakeBedrock,
  type Step,
  startFakeBedrock,
  text,
} from '../../support/fake-bedrock.ts';

/** What the person says to make the imitation talk on and on. */
export const askForAll = 'Please read all of it to me.';

/** Contains nothing that the agent would have to check before speaking. */
const short = 'I see. Could you say that in other words?';
const long = 'Then there is one more thing that I would like to say about it. '.repeat(10);
/** Each is sent in a frame of its own. */
export const wordsOfLongAnswer = long.trim().split(' ').length;
/** Language models produce about thirty words a second. */
const betweenWordsMs = 33;

/**
 * A server that responds like Amazon Bedrock, but immediately: with one sentence or, if asked for all of it, with
 * four seconds of sentences.
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
