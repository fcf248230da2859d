import { type ItemKind, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { plainWords } from '../call-plan/words.ts';
import type { Evidence } from '../core/clause-value.ts';
import { evidenceIn } from '../core/evidence.ts';
import { limitsAnswer } from '../core/limits.ts';
import { reachReply } from '../core/reach-reply.ts';
import { isBareWord } from '../core/yes-no-value.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { Entity } from '../entities/entity.ts';
import { findEntities } from '../entities/find-entities.ts';
import { plain, tokenize } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import lexicon from '../language/en-US/polarity-words.json' with { type: 'json' };
import { spelledIdentifier, spokenPhoneNumber } from '../language/speech.ts';
import { negations } from '../understanding/features.ts';
import { guess } from '../understanding/linear-model.ts';
import { polarityFeatures } from '../understanding/polarity-features.ts';
import { type Heard, likelihood, type Move, modelOf } from '../understanding/understand.ts';
import { auxiliaries, beginsWithNo, beginsWithYes, plainWordsIn } from '../understanding/yes-and-no.ts';
import type { Leaning } from './memory.ts';
import type { TurnDraft } from './turn-draft.ts';

/*
 * A value that is easily misheard is read back once: numbers that are spelled, amounts that may mean another, and
 * values that were put right or told beside others. So is what an unsure answer leans to: a yes to "So that is a no. Is
 * that right?" is clearer than the question put once more.
 */

/** Recorded values wait here for the next turn of ours. */
export function noteForReadBack(draft: TurnDraft, item: PlanItem, evidence: Evidence, heard: Heard): void {
  if (isEasilyMisheard(item, evidence, heard)) noteItem(draft, item);
}

/** Another value was told after the recorded one, which is read back if it can be. */
export function readBackAmong(draft: TurnDraft, item: PlanItem): boolean {
  return counted.has(item.kind) && noteItem(draft, item);
}

/** What an unsure answer leans to waits to be read back; false when that was done before. */
export function readBackLeaning(draft: TurnDraft, item: PlanItem): boolean {
  return item.kind !== 'text' && noteItem(draft, item);
}

/** A surer answer came meanwhile: what the one before leaned to is not read back. */
export function dropLeaning({ memory }: TurnDraft, { key }: PlanItem): void {
  delete memory.leaned[key];
  if (memory.read_back.pending === key) memory.read_back.pending = null;
}

/** False when it was read back before. */
function noteItem({ memory }: TurnDraft, { key }: PlanItem): boolean {
  const { done, pending } = memory.read_back;
  if (done.includes(key)) return pending === key;
  memory.read_back = { pending: key, done: [...done, key] };
  return true;
}

const spelled: ReadonlySet<ItemKind> = new Set(['identifier', 'phone-number']);
const counted: ReadonlySet<ItemKind> = new Set(['money', 'percentage', 'number', 'date', 'date-time']);

const valued: ReadonlySet<Entity['type']> = new Set([...counted].flatMap((kind) => entityTypes[kind] ?? []));

function isEasilyMisheard({ kind }: PlanItem, evidence: Evidence, heard: Heard): boolean {
  if (spelled.has(kind)) return true;
  if (!counted.has(kind)) return false;
  const values = heard.entities.filter(({ type }) => valued.has(type));
  return (
    evidence.corrects ||
    new Set(values.map(({ value }) => JSON.stringify(value))).size > 1 ||
    // "Twelve fifty"
    values.some((entity) => entity.type === 'money' && entity.alternatives !== undefined)
  );
}

/** Says the value that waits, if one does. */
export function readBackValue(draft: TurnDraft): boolean {
  const { memory } = draft;
  const { pending } = memory.read_back;
  const item = pending === null ? undefined : draft.item(pending);
  const answer = pending === null ? undefined : (draft.answers.get(pending) ?? memory.leaned[pending]);
  if (item === undefined || answer === undefined || answer.value === null) {
    memory.read_back.pending = null;
    return false;
  }
  draft.say(`${sayBack(item, answer, memory.read_back.done.length)} ${closing}`, { kind: 'question' });
  memory.pending = valueReadBack;
  return true;
}

const valueReadBack = 'value-read-back';
const named = 'What is the ';
const yesNoReadBacks = ['So the answer is {value}.', 'So that is a {value}.', 'Then that is a {value}.'];

/** @param times how many values were read back, so that a yes or no is not always in the same words */
function sayBack(item: PlanItem, answer: Pick<RecordedAnswer, 'value' | 'answer'>, times: number): string {
  const { kind, question, read_back } = item;
  if (typeof answer.value === 'boolean') {
    const frame = yesNoReadBacks[times % yesNoReadBacks.length] ?? '';
    return frame.replace('{value}', answer.value ? 'yes' : 'no');
  }
  const spoken = spokenValue(item, answer);
  if (spelled.has(kind)) return `Let me read that back: ${spoken}.`;
  if (read_back !== null) return read_back.replace('{value}', spoken);
  return question.startsWith(named)
    ? `So the ${question.slice(named.length).replace('?', '')} is ${spoken}.`
    : `So that is ${spoken}.`;
}

function spokenValue(
  { kind }: PlanItem,
  { value, answer }: Pick<RecordedAnswer, 'value' | 'answer'>,
): string {
  if (kind === 'phone-number') return spokenPhoneNumber(String(value));
  return kind === 'identifier' ? spelledIdentifier(String(value)) : (answer ?? String(value));
}

/** "I'd have to look", "that's not showing": no confirmation either. */
const unconfirming = ['does-not-know', 'withholds', 'not-found', 'wrong-department'] as const;

/** "Correct as can be": a plain yes, and no plain no beside it. */
function saysYes({ moves }: Heard): boolean {
  return (
    moves.some(({ tokens }) => beginsWithYes(tokens)) &&
    !moves.some(({ tokens }) => plainWordsIn(tokens).has('no'))
  );
}

/**
 * Takes the reply to a value that was read back: confirmed, put right, or denied without the right one. False when
 * nothing was read back.
 */
export function settleReadBack(draft: TurnDraft, heard: Heard): boolean {
  const { memory } = draft;
  const { pending } = memory.read_back;
  if (memory.pending !== valueReadBack || pending === null) return false;
  // "Do what now?": it is read back again.
  if (likelihood(heard, 'asks-repeat', 'still-there', 'hold') >= leastUnheard) return true;
  memory.read_back.pending = null;
  const item = draft.item(pending);
  const known = draft.answers.get(pending);
  if (item === undefined) return true;
  if (known === undefined) {
    settleLeaning(draft, item, heard);
    return true;
  }
  const found = evidenceIn(heard, draft.plan, item, tierIn(draft)).filter(({ key }) => key === pending);
  const said = found.find(({ value }) => value !== null);
  const again = repeatsUnclear(heard, item, known) ? known : found.find((one) => isOnlyRepeated(one, known));
  const denies =
    heard.moves.some(({ tokens }) => beginsWithNo(tokens)) ||
    likelihood(heard, 'no', 'corrects', ...unconfirming) >= 0.6;
  const isDenied = !saysYes(heard) && denies && likelihood(heard, 'yes') < 0.4;
  const agrees = heard.moves.some(({ tokens, entities }) => beginsWithYes(tokens) && entities.length === 0);
  // "$25 for the first ten visits, $45 after that, and $15 at tier one": neither confirms nor puts right.
  const isUnclear = said !== undefined && said.confidence < leastSure && said.value !== known.value;
  if (isUnclear && !agrees) leaveForReview(draft, said);
  else if (said !== undefined && said.value !== known.value && !agrees) {
    const { key, value, answer, quote, turn } = said;
    draft.record({ key, value, answer, quote, turn, needs_review: false });
  } else if (again !== undefined && !agrees) leaveForReview(draft, again);
  else if (isDenied && said === undefined) {
    // "No, we lock up at nine": what stands instead needs no value.
    const [instead = known] = found.filter(({ confidence }) => confidence >= leastTold);
    const { answer, quote, turn } = instead;
    draft.record({ ...known, value: null, answer: answer ?? quote, quote, turn, needs_review: true });
  } else if (agrees) draft.record({ ...known, confirmed_at: heard.turn });
  return true;
}

/** "$40 in network" is no other copay of a provider out of network. */
function tierIn({ answers }: TurnDraft): readonly RecordedAnswer[] {
  const tier = answers.get('in_network');
  return tier === undefined ? [] : [tier];
}

function leaveForReview(
  draft: TurnDraft,
  { key, quote, turn }: Pick<Evidence, 'key' | 'quote' | 'turn'>,
): void {
  draft.record({ key, value: null, answer: quote, quote, turn, needs_review: true });
}

/** "Eight fifty" in reply to "So that is $850" may still mean $8.50: repeating unclear words confirms nothing. */
function isOnlyRepeated(said: Evidence | undefined, before: Pick<RecordedAnswer, 'quote'>): boolean {
  const isUnclear = said !== undefined && said.value !== 0 && said.confidence < leastClear;
  return isUnclear && plain(tokenize(said.quote)) === plain(tokenize(before.quote));
}

/** The same words again, whose amount has two meanings, however it was understood this time. */
function repeatsUnclear({ moves, today }: Heard, { kind }: PlanItem, { quote }: RecordedAnswer): boolean {
  const tokens = tokenize(quote);
  const isUnclear = findEntities(tokens, { today, expecting: entityTypes[kind] ?? [] }).some(
    (entity) => entity.type === 'money' && entity.alternatives !== undefined,
  );
  return isUnclear && moves.some((move) => plain(move.tokens) === plain(tokens));
}

const leastClear = 0.7;

/** Takes the reply to what an unsure answer leaned to; what stays unclear is asked for again or left to a person. */
function settleLeaning(draft: TurnDraft, item: PlanItem, heard: Heard): void {
  const leaning = draft.memory.leaned[item.key];
  if (leaning === undefined) return;
  const reply = disputes(heard, item, leaning) ? 'no' : assentIn(heard);
  // "There's no one here who'd know": a no to neither.
  if (reply !== 'yes' && likelihood(heard, 'does-not-know', 'withholds') >= leastUnknown) {
    leaveForReview(draft, { key: item.key, quote: leaning.quote, turn: leaning.turn });
    return;
  }
  // "Electronic, no."
  const isPlainNo = heard.moves.some(
    ({ tokens, acts }) => beginsWithNo(tokens) || (acts.get('no') ?? 0) >= leastDenied,
  );
  const { value, answer, quote, turn } = leaning;
  const rest = { ...heard, moves: heard.moves.filter((move) => !isBareWord(move)).map(behindReply) };
  const told = evidenceIn(rest, draft.plan, item, tierIn(draft)).find(
    (found) => found.key === item.key && found.value !== null && found.confidence >= leastTold,
  );
  const settled = { key: item.key, needs_review: false };
  // "It is, only for low-risk pregnancies": no yes to "So that is a yes".
  if (item.kind === 'yes-no' && limitsAnswer(item, heard)) {
    const words = { key: item.key, value: null, answer: heard.said, quote: heard.said, turn: heard.turn };
    draft.record({ ...words, needs_review: !isClientsOwn(item) });
    return;
  }
  // "It's $28.50": another value puts the first one right, whatever a yes it sounds like.
  const putsRight = told !== undefined && told.value !== value && counted.has(item.kind) && !saysYes(heard);
  const isAgain = counted.has(item.kind) && !saysYes(heard) && isOnlyRepeated(told, leaning);
  const words = new Set(heard.moves.flatMap(({ tokens }) => [...plainWordsIn(tokens)]));
  // "No, sorry, covered, yes", "No, tell your friends": denies the no, or repeats it. Only a no to "So that is a yes"
  // is clear.
  const mayDeny = isPlainNo && value === false && (words.has('yes') || told?.value !== false);
  if (told !== undefined && isAgain) leaveForReview(draft, told);
  else if (reply === 'yes' && !putsRight && !(value === false && takenUp(heard, item) === true))
    draft.record({ ...settled, value, answer, quote, turn, confirmed_at: heard.turn });
  else if (putsRight)
    draft.record({ ...settled, value: told.value, answer: told.answer, quote: told.quote, turn: told.turn });
  else if (
    reply !== 'yes' &&
    told !== undefined &&
    !(mayDeny && words.has('yes')) &&
    isClear(told, leaning, { denies: reply === 'no', isPlainNo })
  )
    draft.record({ ...settled, value: told.value, answer: told.answer, quote: told.quote, turn: told.turn });
  else if (isPlainNo && value === true && told?.value !== true)
    draft.record({ ...settled, value: false, answer: 'No', quote: heard.said, turn: heard.turn });
  else if (isPlainNo && value === false && !words.has('yes') && takenUp(heard, item) === false)
    draft.record({ ...settled, value, answer, quote: heard.said, turn: heard.turn });
  else if (mayDeny) {
    draft.memory.leaned[item.key] = { value: true, answer: 'Yes', quote: heard.said, turn: heard.turn };
    draft.memory.read_back.pending = item.key;
    // That there is none was said before, in words.
  } else if (reply !== null || value === 0) leaveForReview(draft, { key: item.key, quote, turn });
}

/** "Okay, I'm back. We don't do stairs": the opposite in words of the question, and no plain yes beside it. */
function disputes(heard: Heard, item: PlanItem, { value }: Leaning): boolean {
  return typeof value === 'boolean' && !saysYes(heard) && takenUp(heard, item) === !value;
}

/** "No walk right in": the reply to "Is that right?" is not one to the question before it. */
function behindReply(move: Move): Move {
  const [, ...behind] = move.tokens;
  const replies = beginsWithNo(move.tokens) || beginsWithYes(move.tokens);
  return replies && behind.length > 0 ? { ...move, tokens: behind } : move;
}

/** Whether a reply to "Is that right?" agrees, by all that judges a yes and a no. */
function assentIn(heard: Heard): 'yes' | 'no' | null {
  const judged = new Map(
    guess(modelOf('polarity'), polarityFeatures(closing, heard.tokens)).map((one) => [
      one.label,
      one.confidence,
    ]),
  );
  const isYes = saysYes(heard) || assents(heard) || reachReply(heard).label === 'confirms';
  const isNo = heard.moves.some(({ tokens }) => beginsWithNo(tokens));
  const yes = Math.max(isYes ? plainly : 0, likelihood(heard, 'yes'), judged.get('yes') ?? 0);
  const no = Math.max(isNo ? plainly : 0, likelihood(heard, 'no', 'corrects'), judged.get('no') ?? 0);
  if (Math.max(yes, no) < leastAssent) return null;
  return yes > no ? 'yes' : 'no';
}

/** "Exactly what I said", "you heard right": not "not quite right", nor another value. */
function assents({ tokens, entities }: Heard): boolean {
  const words = plain(tokens).split(' ');
  return (
    entities.length === 0 &&
    words.some((word) => assentWords.has(word)) &&
    !words.some((word) => negations.has(word))
  );
}

const assentWords = new Set(cues.assent.split(' '));

const leastUnheard = 0.5;
const leastUnknown = 0.6;
const closing = 'Is that right?';
const plainly = 0.9;
const leastAssent = 0.5;
const leastDenied = 0.6;
const leastTold = 0.4;
/** A value below this is one of several, or else uncertain. */
const leastSure = 0.55;
const leastOtherwise = 0.8;

/**
 * "No, it is" to a yes contradicts itself; to a no it puts it right. "No, that's her husband's" to a no may do either.
 */
function isClear(
  { value, quote, confidence }: Evidence,
  leaning: Leaning,
  { denies, isPlainNo }: { readonly denies: boolean; readonly isPlainNo: boolean },
): boolean {
  if (denies && value === false && leaning.value === false) return !isPlainNo || confidence >= leastOtherwise;
  if (denies && isPlainNo) return value !== true || leaning.value !== true;
  // The same words again say no more than they did; without a plain no, only sure words turn it around.
  return value === leaning.value ? value === 0 || quote !== leaning.quote : confidence >= leastOtherwise;
}

/**
 * "Yes, we do", "No, we don't": replies to the question before as well as to "So that is a no", and what they say of
 * it. "It is" is to this one. Null when nothing is taken up.
 */
function takenUp({ tokens }: Heard, { question }: PlanItem): boolean | null {
  const [asking = ''] = plainWords(question);
  const at = tokens.findIndex(({ norm }, index) => {
    const [auxiliary = ''] = tokens[index + 1]?.norm.split(' ') ?? [];
    const isOfReadBack = norm === 'it' && auxiliary === 'is' && asking !== 'is';
    return subjects.has(norm) && auxiliaries.has(auxiliary) && !isOfReadBack;
  });
  return at === -1
    ? null
    : !plain(tokens.slice(at + 1, at + 3))
        .split(' ')
        .includes('not');
}

const subjects = new Set(lexicon.subjects.split(' ').filter((word) => word !== 'that'));
