import { type CallPlan, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { contentWords } from '../call-plan/words.ts';
import type { Entity } from '../entities/entity.ts';
import { hasQuestionMark } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { commonGround } from '../understanding/answer-relevance.ts';
import { isAkin } from '../understanding/polarity-features.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import {
  auxiliaries,
  beginsWithNo,
  beginsWithYes,
  noWords,
  subjects,
  yesWords,
} from '../understanding/yes-and-no.ts';
import { saysNotOnFile } from './claim-status.ts';
import { clearAmount, likelyValues } from './meant-value.ts';
import { namesSomebody } from './open-answer.ts';
import { isOfOtherTier, otherTier } from './other-tier.ts';

/* The topic of a clause, and whether it can answer the question at all. */

/** They steer the conversation. */
const steering: ReadonlySet<string> = new Set([
  'greeting',
  'introduces-place',
  'introduces-person',
  'offers-help',
  'asks-fact',
  'asks-open',
  'asks-machine',
  'asks-repeat',
  'asks-spell',
  'still-there',
  'asks-confirmation',
  'asks-preference',
  'hold',
  'back',
  'transfer',
  'acknowledges',
  'go-ahead',
  'invites-more',
  'closes',
  'injection',
  'sales',
  'menu',
  'announcement',
  'mailbox',
  'does-not-know',
  'withholds',
  'opts-out',
  'refuses',
  'refuses-machine',
  'wrong-number',
]);

/** A topic named with enough certainty to count for its item unasked. */
const leastTopic = 0.6;
/** A topic that prevents a clause from answering a question about another one. */
const leastOther = 0.5;
/** A clause that is almost certainly about nothing does not name a plan. */
const leastNothing = 0.95;
/** They do not say what a value means. */
export const topicsOfNothing: ReadonlySet<string> = new Set(['none', 'bare']);

/** How clearly a clause must name an item among several candidates. */
export const leastNamed = 0.1;

/** A clause that more likely steers than tells is not an answer; a value in it is evidence for one. */
export function mayAnswer(move: Move, asked: PlanItem | null): boolean {
  const { acts, entities, tokens } = move;
  const isNamed = asked !== null && namesSomebody(asked.question, tokens);
  const beside = hasQuestionMark(tokens) ? endings : unmarkedEndings;
  const aside = givesValue(move, asked) ? beside : isNamed ? pointing : asksForName(asked) ? naming : noActs;
  let steers = 0;
  for (const [act, likelihood] of acts) if (steering.has(act) && !aside.has(act)) steers += likelihood;
  return steers < (entities.length > 0 ? 0.7 : 0.5);
}

/** The kind of value that was asked for; not the four of "Wait one, van four calling". */
function givesValue({ entities, acts }: Move, asked: PlanItem | null): boolean {
  const types = asked === null || !exact.has(asked.kind) ? [] : (entityTypes[asked.kind] ?? []);
  const isWaiting = (acts.get('hold') ?? 0) >= leastWaiting;
  return entities.some((entity) => types.includes(entity.type) && !(isWaiting && isLabel(entity)));
}

/** A bare number that small may count or name anything. */
function isLabel({ type, value, certainty }: Entity): boolean {
  const isBare = type === 'number' || (type === 'money' && certainty < clearAmount);
  return isBare && typeof value === 'number' && value < 10;
}

const leastWaiting = 0.5;

const noActs: ReadonlySet<string> = new Set();
/**
 * Words about the requested amount or number are the answer, whatever accompanies them: "40,
 * what else", "let me add that again, 40".
 */
const exact: ReadonlySet<string> = new Set(['money', 'percentage', 'number', 'identifier']);
const endings: ReadonlySet<string> = new Set([
  'invites-more',
  'closes',
  'acknowledges',
  'transfer',
  'announcement',
  'hold',
  'asks-repeat',
  // "Put down T46560-B."
  'introduces-person',
  'introduces-place',
]);
/** "88-1207, if I'm reading it right" */
const unmarkedEndings: ReadonlySet<string> = new Set([...endings, 'asks-confirmation']);

/** A name resembles an introduction, and never occurs in a clause about something else. */
const naming: ReadonlySet<string> = new Set(['introduces-place', 'introduces-person', 'sales']);

/** "You want Odette Marchand", asked whom to talk to. */
const pointing: ReadonlySet<string> = new Set([...naming, 'asks-preference', 'asks-open']);

function asksForName(asked: PlanItem | null): boolean {
  return asked?.key === 'plan_name' || asked?.kind === 'name';
}

/** Words like an introduction may be the answer: "That would be Journeyman Dental." */
export function leansToAsked({ claims }: Move, asked: PlanItem | null): boolean {
  return (claims.find(({ label }) => label.split('=')[0] === asked?.key)?.confidence ?? 0) >= leastLeaning;
}

/** "So it's the Gold Choice?", "Reason is the code.": some people answer in words that sound like a question. */
export function isUpspeak(move: Move, asked: PlanItem | null): boolean {
  const tells = (move.acts.get('states') ?? 0) + (move.acts.get('asks-confirmation') ?? 0);
  const [best] = move.claims;
  const isOfAsked = best?.label.split('=')[0] === asked?.key && (best?.confidence ?? 0) >= leastCertain;
  const isMarked = hasQuestionMark(move.tokens);
  const isGiven = !isMarked && givesValue(move, asked);
  return (tells >= 0.6 && (isGiven || leansToAsked(move, asked))) || (isOfAsked && !isMarked);
}

const leastCertain = 0.95;

const leastLeaning = 0.4;

/** "It's forty, okay?": the question mark only asks for attention. */
export function isTag({ tokens, acts }: Move): boolean {
  return tokens.length > 3 && (acts.get('states') ?? 0) >= 0.6;
}

/**
 * The item just asked is more likely than another of the same kind, unless the clause clearly says
 * otherwise.
 */
const leastAgainstAsked = 0.97;
const leastClear = 0.85;

export function topicOf(
  move: Move,
  heard: Heard,
  plan: CallPlan,
  asked: PlanItem | null,
): { item: PlanItem; label: string; confidence: number } | null {
  const [best] = move.claims;
  if (best === undefined || best.confidence < leastTopic) return null;
  const [slot = '', value] = best.label.split('=');
  const item = plan.items.find(({ key }) => key === slot);
  if (asked !== null && item?.kind === 'yes-no' && item !== asked && takesUp(move, asked))
    return { item: asked, label: `${asked.key}=${value}`, confidence: best.confidence };
  // The end of a run-on does not undo its clear statement.
  if (
    item === undefined ||
    (steering.has(move.act) && move.confidence >= 0.6 && best.confidence < leastClear)
  )
    return null;
  if (item !== asked && (isOnlyTier(item, move) || isOfOtherTier(move, heard))) return null;
  // A plan's name may be any words: "Plan B Active", "Heron Silver, closed".
  if (asksForName(asked) && item !== asked && best.confidence < leastAgainstAsked) return null;
  const rivals = asked !== null && asked !== item && asked.kind === item.kind;
  const isOther =
    rivals && best.confidence >= leastAgainst(move, asked) && !isLikelier(asked, item, move, heard);
  if (rivals && !isOther && !isToldBeside(asked, move, heard)) return null;
  // "A claim. I see.": hardly a statement, unless it was requested.
  if (item !== asked && isShort(move) && best.confidence < leastAgainstAsked) return null;
  return { item, label: best.label, confidence: best.confidence };
}

/** "Covered, yeah", asked whether the coverage is active: in the question's own words. */
export function takesUp({ text }: Move, { kind, question }: PlanItem): boolean {
  const asked = contentWords(question);
  const said = contentWords(text).filter((word) => !yesWords.has(word) && !noWords.has(word));
  return kind === 'yes-no' && said.length > 0 && said.every((word) => asked.some((one) => isAkin(one, word)));
}

/** "She meet $215 so far", asked what was met: no other item is likelier by the words around the value. */
function isLikelier(asked: PlanItem, item: PlanItem, { entities }: Move, heard: Heard): boolean {
  const [own, other] = [asked, item].map((one) =>
    Math.max(
      0,
      ...likelyValues(one, heard, { isOutside: false, isTaken: () => false })
        .filter(({ entity }) => entities.includes(entity))
        .map(({ likelihood }) => likelihood),
    ),
  );
  return (own ?? 0) > (other ?? 0);
}

function isShort({ tokens }: Move): boolean {
  return tokens.filter(({ kind }) => kind === 'word' || kind === 'number').length <= 2;
}

/** "Out of network it's forty percent" gives a value, not the provider's status. */
export function isOnlyTier({ key }: Pick<PlanItem, 'key'>, { entities }: Move): boolean {
  return key === 'in_network' && entities.some(({ type }) => type === 'money' || type === 'percent');
}

/** How strongly the clause refers to an item. */
function suits({ claims }: Move, { key }: PlanItem): number {
  return claims.find(({ label }) => label.split('=')[0] === key)?.confidence ?? 0;
}

/** A clause without the item's words needs less to rule it out. */
function leastAgainst(move: Move, asked: PlanItem): number {
  return suits(move, asked) < leastSuiting ? leastClear : leastAgainstAsked;
}

const leastSuiting = 0.05;

/** "Surgery, yes": a plain word about what the question does not name. */
export function isOfFragment({ tokens }: Move, before: Move | undefined, { question }: PlanItem): boolean {
  const isPlain = tokens.filter(({ kind }) => kind === 'word').length === 1;
  if (!isPlain || before?.tokens.at(-1)?.kind !== 'comma' || isInterjection(before)) return false;
  const isReply = beginsWithYes(tokens) || beginsWithNo(tokens);
  const { share, similar } = commonGround(question, before.tokens);
  return isReply && contentWords(before.text).length <= mostOfFragment && share + similar === 0;
}

const mostOfFragment = 2;

/** "There's five hundred remaining", asked how much was met: another item's figure, or not; asked again. */
export function isDoubtful(move: Move, plan: CallPlan, asked: PlanItem): boolean {
  const [best] = move.claims;
  if (best === undefined || best.confidence < leastTopic || suits(move, asked) >= leastSuiting) return false;
  const other = plan.items.find(({ key }) => key === best.label);
  return other !== undefined && other !== asked && other.kind === asked.kind;
}

/** "The deductible is nine hundred. She has met forty": another clause has a value that suits the question better. */
function isToldBeside(asked: PlanItem, move: Move, { moves }: Heard): boolean {
  const types = entityTypes[asked.kind];
  return moves.some(
    (other) =>
      suits(other, asked) > Math.max(leastNamed, suits(move, asked)) &&
      other.entities.some(({ type }) => types?.includes(type)),
  );
}

/** A method is given by a number or an address. */
const meansOf: ReadonlySet<string> = new Set([
  'phone',
  'address',
  'hours',
  'send_documents_to',
  'instructions',
]);

/** "Two seconds": a request to wait, except if a number, or a client's own question, was asked. */
export function isMoment({ tokens, entities: [first, ...others] }: Move, asked: PlanItem | null): boolean {
  if (first?.type !== 'quantity' || others.length > 0 || !moments.has(first.value.unit ?? '')) return false;
  const isAlone = tokens.every(({ kind, start }) => kind !== 'word' || start >= first.start);
  return isAlone && (asked === null || (!isClientsOwn(asked) && waitable.has(asked.kind)));
}

const moments: ReadonlySet<string> = new Set(['second', 'minute']);
const waitable: ReadonlySet<string> = new Set(['text', 'yes-no']);

/** The clause is about something else, or about another tier than we asked. */
export function speaksOfOther(move: Move, asked: PlanItem | null, corrects: boolean): boolean {
  const [best] = move.claims;
  if (best === undefined || best.confidence < leastOther) return false;
  if (topicsOfNothing.has(best.label))
    return asksForName(asked) && best.label === 'none' && best.confidence >= leastNothing;
  const [slot = ''] = best.label.split('=');
  // The words beside a value give its tier.
  if (best.label === otherTier || (slot !== asked?.key && isOnlyTier({ key: slot }, move))) return false;
  if (asked?.kind === 'text' && meansOf.has(slot)) return false;
  if (asked !== null && onlyRestates(move, asked)) return true;
  const least = asksForName(asked) ? leastClear : leastAgainstAsked;
  if (best.confidence < least && (asked !== null || corrects)) return false;
  return slot !== asked?.key && !(asked !== null && isClientsOwn(asked));
}

/** "Yes, it is required", asked how to request it: the premise of a question does not answer it. */
function onlyRestates(move: Move, asked: PlanItem): boolean {
  const [best] = move.claims;
  const [slot, value] = best?.label.split('=') ?? [];
  const premise = asked.only_if?.while_open === false ? asked.only_if.key : null;
  return slot === premise && value !== undefined && suits(move, asked) < leastNamed;
}

/** "I transposed that. The amount met is …": of the two, the item with repeated words is meant. */
export function takesUpMore({ tokens }: Move, asked: PlanItem | null, topic: PlanItem | null): boolean {
  if (asked === null || topic === null || asked === topic) return false;
  const [own, other] = [asked, topic].map(({ question }) => commonGround(question, tokens).share);
  return (own ?? 0) > (other ?? 0);
}

/** The move asks something about the matter, and does not merely invite more questions. */
export function wantsOfUs({ acts, isQuestion }: Move): boolean {
  const asks = (acts.get('asks-fact') ?? 0) + (acts.get('asks-open') ?? 0);
  return asks >= 0.5 || (isQuestion && asks >= 0.3);
}

/** A person who refers to themselves requests it. */
export const firstPerson: ReadonlySet<string> = new Set(cues.first_person.split(' '));

/** "What do they bring": to themselves, unless it is a question to us. */
export function asksInForm({ tokens }: Move): boolean {
  const [first, second] = tokens.filter(({ kind }) => kind === 'word');
  const [word = '', next = ''] = [first?.norm, second?.norm];
  return (auxiliaries.has(word) && subjects.has(next)) || (questionWords.has(word) && auxiliaries.has(next));
}

export const questionWords: ReadonlySet<string> = new Set(cues.question_words.split(' '));

/** "We still need the report" names the requested item, and refuses nothing. */
export function speaksOfAsked({ claims: [best] }: Move, asked: PlanItem | null): boolean {
  return best !== undefined && best.confidence >= leastTopic && best.label.split('=')[0] === asked?.key;
}

/** "Not on file" is a claim's status. */
export function isNotOnFile(move: Move): boolean {
  const [best] = move.claims;
  const isLikely = best?.label === 'claim_status=not-on-file' && best.confidence >= leastTopic;
  return isLikely || saysNotOnFile(move);
}

/** "Ah," says nothing, whatever follows. */
export function isInterjection({ tokens }: Move): boolean {
  return tokens.every(({ kind, norm }) => kind !== 'word' || interjections.has(norm));
}

const interjections = new Set(cues.interjections.split(' '));
