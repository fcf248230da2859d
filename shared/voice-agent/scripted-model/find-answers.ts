import { correctionStart } from '../language/polarity.ts';
import type { Sentence } from '../language/text.ts';
import type { CallPlan, PlanItem } from '../plan/call-plan.ts';
import { amountAnswer, coinsuranceAnswer, visitLimitAnswer } from './answers/amount-answers.ts';
import { claimStatusAnswer, dateAnswer, missingDocumentsAnswer } from './answers/claim-answers.ts';
import { detailAnswer } from './answers/detail-answers.ts';
import { identifierAnswer, personAnswer } from './answers/identifier-answers.ts';
import { openAnswer } from './answers/open-answers.ts';
import { planNameAnswer, policyAnswer } from './answers/policy-answers.ts';
import type { FoundAnswer, Reply } from './answers/reply.ts';

/**
 * All answers that a reply holds: to the question just asked, and to any other item of the plan that the person speaks
 * of on their own.
 *
 * @param asked the item that the last question was about
 */
export function findAnswers(reply: Reply, plan: CallPlan, asked: PlanItem | null): FoundAnswer[] {
  const corrected = corrections(reply);
  const found = plan.items.flatMap((item) => {
    const isAsked = asked !== null && item.key === asked.key;
    const answer = findAnswer(corrected, plan, item, isAsked);
    return answer === null ? [] : [answer];
  });
  // What answers something else by its own words is no answer to the question.
  return found.filter((answer) => answer.isLoose !== true || found.every((other) => other.isLoose === true));
}

/** "It's 40, sorry, 45": what stands before the correction no longer counts. Quotes stay verbatim all the same. */
function corrections(reply: Reply): Reply {
  const sentences: Sentence[] = [];
  for (const sentence of reply.sentences) {
    const start = correctionStart(sentence.plain);
    const previous = sentences.at(-1);
    if (start === null) sentences.push(sentence);
    else if (start <= 6 && previous !== undefined && /\d/.test(previous.plain) && /\d/.test(sentence.plain)) {
      // "The copay is 40. Sorry, 45": of the sentence before, only what it speaks of is left.
      sentences.pop();
      const subject = previous.plain.replaceAll(/\$?\d[\d,.]*(?: ?%| dollars?| percent)?/g, '');
      sentences.push({ ...sentence, plain: `${subject} ${sentence.plain.slice(start)}` });
    } else sentences.push({ ...sentence, plain: sentence.plain.slice(start) });
  }
  return { ...reply, sentences };
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
      return isAsked ? openAnswer(reply, item) : null;
  }
}
