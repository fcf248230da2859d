import type { StaffedDesk } from './character.ts';
import type { Topic } from './desk.ts';
import { type Heard, type Sentence, wordsOf } from './heard.ts';
import { openNeed } from './needs.ts';
import { meantBy } from './pattern.ts';
import { placeholdersOf } from './phrase.ts';
import { openDesk } from './purpose.ts';
import { type Turn, unique } from './turn.ts';

export interface Topics {
  readonly asked: readonly Topic[];
  readonly mentioned: readonly Topic[];
}

/** The topics the caller asks about, and those they only mention. */
export function topicsIn(turn: Turn, heard: Heard): Topics {
  const { desks, defaults } = turn.character;
  const own = turn.desk()?.topics ?? [];
  const others = desks.filter((desk) => desk.desk !== turn.draft.desk).flatMap((desk) => desk.topics);
  const asked: Topic[] = [];
  const mentioned: Topic[] = [];
  const everybodys = [...defaults.topics, ...asksForUs(turn)];
  for (const sentence of heard.sentences) {
    let meant = meantTopics(sentence, [...own, ...everybodys]);
    if (meant.length === 0 && turn.draft.asking === null) meant = meantTopics(sentence, others);
    const isQuestion = sentence.asks || isKeywordQuestion(sentence);
    (isQuestion ? asked : mentioned).push(...meant);
  }
  return { asked: unique(asked), mentioned: unique(mentioned) };
}

/** "Hi, is this Lakeside?": a caller who says the name of the place or the person wants it confirmed. */
function asksForUs({ character }: Turn): Topic[] {
  const names = [...wordsOf(character.business), ...wordsOf(character.name)].filter(
    (word) => word.length > 2,
  );
  const topic = character.defaults.topics.find(({ asked_by: patterns }) =>
    patterns.includes('have i reached'),
  );
  return topic === undefined ? [] : [{ ...topic, asked_by: [`is this ... ${names.join('/')}`] }];
}

function meantTopics(sentence: Sentence, topics: readonly Topic[]): Topic[] {
  return meantBy(sentence, topics, (topic) => topic.asked_by);
}

/** "And the fax number." asks without a question mark; a longer sentence, or thanks, tells something. */
function isKeywordQuestion(sentence: Sentence): boolean {
  return (
    sentence.words.length <= 7 &&
    !/\b(thank|thanks|got|noted|great|is|was|are|perfect)\b/.test(sentence.words.join(' '))
  );
}

/** Answers what it may and defers the rest until the person knows enough. */
export function answerOrPostpone(turn: Turn, asked: readonly Topic[], parts: (string | null)[]): void {
  const { draft } = turn;
  for (const topic of asked) {
    const desk = turn.character.desks.find((one) => one.topics.includes(topic));
    if (desk !== undefined && draft.desk === null && !topic.is_public) openDesk(turn, desk);
    if (topic.is_public || desk === undefined || openNeed(turn, desk) === null) {
      if (desk !== undefined && draft.asking === null && !topic.is_public) openDesk(turn, desk);
      parts.push(
        isOfBooking(turn, topic, desk) && draft.booking === null
          ? turn.phrase('nothing booked', turn.character.defaults.nothing_booked)
          : answer(turn, topic),
      );
    } else if (!draft.pending.includes(topic.topic)) {
      draft.pending = [...draft.pending, topic.topic];
    }
  }
}

/** A number that a person who gives appointments can only give with one. */
function isOfBooking(turn: Turn, topic: Topic, desk: StaffedDesk | undefined): boolean {
  return (
    desk?.calendar !== undefined &&
    topic.says.flatMap(placeholdersOf).some((name) => turn.character.facts[name]?.type === 'identifier')
  );
}

export function answerPending(turn: Turn): (string | null)[] {
  const topics = turn.character.desks.flatMap((desk) => desk.topics);
  const due = turn.draft.pending.filter((name) => !turn.draft.answered.includes(name));
  turn.draft.pending = [];
  return due.map((name) =>
    answer(
      turn,
      topics.find((topic) => topic.topic === name),
    ),
  );
}

/** The topic of the last vague answer, when asked for precision. */
export function answerMorePrecisely(turn: Turn): string | null {
  const name = turn.draft.vagueAbout.findLast((topic) => !turn.draft.answered.includes(topic));
  const topics = turn.character.desks.flatMap((desk) => desk.topics);
  return answer(
    turn,
    topics.find((topic) => topic.topic === name),
  );
}

export function answer(turn: Turn, topic: Topic | undefined): string | null {
  if (topic === undefined) return null;
  const { draft } = turn;
  const isFirstTime = !draft.vagueAbout.includes(topic.topic) && !draft.answered.includes(topic.topic);
  if (
    isFirstTime &&
    topic.vaguely.length > 0 &&
    turn.happens(`vague about ${topic.topic}`, turn.character.temper.vague)
  ) {
    draft.vagueAbout = [...draft.vagueAbout, topic.topic];
    turn.answers = [...turn.answers, topic.topic];
    return turn.phrase(`vaguely ${topic.topic}`, topic.vaguely);
  }
  const asked = turn.timesNoted(`topic ${topic.topic}`);
  const said = turn.telling(`topic ${topic.topic}`, topic.says, topic.tells);
  if (said === null) return null;
  turn.presses = topic.presses ?? turn.presses;
  turn.isInformative ||= turn.character.desks.some((desk) => desk.topics.includes(topic));
  draft.answered = [...draft.answered.filter((name) => name !== topic.topic), topic.topic];
  turn.answers = [...turn.answers, topic.topic];
  return turn.unlessTooOften(asked, said);
}
