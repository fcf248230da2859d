import type { Fact } from '../call-plan/call-plan.ts';
import { questionWords } from '../core/clause-topic.ts';
import { obstacleIn } from '../core/obstacles.ts';
import { hasQuestionMark } from '../entities/tokens.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { isOfItem } from './asked-of-us.ts';
import { leastEchoed, withoutStop } from './facts-asked.ts';
import type { TurnDraft } from './turn-draft.ts';
import { phrase, phraseInTurn } from './wording.ts';
import { plainWords } from './words.ts';

/* Confirms or corrects a fact that the person on the line reads back. */

/**
 * "So that's February nineteenth?": right, wrong with a correction, or not ours to confirm.
 *
 * @param bringsNothing whether the words answer nothing: "So that's $40 each time" asks nothing if they do
 */
export function confirmReadBack(draft: TurnDraft, heard: Heard, bringsNothing = true): boolean {
  // Scheduling handles times that are read back.
  const isOfTime = heard.entities.some(({ type }) => type === 'moment' || type === 'time');
  const asking = heard.moves.find(
    (move) => (move.acts.get('asks-confirmation') ?? 0) >= 0.5 && !isLeadIn(move, heard) && !asksWhich(move),
  );
  if (asking === undefined || isOfTime) return false;
  // "Still the same. It's only on the portal."
  if (!hasQuestionMark(asking.tokens) && obstacleIn(heard) !== null) return false;
  const said = heard.said.toLowerCase();
  const told = draft.memory.last_words.flatMap(({ fields }) => fields);
  const known = draft.view.facts.filter(({ field }) => told.includes(field));
  const contradicted = isOfItem(asking, leastEchoed)
    ? undefined
    : known.find((fact) => contradicts(fact, asking));
  if (contradicted !== undefined) {
    draft.say(`No, the ${contradicted.label} is ${withoutStop(contradicted.spoken)}.`, {
      fields: [contradicted.field],
    });
    return true;
  }
  const isKnown =
    known.length > 0 || draft.plan.facts.some(({ value }) => said.includes(value.toLowerCase()));
  const isOurs = isKnown || heard.entities.length === 0;
  // "July 12th, thank you. It was paid on the third.": who has gone on to tell something waits for no yes.
  const hasGoneOn = !bringsNothing && !hasQuestionMark(asking.tokens);
  if (hasGoneOn || (!isOurs && !bringsNothing)) return false;
  draft.say(isOurs ? phraseInTurn('confirm_right', draft.memory.turns) : phrase('confirm_unknown', 0));
  return true;
}

/** "And that's who?": no yes answers it. "Is that what you said?" is another matter. */
function asksWhich({ tokens }: Move): boolean {
  const words = plainWords(tokens);
  return [words[0], words.at(-1)].some((word) => word !== undefined && questionWords.has(word));
}

/** "Right, well, …" starts a sentence and requests nothing. */
function isLeadIn({ tokens, end }: Move, { moves }: Heard): boolean {
  const isWord = tokens.filter(({ kind }) => kind === 'word').length === 1;
  return isWord && !hasQuestionMark(tokens) && moves.some(({ start }) => start >= end);
}

/** The words name another value of the same kind. */
function contradicts(fact: Fact, { entities }: Move): boolean {
  const digits = digitsOf(fact.value);
  if (fact.topic === 'date-of-birth') {
    return entities.some(
      (entity) =>
        entity.type === 'date' && entity.value.precision === 'day' && entity.value.day !== fact.value,
    );
  }
  if (digits.length < 5) return false;
  return entities.some(
    (entity) =>
      (entity.type === 'identifier' || entity.type === 'phone') &&
      digitsOf(entity.value).length >= digits.length - 1 &&
      !digitsOf(entity.value).endsWith(digits) &&
      !digits.endsWith(digitsOf(entity.value)),
  );
}

function digitsOf(text: string): string {
  return [...text].filter((character) => character >= '0' && character <= '9').join('');
}
