import { correctionStart, takesBack } from '../language/polarity.ts';
import type { Sentence } from '../language/text.ts';
import type { CallPlan, PlanItem } from '../plan/call-plan.ts';
import { amountAnswer, coinsuranceAnswer, visitLimitAnswer } from './answers/amount-answers.ts';
import { withoutChatter } from './answers/chatter.ts';
import { claimStatusAnswer, dateAnswer, missingDocumentsAnswer } from './answers/claim-answers.ts';
import { detailAnswer } from './answers/detail-answers.ts';
import { namedQuestion, topicShare } from './answers/fitting.ts';
import { identifierAnswer, personAnswer } from './answers/identifier-answers.ts';
import { openAnswer } from './answers/open-answers.ts';
import { planNameAnswer, policyAnswer } from './answers/policy-answers.ts';
import type { FoundAnswer, Reply } from './answers/reply.ts';

/**
 * All answers that a reply holds: to the question just asked, and to any other item of the plan that the person speaks
 * of on their own.
 *
 * @param asked the item that the last question was about
 * @param isKnown whether an answer says nothing new
 */
export function findAnswers(
  reply: Reply,
  plan: CallPlan,
  asked: PlanItem | null,
  isKnown: (answer: FoundAnswer) => boolean = () => false,
): FoundAnswer[] {
  const corrected = corrections({ ...reply, sentences: withoutChatter(reply.sentences) });
  const found = plan.items.flatMap((item) => {
    const isAsked = asked !== null && item.key === asked.key;
    const answer = isOfTheClient(item)
      ? clientsAnswer(corrected, plan, item, asked)
      : findAnswer(corrected, plan, item, isAsked);
    return answer === null ? [] : [answer];
  });
  // What answers something else by its own words is no answer to the question.
  return found.filter(
    (answer) => answer.isLoose !== true || found.every((other) => other.isLoose === true || isKnown(other)),
  );
}

function isOfTheClient({ key }: PlanItem): boolean {
  return key.startsWith('question_');
}

/**
 * The answer to one of the client's own questions: of what names another of them, nothing is an answer to this one; of
 * what was not asked, only what names it.
 */
function clientsAnswer(
  reply: Reply,
  plan: CallPlan,
  item: PlanItem,
  asked: PlanItem | null,
): FoundAnswer | null {
  // What has not been asked yet is not answered either; people may speak of much the same.
  const items = plan.items.filter(isOfTheClient);
  const isAsked = asked?.key === item.key;
  const isEarlier = asked !== null && items.indexOf(item) < items.findIndex(({ key }) => key === asked.key);
  if (!isAsked && !isEarlier) return null;
  const sentences = reply.sentences.filter((sentence) => {
    const named = namedQuestion(items, sentence, reply.today, asked);
    if (named === null || named === item) return named === item || isAsked;
    // What speaks as much of the question asked is taken for its answer.
    return isAsked && topicShare(item.question, sentence.plain) >= topicShare(named.question, sentence.plain);
  });
  if (sentences.length === 0) return null;
  const answer = openAnswer({ ...reply, sentences }, item);
  return isAsked || answer?.isVague === false ? answer : null;
}

/** "It's 40, sorry, 45": what stands before the correction no longer counts. Quotes stay verbatim all the same. */
function corrections(reply: Reply): Reply {
  let sentences: Sentence[] = [];
  for (const [index, sentence] of reply.sentences.entries()) {
    const start = correctionStart(sentence.plain);
    const previous = sentences.at(-1);
    const hasFigure = /\d/.test(sentence.plain);
    if (takesBack(sentence.plain) && !hasFigure && reply.sentences.slice(index + 1).some(tellsFigure)) {
      // "It's 2,150. I'm sorry, I was on the family line. The deductible is 1,250."
      sentences = sentences.map(withoutFigures);
      const about = correctionOf.exec(sentence.plain)?.groups?.subject;
      if (about !== undefined) sentences.push({ ...sentence, plain: `${takenBack}${about}` });
      continue;
    }
    if (start === null) sentences.push(sentence);
    else if (start <= 6 && previous !== undefined && tellsFigure(previous) && hasFigure) {
      // "The copay is 40. Sorry, 45": of the sentence before, only what it speaks of is left.
      sentences.pop();
      sentences.push({ ...sentence, plain: `${subjectOf(previous)} ${sentence.plain.slice(start)}` });
    } else sentences.push({ ...sentence, plain: sentence.plain.slice(start) });
  }
  return { ...reply, sentences: carrySubjects(sentences) };
}

function tellsFigure({ plain }: Sentence): boolean {
  return /\d/.test(plain);
}

function subjectOf({ plain }: Sentence): string {
  return plain
    .replaceAll(/\$?\d[\d,.]*(?: ?%| dollars?| percent)?/g, '')
    .replaceAll(/\b[a-z]{1,3}\b(?=[ .-]*$)/g, '')
    .trim();
}

/** A sentence whose figures were taken back: only what it speaks of is left, for the sentence with the right ones. */
function withoutFigures(sentence: Sentence): Sentence {
  return tellsFigure(sentence) ? { ...sentence, plain: `${takenBack}${subjectOf(sentence)}` } : sentence;
}

const takenBack = '§ ';

/** "Correction on what they've met" says what the right figure will be of. */
const correctionOf =
  /\b(?:on|about|with|for|regarding) (?<subject>(?:the |what |her |his |their |that )[a-z' -]+)[.,]?$/;

/** "The confirmation number is … It's CG41676": the bare sentence gets what it speaks of from the one taken back. */
function carrySubjects(sentences: readonly Sentence[]): Sentence[] {
  let subject = '';
  const carried: Sentence[] = [];
  for (const sentence of sentences) {
    if (sentence.plain.startsWith(takenBack)) subject = sentence.plain.slice(takenBack.length);
    else if (
      subject !== '' &&
      /^(?:(?:so|no|okay|and|oh)[, ]+)*(?:it's|it is|that's|it should be|it would be|(?:yours|hers|his|theirs|ours|this one|(?:the )?(?:right|correct|real|actual) (?:one|number|amount|figure|date)) (?:is|was)|make (?:it|that)|should be|here it is|\$?\d)/.test(
        sentence.plain,
      )
    ) {
      carried.push({ ...sentence, plain: `${subject} ${sentence.plain}` });
      subject = '';
    } else carried.push(sentence);
  }
  return carried;
}

function findAnswer(reply: Reply, plan: CallPlan, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  switch (item.key) {
    case 'copay':
    case 'deductible':
    case 'deductible_met':
    case 'deductible_remaining':
    case 'out_of_pocket_maximum':
    case 'out_of_pocket_met':
    case 'billed_amount':
    case 'allowed_amount':
    case 'paid_amount':
    case 'patient_responsibility':
      return amountAnswer(reply, plan, item, item.key, isAsked);
    case 'coinsurance':
      return coinsuranceAnswer(reply, item, isAsked);
    case 'coverage_active':
    case 'in_network':
    case 'service_covered':
    case 'pre_authorization':
    case 'referral_required':
      return policyAnswer(reply, item, item.key, isAsked);
    case 'plan_name':
      return planNameAnswer(reply, item, isAsked);
    case 'visit_limit':
      return visitLimitAnswer(reply, item, isAsked);
    case 'effective_date':
    case 'received_date':
    case 'processed_date':
    case 'payment_date':
      return dateAnswer(reply, item, item.key, isAsked);
    case 'claim_status':
      return claimStatusAnswer(reply, item, isAsked);
    case 'missing_documents':
      return missingDocumentsAnswer(reply, item, isAsked);
    case 'denial_reason':
    case 'send_documents_to':
    case 'expected_decision':
    case 'expected_payment':
    case 'appeal_deadline':
    case 'authorization_process':
    case 'instructions':
      return detailAnswer(reply, item, item.key, isAsked);
    case 'reference_number':
    case 'confirmation_number':
    case 'payment_number':
      return identifierAnswer(reply, item, item.key, isAsked);
    case 'person_name':
      return personAnswer(reply, item, isAsked);
    case 'appointment_time':
    case 'booking_confirmed':
    case 'provider_name':
      // These come from the negotiation of a slot, not from single sentences.
      return null;
    default:
      return null;
  }
}
