import { isGuess } from '../../language/polarity.ts';
import { findMoney, writtenMoney } from '../../language/values.ts';
import type { CallPlan, PlanItem } from '../../plan/call-plan.ts';
import { contentWords } from '../statements.ts';
import { answerFrom, type FoundAnswer, type Reply } from './reply.ts';
import { type AmountRole, bestAmount, findCoinsurance, findRoleAmounts } from './role-amounts.ts';

const roleNames: Partial<Record<AmountRole, RegExp>> = {
  copay: /\bco-? ?pay(?:ment)?s?\b/,
  deductible: /\bdeductible\b/,
  out_of_pocket_maximum: /\bout[- ]of[- ]pocket|\boop\b/,
  paid_amount: /\bpaid|payment\b/,
  patient_responsibility: /\bpatient|owe|responsib|balance\b/,
};

export function amountAnswer(
  reply: Reply,
  plan: CallPlan,
  item: PlanItem,
  role: AmountRole,
  isAsked: boolean,
): FoundAnswer | null {
  const statements = reply.sentences.filter(({ isQuestion }) => !isQuestion);
  const amounts = findRoleAmounts(statements, isAsked ? role : null, {
    serviceWords: serviceWords(plan),
    isOutOfNetwork: reply.isOutOfNetwork === true,
  });
  const best = bestAmount(amounts, role);
  if (best !== null) {
    return answerFrom(
      item,
      best.sentence,
      writtenMoney(best.amount),
      best.amount,
      best.isAmbiguous || isGuess(best.sentence.plain),
    );
  }
  const name = roleNames[role];
  for (const sentence of statements) {
    const { plain } = sentence;
    const named = name?.test(plain) === true;
    // "10% once the deductible has been met" does not say that it has.
    if (/\b(?:once|after|until|till|when|if|as soon as)\b.{0,40}\b(?:met|satisfied)\b/.test(plain)) continue;
    if (
      (role === 'deductible_met' || role === 'deductible_remaining') &&
      (isAsked || /\bdeductible\b|^\$ ?[\d,.]+,? .*\bmet[.]?$/.test(plain))
    ) {
      const isAll =
        /^\$ ?[\d,.]+,? (?:and )?(?:(?:it's|it is|that's|all|already|fully) )*met\b[.]?$/.test(plain) ||
        (isAsked &&
          /^(?:(?:yes|yeah),? )?(?:all of it|the whole|the entire|it(?:'s| is| has)(?: already)?(?: all)?(?: been)? met|fully|completely|already met)\b/.test(
            plain,
          ));
      const isPart =
        /\b(?:some|part|most|half|a portion|a bit|a little|partially|partly|almost|nearly)\b/.test(plain);
      if (
        isAll ||
        (!isPart &&
          /\b(?:fully|completely|entirely|all|whole|already been) (?:been )?(?:met|satisfied)|\b(?:met|satisfied) (?:in full|their|his|her|the whole|entirely|completely)|(?:deductible|it)(?:'s| has| is)(?: already)?(?: been)? (?:met|satisfied)\b(?! \$?\d)/.test(
            plain,
          ))
      ) {
        return role === 'deductible_met'
          ? answerFrom(item, sentence, 'fully met', true)
          : answerFrom(item, sentence, '$0', 0);
      }
      if (
        isAsked &&
        role === 'deductible_met' &&
        /\b(?:no|isn't (?:a|any)|not (?:a|any)) deductible\b/.test(plain)
      ) {
        return answerFrom(item, sentence, '$0', 0);
      }
      if (
        /\b(?:nothing|none|not (?:met )?any|zero|hasn't met any|(?:has|have|is|was)(?: not|n't)(?: yet)?(?: been)? met|not met)\b/.test(
          plain,
        ) &&
        (isAsked || /\bmet\b/.test(plain))
      ) {
        return role === 'deductible_met' ? answerFrom(item, sentence, '$0', 0) : null;
      }
    }
    const none =
      /\b(?:no|zero|without (?:a|any)|not have (?:a|any)|(?:doesn't|does not|don't) have (?:a|any)|isn't (?:a|any)|not (?:a|any)|waived|not apply|n't apply|not applicable|n\/a|not subject)\b/.test(
        plain,
      );
    const isNone =
      (named && none && isNoneOf(plain, name)) ||
      (isAsked &&
        !named &&
        /^(?:none|zero|0\b|there (?:is|'s) none|there isn't|nothing|it(?:'s| is) (?:waived|zero|0|nothing))/.test(
          plain,
        ) &&
        !findMoney(plain).length);
    if (
      isNone &&
      (role === 'copay' || role === 'deductible' || role === 'patient_responsibility' || isAsked)
    ) {
      return answerFrom(item, sentence, 'none', 0);
    }
  }
  return null;
}

/** "no copay" and "the copay is waived", but not "no deductible, the copay is …" for the copay. */
function isNoneOf(plain: string, name: RegExp | undefined): boolean {
  if (name === undefined) return false;
  return (
    new RegExp(
      `\\b(?:no|zero|without an?y?|have an?y?|isn't an?y?|not an?y?)(?: \\w+)? (?:${name.source})`,
    ).test(plain) ||
    new RegExp(
      `(?:${name.source})[^,.;]{0,30}\\b(?:waived|not apply|n't apply|not applicable|n/a|zero|none)\\b`,
    ).test(plain) ||
    new RegExp(`\\bnot subject to (?:a |an |the )?(?:${name.source})`).test(plain)
  );
}

function serviceWords(plan: CallPlan): string[] {
  const texts = plan.facts
    .filter(({ topic }) => topic === 'service' || topic === 'specialty')
    .flatMap(({ value }) => contentWords(value.toLowerCase()));
  const isPrimaryCare = texts.some((word) => /^(?:primary|family|pediatric|general)/.test(word));
  return [...texts, ...(isPrimaryCare ? ['primary', 'pcp'] : ['specialist'])];
}

export function coinsuranceAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  const statements = reply.sentences.filter(({ isQuestion }) => !isQuestion);
  const found = findCoinsurance(statements, isAsked, reply.isOutOfNetwork === true);
  if (found !== null) {
    return answerFrom(
      item,
      found.sentence,
      `${found.percent}%`,
      found.percent,
      isGuess(found.sentence.plain),
    );
  }
  for (const sentence of statements) {
    const { plain } = sentence;
    const isNone =
      /\b(?:no|zero|without an?y?|isn't an?y?|(?:doesn't|does not) have an?y?)(?: \w+)? co-? ?insurance|co-? ?insurance[^,.;]{0,25}\b(?:not apply|n't apply|zero|none|waived|not applicable)/.test(
        plain,
      ) ||
      (isAsked &&
        /^(?:none|zero|there (?:is|'s) none|there isn't|it(?:'s| is) (?:zero|0)(?! ?dollars))\b/.test(plain));
    if (isNone) return answerFrom(item, sentence, 'none', 0);
    const bare = isAsked
      ? /^(?:(?:it's|it is|that's|that is|that would be|just|only) )*(\d{1,2})[.]?$/.exec(plain)
      : null;
    if (bare?.[1] !== undefined) return answerFrom(item, sentence, `${bare[1]}%`, Number(bare[1]));
  }
  return null;
}

export function visitLimitAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  for (const sentence of reply.sentences) {
    const { plain } = sentence;
    if (sentence.isQuestion) continue;
    if (
      /\b(?:no|not an?y?|without a|isn't a) (?:\w+ )?(?:limit|visit limit|maximum)|\bunlimited\b/.test(
        plain,
      ) ||
      (isAsked && /^(?:no|none)\b/.test(plain))
    ) {
      return answerFrom(item, sentence, 'no limit', null);
    }
    const match =
      /\b(?:limit(?:ed)? (?:of|to|is)|up to|maximum (?:of|is)|max(?:imum)?|allows?|allowed|covers?|gets?|has)(?: a)?(?: total of)? (?<a>\d{1,3})(?: \w+)? (?:visits?|sessions?|treatments?)|(?<b>\d{1,3})(?: \w+)?[- ](?:visits?|sessions?|treatments?)(?: \w+)* (?:limit|max|per|a year|each|every|are|allowed|in a)|limit (?:is|of) (?<c>\d{1,3})\b/.exec(
        plain,
      );
    const number =
      match?.groups?.a ??
      match?.groups?.b ??
      match?.groups?.c ??
      (isAsked ? /\b(\d{1,3})\b(?! ?%)/.exec(plain)?.[1] : undefined);
    if (number !== undefined)
      return answerFrom(item, sentence, `${number} visits`, Number(number), isGuess(plain));
  }
  return null;
}
