import type { CallPlan, PlanItem } from '../call-plan/call-plan.ts';
import { tokenize } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import {
  type ClauseValue,
  correctionWords,
  entityTypes,
  evidenceFor,
  isBareWord,
  plain,
} from './clause-value.ts';

/*
 * What words say about the items of a plan. By topic first: a clause that speaks of another item is no answer to ours;
 * by what was asked second. A counter-question is never an answer.
 */

export interface Evidence extends ClauseValue {
  /** The words answer the question that we had just asked. */
  readonly isAsked: boolean;
  /** The speaker takes back what was said before. */
  readonly corrects: boolean;
}

/** Acts that steer the conversation and tell nothing. */
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

/** A topic that the clause names surely enough to count for its item without having been asked. */
const leastTopic = 0.6;
/** A topic that keeps a clause from answering the question about another one. */
const leastOther = 0.5;
const topicsOfNothing: ReadonlySet<string> = new Set(['none', 'bare']);

/** Everything that these words say about the items of the plan, in the order said. */
export function evidenceIn(
  heard: Heard,
  plan: CallPlan,
  asked: PlanItem | null,
  /** Keys of the items answered so far, the last one last: what a correction that names nothing may mean. */
  answered: readonly string[] = [],
): Evidence[] {
  const found: Evidence[] = [];
  let corrects = false;
  let topic: PlanItem | null = null;
  // Who refuses or cannot tell answers nothing by a bare no.
  let isFirst = !heard.moves.some(refuses);
  for (const move of heard.moves) {
    corrects ||=
      (move.acts.get('corrects') ?? 0) >= leastCorrecting || (topic !== null && restates(move, topic));
    if (
      (move.isQuestion && !isTag(move)) ||
      (refuses(move) && !isNotOnFile(move) && !speaksOfAsked(move, asked))
    )
      continue;
    const about = topicOf(move, plan, asked);
    const ofTopic =
      about === null
        ? null
        : evidenceFor(about.item, move, heard, {
            topicLabel: about.label,
            sureness: about.item === asked ? Math.max(0.9, about.confidence) : about.confidence,
          });
    if (about !== null && ofTopic !== null) {
      topic = about.item;
      found.push({ ...ofTopic, isAsked: about.item.key === asked?.key, corrects });
      isFirst = false;
      if (asked !== null && hasOther(move, about.item, asked)) {
        const beside = evidenceFor(asked, move, heard, { topicLabel: null, sureness: 0.85 });
        if (beside !== null) found.push({ ...beside, isAsked: true, corrects });
      }
      continue;
    }
    if (
      (!mayAnswer(move) && !leansToAsked(move, asked)) ||
      speaksOfOther(move, asked) ||
      (isBareWord(move) && !isFirst)
    )
      continue;
    const target: PlanItem | null = corrects
      ? (topic ?? meantByCorrection(move, plan, answered) ?? asked)
      : asked;
    if (
      target === null ||
      (!corrects &&
        !concludes(move.text) &&
        target.kind !== 'text' &&
        found.some(({ key }) => key === target.key))
    )
      continue;
    const answer = evidenceFor(target, move, heard, { topicLabel: null, sureness: 0.9 });
    if (answer === null) continue;
    topic = target;
    isFirst = false;
    found.push({ ...answer, isAsked: target === asked, corrects });
  }
  const asksUs = heard.moves.some(wantsOfUs);
  return perItem(joinTexts(found, plan, heard), plan).map((evidence) =>
    asksUs ? weakened(evidence, plan) : evidence,
  );
}

/** "She's in network, so five percent": one clause that answers what was asked beside what it speaks of. */
function hasOther({ entities }: Move, item: PlanItem, asked: PlanItem): boolean {
  const types = entityTypes[asked.kind];
  return item.kind !== asked.kind && entities.some(({ type }) => types?.includes(type));
}

const leastCorrecting = 0.45;

/** "…, no wait, sixty-eight": begins by taking back, and gives another value of the same kind. */
function restates({ tokens, entities }: Move, topic: PlanItem): boolean {
  const begin = tokens.filter(({ kind }) => kind === 'word').slice(0, 3);
  const types = entityTypes[topic.kind];
  return (
    begin.some(({ norm }) => correctionWords.has(norm)) && entities.some(({ type }) => types?.includes(type))
  );
}

const refusing = [
  'withholds',
  'needs-member',
  'portal-only',
  'not-found',
  'refuses',
  'refuses-machine',
  'does-not-know',
  'wrong-department',
];

/** "We still need the report" names what was asked for, and refuses nothing. */
function speaksOfAsked({ claims: [best] }: Move, asked: PlanItem | null): boolean {
  return best !== undefined && best.confidence >= leastTopic && best.label.split('=')[0] === asked?.key;
}

/** That a claim is not on file is its status. */
function isNotOnFile({ claims }: Move): boolean {
  return claims[0]?.label === 'claim_status=not-on-file' && claims[0].confidence >= leastTopic;
}

function refuses({ acts }: Move): boolean {
  return refusing.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0) >= 0.5;
}

/** "I told you wrong on that date, it's the sixth": the last answer of that kind. */
function meantByCorrection({ entities }: Move, plan: CallPlan, answered: readonly string[]): PlanItem | null {
  for (const key of answered.toReversed()) {
    const item = plan.items.find((one) => one.key === key);
    const types = item === undefined ? undefined : entityTypes[item.kind];
    if (item !== undefined && entities.some(({ type }) => types?.includes(type))) return item;
  }
  return null;
}

/** A clause that more likely steers than tells is no answer; a value in it speaks for it. */
function mayAnswer({ acts, entities }: Move): boolean {
  let steers = 0;
  for (const [act, likelihood] of acts) if (steering.has(act)) steers += likelihood;
  return steers < (entities.length > 0 ? 0.7 : 0.5);
}

/** What sounds like an introduction may be the answer: "That would be Journeyman Dental." */
function leansToAsked({ claims, isQuestion }: Move, asked: PlanItem | null): boolean {
  const own = claims.find(({ label }) => label.split('=')[0] === asked?.key)?.confidence ?? 0;
  return !isQuestion && own >= leastLeaning;
}

const leastLeaning = 0.4;

/** "It's forty, okay?": the question mark asks for no more than attention. */
function isTag({ tokens, acts }: Move): boolean {
  return tokens.length > 3 && (acts.get('states') ?? 0) >= 0.6;
}

/**
 * What was just asked for is likelier meant than another item of the same kind, unless the clause says
 * otherwise clearly.
 */
const leastAgainstAsked = 0.97;
const leastClear = 0.85;

function topicOf(
  move: Move,
  plan: CallPlan,
  asked: PlanItem | null,
): { item: PlanItem; label: string; confidence: number } | null {
  const [best] = move.claims;
  if (best === undefined || best.confidence < leastTopic) return null;
  const [slot = ''] = best.label.split('=');
  const item = plan.items.find(({ key }) => key === slot);
  // What a run-on says at its end does not undo what it says clearly.
  if (
    item === undefined ||
    (steering.has(move.act) && move.confidence >= 0.6 && best.confidence < leastClear)
  )
    return null;
  const rivals = asked !== null && asked !== item && asked.kind === item.kind;
  if (rivals && best.confidence < leastAgainstAsked) return null;
  return { item, label: best.label, confidence: best.confidence };
}

/** The clause is about something else, or about another tier than we asked for. */
function speaksOfOther({ claims }: Move, asked: PlanItem | null): boolean {
  const [best] = claims;
  if (best === undefined || best.confidence < leastOther || topicsOfNothing.has(best.label)) return false;
  const [slot] = best.label.split('=');
  // Which tier a value is for is told by the words beside it.
  if (best.label === 'other_tier' || (best.confidence < leastAgainstAsked && asked !== null)) return false;
  return slot !== asked?.key && !(asked?.key.startsWith('question_') || asked?.key.startsWith('wish_'));
}

/** The move asks something about the matter, and does not merely invite more questions. */
function wantsOfUs({ acts, isQuestion }: Move): boolean {
  const asks = (acts.get('asks-fact') ?? 0) + (acts.get('asks-open') ?? 0);
  return asks >= 0.5 || (isQuestion && asks >= 0.3);
}

/** Whoever asks back before answering has not answered yet: what else they say explains their question. */
function weakened(evidence: Evidence, plan: CallPlan): Evidence {
  const isText = plan.items.find(({ key }) => key === evidence.key)?.kind === 'text';
  return isText && !evidence.corrects ? { ...evidence, confidence: evidence.confidence * 0.5 } : evidence;
}

/** One piece of evidence for each item: the correction, else the surest; two that contradict each other are unsure. */
function perItem(found: readonly Evidence[], plan: CallPlan): Evidence[] {
  const groups = Map.groupBy(found, ({ key }) => key);
  return [...groups].flatMap(([key, group]) => {
    const kind = plan.items.find((item) => item.key === key)?.kind;
    if (kind === 'text' || group.length === 1) return group;
    const share = kind === 'percentage' ? patientShare(group) : undefined;
    if (share !== undefined) return [share];
    const corrected = group.findLast(({ corrects, value }) => corrects && value !== null);
    if (corrected !== undefined) return [corrected];
    const concluding = group.findLast(({ quote, value }) => value !== null && concludes(quote));
    if (concluding !== undefined && kind !== 'yes-no') return [concluding];
    const surest = Math.max(...group.map(({ confidence }) => confidence));
    // Of values that are about as sure, the first is the one that was asked for.
    const best = group.find(({ confidence }) => confidence > surest - 0.15);
    if (best === undefined) return [];
    const isYesNo = typeof best.value === 'boolean';
    const hasRival = group.some(
      ({ value, confidence }) => value !== best.value && value !== null && confidence > surest - 0.2,
    );
    return [hasRival ? { ...best, confidence: best.confidence * (isYesNo ? 0.5 : 0.58) } : best];
  });
}

/** "…, so for hers it's fifty-five": of several values the one that is said to be the patient's. */
function concludes(quote: string): boolean {
  const said = plain(tokenize(quote)).split(' ');
  return said.some((word) => conclusionWords.has(word));
}

const conclusionWords = new Set(words.conclusion.split(' '));

/** "We pay eighty, she pays twenty": two shares of one whole, of which the patient's is the smaller. */
function patientShare(group: readonly Evidence[]): Evidence | undefined {
  const [one, other] = group;
  const isWhole = group.length === 2 && Number(one?.value) + Number(other?.value) === 100;
  return isWhole ? group.toSorted((a, b) => Number(a.value) - Number(b.value))[0] : undefined;
}

/** A free answer may go over several clauses; its quote is all of them as they stand. */
function joinTexts(found: readonly Evidence[], plan: CallPlan, heard: Heard): Evidence[] {
  const joined: Evidence[] = [];
  for (const evidence of found) {
    const before = joined.at(-1);
    const kind = plan.items.find(({ key }) => key === evidence.key)?.kind;
    if (kind === 'text' && before?.key === evidence.key)
      joined[joined.length - 1] = joinedText(before, evidence, heard);
    else joined.push(evidence);
  }
  return joined;
}

function joinedText(one: Evidence, other: Evidence, { said }: Heard): Evidence {
  const from = said.indexOf(one.quote);
  const to = said.indexOf(other.quote, from) + other.quote.length;
  const quote = said.slice(from, to);
  return {
    ...one,
    quote,
    answer: quote,
    value: one.value ?? other.value,
    confidence: Math.max(one.confidence, other.confidence),
  };
}
