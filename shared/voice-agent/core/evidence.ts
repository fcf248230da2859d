import { type CallPlan, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { contentWords } from '../call-plan/words.ts';
import { relevanceOf } from '../understanding/answer-relevance.ts';
import { hasPlainSign, isAkin, signOf } from '../understanding/polarity-features.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { beginsWithNo, beginsWithYes } from '../understanding/yes-and-no.ts';
import { statusNamedIn } from './claim-status.ts';
import {
  asksInForm,
  isDoubtful,
  isInterjection,
  isMoment,
  isNotOnFile,
  isOfFragment,
  isTag,
  isUpspeak,
  leansToAsked,
  leastNamed,
  mayAnswer,
  speaksOfAsked,
  speaksOfOther,
  takesUpMore,
  topicOf,
  wantsOfUs,
} from './clause-topic.ts';
import { type Evidence, evidenceFor } from './clause-value.ts';
import {
  isCorrection,
  type Known,
  restates,
  type Topic,
  takeBack,
  takenBackOf,
  tellsNew,
} from './corrections.ts';
import { correctedEvidence, lateCorrectionIn, partsBeside } from './late-correction.ts';
import { limitedAsAWhole } from './limits.ts';
import { namesTheirNeed } from './named-need.ts';
import { onePerItem } from './one-of-several.ts';
import { isOfOtherClaim, isOfOtherMember } from './other-tier.ts';
import { isDismissal, isReproach, leadsInto, refuses } from './refusals.ts';
import { doubted, doubtful, isAhead, screened, wholes } from './screened-evidence.ts';
import { toldBeside } from './told-beside.ts';
import { answerBeside, topicBeside } from './topic-beside.ts';
import { isBareWord } from './yes-no-value.ts';

/*
 * What words say about the items of a plan. By topic first: a clause that speaks of another item is no answer to ours;
 * by what was asked second. A counter-question is never an answer.
 */

/** "No email", "that's the film library": takes up the words of the question, however much it sounds like a refusal. */
function answersPlainly({ tokens, acts }: Move, asked: PlanItem | null): boolean {
  if (asked === null || (acts.get('does-not-know') ?? 0) >= leastUnknown) return false;
  const isAkin = relevanceOf(asked.question, tokens) >= leastAkin;
  if (asked.kind === 'yes-no') return isAkin && hasPlainSign(asked.question, tokens);
  return isAkin && asked.kind === 'text' && isClientsOwn(asked);
}

/** "Not in front of me", asked whether they are in network: surely no answer, however it sounds. */
function lacksAnswer({ acts, text }: Move, asked: PlanItem | null): boolean {
  const named = contentWords(asked?.question ?? '');
  const isNamed = contentWords(text).some((word) => named.some((one) => isAkin(one, word)));
  return asked?.kind === 'yes-no' && (acts.get('does-not-know') ?? 0) >= surelyUnknown && !isNamed;
}

const surelyUnknown = 0.8;

/** The "not" of "not something I have", cut off from what it denies. */
function isCutOff({ tokens }: Move, next: Move | undefined): boolean {
  const [only, ...others] = tokens;
  return only?.norm === 'not' && others.length === 0 && next !== undefined;
}

/** "Yep, bye now" answers nothing. */
function isFarewell({ act, confidence }: Move): boolean {
  return act === 'closes' && confidence >= leastClosing;
}
const leastClosing = 0.6;
const leastUnknown = 0.4;
const leastAkin = 0.35;

/** "Out of network? No, they're in": what is answered at once was not told. */
function isEcho(next: Move | undefined): boolean {
  return next !== undefined && (beginsWithYes(next.tokens) || beginsWithNo(next.tokens));
}

/** Everything that these words say about the items of the plan, in the order said. */
export function evidenceIn(
  heard: Heard,
  plan: CallPlan,
  asked: PlanItem | null,
  /** What was answered so far, the last one last: what a correction may mean, and which tier is the patient's. */
  known: readonly Known[] = [],
): Evidence[] {
  const correction = lateCorrectionIn(heard, asked, plan, known);
  const corrected = correction === null ? null : correctedEvidence(correction, heard);
  if (correction === null || corrected === null || isAhead(corrected, plan, heard))
    return evidenceBeside(heard, plan, asked, known);
  // "No, that was last year's. It's $25. Covered, sure": a no that leads to the correction answers nothing.
  const parts = partsBeside(correction, heard).map((part) =>
    evidenceBeside(part, plan, asked, known).filter(({ key }) => key !== correction.item.key),
  );
  const answers = (part: readonly Evidence[]): boolean =>
    part.some(({ isAsked, value, confidence }) => {
      return isAsked && (value !== null || asked?.kind === 'text') && confidence >= leastUnknown;
    });
  return [corrected, ...(parts.find(answers) ?? parts[0] ?? [])];
}

function evidenceBeside(
  heard: Heard,
  plan: CallPlan,
  asked: PlanItem | null,
  known: readonly Known[],
): Evidence[] {
  const found: Evidence[] = [];
  const isOutside = known.some(({ key, value }) => key === 'in_network' && value === false);
  /** What the known answers say of an item's values. */
  const boundsOf = (item: PlanItem) => ({
    isOutside,
    whole: known.find(({ key }) => key === wholes[item.key])?.value ?? null,
    taken: new Set(known.flatMap(({ key, value }) => (key === item.key || value === 0 ? [] : [value]))),
  });
  let corrects = false;
  let topic: PlanItem | null = null;
  // Who refuses, cannot tell or did not hear us answers nothing by a bare no.
  let isFirst = !heard.moves.some(
    (move) => refuses(move, null) || (move.acts.get('asks-repeat') ?? 0) >= 0.6,
  );
  for (const [at, move] of heard.moves.entries()) {
    // "It says terminated… no, pardon me": what was said right before is taken back. "Not six" speaks of another.
    const isCorrecting = isCorrection(move) && !tellsNew(move, [...found, ...known]);
    if (isCorrecting && move.tokens[0]?.norm !== 'not') takeBack(found, heard.moves[at - 1], known);
    corrects ||= isCorrecting || (topic !== null && restates(move, heard.moves.slice(0, at), topic));
    if (
      ((isInterjection(move) || isFarewell(move) || isReproach(move.tokens)) && move.entities.length === 0) ||
      isMoment(move, asked) ||
      (plan.callee === 'claims-department' && isOfOtherClaim(move, heard)) ||
      (plan.callee === 'insurer' && isOfOtherMember(move)) ||
      isDismissal(move.tokens) ||
      (leadsInto(move) && refuses(heard.moves[at + 1] ?? move, asked)) ||
      (move.isQuestion &&
        (isEcho(heard.moves[at + 1]) ||
          lacksValue(move, asked) ||
          !(isTag(move) || isUpspeak(move, asked) || namesTheirNeed(move, asked, heard)))) ||
      (asked?.kind === 'text' && asksInForm(move)) ||
      (refuses(move, asked) &&
        !isNotOnFile(move) &&
        !(speaksOfAsked(move, asked) && !lacksAnswer(move, asked)) &&
        !answersPlainly(move, asked)) ||
      isCutOff(move, heard.moves[at + 1])
    )
      continue;
    const named = topicOf(move, heard, plan, asked);
    const about: Topic | null =
      takenBackOf(heard.moves.slice(Math.max(0, at - 1), at + 2), move, plan, asked, known) ??
      (corrects && named?.item.kind === 'text' && hasValueOf(asked, move) ? null : named);
    const besideTopic = topicBeside(move, plan, [asked, about?.item ?? null]);
    const told =
      besideTopic === null
        ? null
        : evidenceFor(besideTopic, move, heard, {
            topicLabel: null,
            sureness: 0.75,
            ...boundsOf(besideTopic),
          });
    if (told !== null && told.value !== null) found.push({ ...told, isAsked: false, corrects: false });
    const plainly = answerBeside(move, { heard, plan, asked, taken: [about?.item ?? null, besideTopic] });
    const stated =
      plainly === null
        ? null
        : evidenceFor(plainly.item, move, heard, {
            topicLabel: plainly.label,
            sureness: statedPlainly,
            ...boundsOf(plainly.item),
          });
    if (stated !== null && stated.value !== null) found.push({ ...stated, isAsked: false, corrects: false });
    const ofTopic =
      about === null
        ? null
        : evidenceFor(about.item, move, heard, {
            topicLabel: about.label,
            sureness: about.item === asked ? Math.max(0.9, about.confidence) : about.confidence,
            ...boundsOf(about.item),
          });
    if (about !== null && ofTopic !== null) {
      topic = about.item;
      const isTakenBack = about.corrects === true;
      found.push({
        ...ofTopic,
        isAsked: about.item.key === asked?.key,
        corrects: corrects || isTakenBack,
      });
      isFirst = false;
      if (asked !== null && hasOther(move, about.item, asked)) {
        const topicLabel = namedBeside(move, asked);
        const beside = evidenceFor(asked, move, heard, {
          topicLabel,
          sureness: 0.85,
          ...boundsOf(asked),
        });
        if (beside !== null) found.push({ ...beside, isAsked: true, corrects });
      }
      continue;
    }
    if (
      (!mayAnswer(move, asked) &&
        !leansToAsked(move, asked) &&
        !namesTheirNeed(move, asked, heard) &&
        !(asked?.kind === 'yes-no' && answersPlainly(move, asked))) ||
      speaksOfOther(move, asked, corrects) ||
      (isBareWord(move) && !isFirst && !isLast(found, asked) && !answersPlainly(move, asked))
    )
      continue;
    const target: PlanItem | null = corrects && !takesUpMore(move, asked, topic) ? (topic ?? asked) : asked;
    if (target === null) continue;
    const sureness = !corrects && isDoubtful(move, plan, target) ? 0.5 : 0.9;
    const answer = evidenceFor(target, move, heard, {
      topicLabel: null,
      sureness,
      ...boundsOf(target),
    });
    // "Sorry, I said six oh five. It's $650": the value that is withdrawn.
    const isOld = known.some(({ key, value }) => key === target.key && value === answer?.value);
    if (answer === null || (corrects && isOld && answer.value !== null)) continue;
    topic = target;
    isFirst = false;
    const most = isOfFragment(move, heard.moves[at - 1], target) ? doubtful : 1;
    const confidence = Math.min(answer.confidence, most);
    found.push({ ...answer, confidence, isAsked: target === asked, corrects });
  }
  const asking = heard.moves.find((move) => wantsOfUs(move) && !namesTheirNeed(move, asked, heard));
  const news = screened(found, { heard, plan, asked });
  const one = onePerItem(news, plan, heard);
  const whole = news.length === 0 ? limitedAsAWhole(asked, heard) : [];
  const beside = toldBeside(heard, plan, one).filter((evidence) => !isAhead(evidence, plan, heard));
  const all = [...one, ...beside];
  return [...all.map((evidence) => doubted(evidence, [...all, ...known])), ...whole].map((evidence) =>
    asking !== undefined && isBehind(evidence, asking, heard) ? weakened(evidence, plan) : evidence,
  );
}

/** Enough to count unasked, yes and no included. */
const statedPlainly = 0.85;

/** "Of every month?", asked for a day. */
function lacksValue(move: Move, asked: PlanItem | null): boolean {
  return asked !== null && entityTypes[asked.kind] !== undefined && !hasValueOf(asked, move);
}

/** "I said that wrong, $488", asked for an amount, is no text of anything else. */
function hasValueOf(asked: PlanItem | null, { entities }: Move): boolean {
  const types = asked === null ? undefined : entityTypes[asked.kind];
  return types !== undefined && entities.some(({ type }) => types.includes(type));
}

/** Nothing was said of another yes or no: "active since the first, yes". */
function isLast(found: readonly Evidence[], asked: PlanItem | null): boolean {
  return (
    found.length > 0 && !found.some(({ key, value }) => key !== asked?.key && typeof value === 'boolean')
  );
}

/** "She's in network, so five percent", "… because the bill never came": one clause that tells two things. */
function hasOther(move: Move, item: PlanItem, asked: PlanItem): boolean {
  const { entities } = move;
  if (item === asked) return false;
  if (asked.key === 'denial_reason') return item.key === 'missing_documents';
  if (asked.kind === 'claim-status') {
    // "It's waiting for documents"
    const waits = item.key === 'missing_documents';
    return waits || namedBeside(move, asked) !== null || statusNamedIn(move) !== null;
  }
  // "Yup, since February first", "I show active coverage since then"
  if (asked.kind === 'yes-no' && signOf(asked.question, move.tokens) !== null) {
    return item.kind !== 'yes-no' || beginsWithYes(move.tokens) || beginsWithNo(move.tokens);
  }
  const types = entityTypes[asked.kind];
  return item.kind !== asked.kind && entities.some(({ type }) => types?.includes(type));
}

/** "Processed and partially paid on the tenth": the status that was asked for, beside a date that was not. */
function namedBeside({ claims }: Move, { key, kind }: PlanItem): string | null {
  if (kind !== 'claim-status') return null;
  const own = claims.find(({ label }) => label.startsWith(`${key}=`));
  return own !== undefined && own.confidence >= leastNamed ? own.label : null;
}

/** What answered us before they went on to ask stands. */
function isBehind({ quote, isAsked }: Evidence, { start }: Move, { said }: Heard): boolean {
  return !isAsked || said.indexOf(quote) >= start;
}

/** A person who asks back before answering has not answered yet: what else they say explains their question. */
function weakened(evidence: Evidence, plan: CallPlan): Evidence {
  const isText = plan.items.find(({ key }) => key === evidence.key)?.kind === 'text';
  return isText && !evidence.corrects ? { ...evidence, confidence: evidence.confidence * 0.5 } : evidence;
}
