import { spokenDate } from '../calendar.ts';
import type { CallPlan, PlanItem } from '../call-plan.ts';
import type { RecordedAnswer } from '../dialogue-record.ts';
import { findDays } from '../language/day-mentions.ts';
import { introducedName, nameInReply } from '../language/names.ts';
import { correctionStart, denies, isGuess, isHedged, openingPolarity } from '../language/polarity.ts';
import { plainOf, type Sentence, sentencesOf } from '../language/text.ts';
import { findTimes } from '../language/time-mentions.ts';
import { findIdentifiers, findMoney, findPercentages, writtenMoney } from '../language/values.ts';
import { type AmountRole, bestAmount, findCoinsurance, findRoleAmounts } from './amounts.ts';
import { findClaimStatus } from './claim-status.ts';
import { findPhoneNumber } from './phone-numbers.ts';
import { clauseWith, contentWords, firstRun, statementsOf } from './statements.ts';

/** An answer found in a reply. `isVague` asks for a more precise one, if there is still an occasion. */
export type FoundAnswer = Omit<RecordedAnswer, 'turn'> & {
  readonly isVague: boolean;
  /** Taken for the answer only because it came after the question. */
  readonly isLoose?: boolean;
};

export interface Reply {
  readonly said: string;
  readonly sentences: readonly Sentence[];
  /** The day at the place that is called. */
  readonly today: string;
}

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

function answerFrom(
  item: PlanItem,
  sentence: Sentence,
  answer: string,
  value: RecordedAnswer['value'],
  isVague = false,
): FoundAnswer {
  return { key: item.key, answer, value, quote: sentence.text, isVague };
}

const roleNames: Partial<Record<AmountRole, RegExp>> = {
  copay: /\bco-? ?pay(?:ment)?s?\b/,
  deductible: /\bdeductible\b/,
  out_of_pocket_maximum: /\bout[- ]of[- ]pocket|\boop\b/,
  paid_amount: /\bpaid|payment\b/,
  patient_responsibility: /\bpatient|owe|responsib|balance\b/,
};

function amountAnswer(
  reply: Reply,
  plan: CallPlan,
  item: PlanItem,
  role: AmountRole,
  isAsked: boolean,
): FoundAnswer | null {
  const statements = reply.sentences.filter(({ text }) => !text.endsWith('?'));
  const amounts = findRoleAmounts(statements, isAsked ? role : null, serviceWords(plan));
  const best = bestAmount(amounts, role);
  if (best !== null) {
    return answerFrom(
      item,
      best.sentence,
      writtenMoney(best.amount),
      best.amount,
      isGuess(best.sentence.plain),
    );
  }
  const name = roleNames[role];
  for (const sentence of statements) {
    const { plain } = sentence;
    const named = name?.test(plain) === true;
    if (
      (role === 'deductible_met' || role === 'deductible_remaining') &&
      (isAsked || /\bdeductible\b/.test(plain))
    ) {
      const isAll =
        isAsked &&
        /^(?:(?:yes|yeah),? )?(?:all of it|the whole|the entire|it(?:'s| is| has)(?: already)?(?: all)?(?: been)? met|fully|completely|already met)\b/.test(
          plain,
        );
      if (
        isAll ||
        /\b(?:fully|completely|entirely|all|whole|already been) (?:been )?(?:met|satisfied)|\b(?:met|satisfied) (?:in full|their|his|her|the whole|entirely|completely)|(?:deductible|it)(?:'s| has| is)(?: already)?(?: been)? (?:met|satisfied)\b(?! \$?\d)/.test(
          plain,
        )
      ) {
        return role === 'deductible_met'
          ? answerFrom(item, sentence, 'fully met', true)
          : answerFrom(item, sentence, '$0', 0);
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

function coinsuranceAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  const statements = reply.sentences.filter(({ text }) => !text.endsWith('?'));
  const found = findCoinsurance(statements, isAsked);
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
      (isAsked && /^(?:none|zero|there (?:is|'s) none|there isn't|it(?:'s| is) (?:zero|0))\b/.test(plain));
    if (isNone) return answerFrom(item, sentence, 'none', 0);
    const bare = isAsked
      ? /^(?:(?:it's|it is|that's|that is|that would be|just|only) )*(\d{1,2})[.]?$/.exec(plain)
      : null;
    if (bare?.[1] !== undefined) return answerFrom(item, sentence, `${bare[1]}%`, Number(bare[1]));
  }
  return null;
}

type PolicyKey =
  | 'coverage_active'
  | 'in_network'
  | 'service_covered'
  | 'pre_authorization'
  | 'referral_required';

const policies: Record<PolicyKey, { cue: RegExp; yes: RegExp; no: RegExp }> = {
  coverage_active: {
    cue: /\b(?:coverage|policy|plan|member|membership|insurance|benefits|eligib\w+|patient|she|he|they)\b/,
    yes: /\b(?:active|in force|eligible|in effect|in good standing|reinstated)\b|\beffective (?:since|as of|from|\w+ \d|through)|\bcurrently (?:covered|enrolled)\b/,
    no: /\b(?:inactive|ineligible|terminated|termed|lapsed|expired|cancell?ed|discontinued|(?:not|no longer|isn't|aren't|wasn't)(?: \w+)? (?:active|in force|eligible|in effect|effective|covered|enrolled|valid)|no (?:active |current )?coverage|coverage (?:has )?(?:ended|terminated)|ended on|not on file)\b/,
  },
  in_network: {
    cue: /\b(?:network|participating|par|contracted)\b/,
    yes: /\bin[- ](?:the |our |that )?network\b|\bparticipat(?:ing|es)\b|\bcontracted\b|\bis par\b/,
    no: /\bout[- ]of[- ](?:the |our )?network\b|\b(?:not|isn't|no longer|non)[- ](?:currently )?(?:in[- ](?:the |our )?network|a? ?participating|contracted|par)\b|\bdoes(?:n't| not) participate/,
  },
  service_covered: {
    cue: /\bcover(?:ed|s)\b|\bcovered (?:service|benefit)\b|\bbenefit\b|\bexclu(?:ded|sion)\b/,
    yes: /\b(?:is|are|it's|that's|be|was) (?:a |also |indeed |definitely |generally |typically )*covered\b|\bcovered (?:service|benefit|at|under|in|with|when|as|by)\b|\b(?:plan|we|policy|it|does) (?:does |do )?covers?\b/,
    no: /\b(?:not|isn't|aren't|never|non)[- ](?:a |currently |usually )?covered\b|\bexcluded\b|\bexclusion\b|\bdoes(?:n't| not) cover\b|\bnot (?:a )?(?:covered )?benefit\b|\bno coverage for\b/,
  },
  pre_authorization: {
    cue: /\b(?:(?:prior|pre)[- ]?(?:auth\w*|cert\w*|approval|determination)|authori[sz]ation|auth|precert\w*|preauth\w*)\b/,
    yes: /\b(?:required|requires?|needed|needs?|necessary|mandatory|must|have to|has to|you'll want)\b/,
    no: /(?:\b(?:no|not|without|never|none)|n't)\b[^,.;]*?\b(?:require[sd]?|need(?:ed|s)?|necessary|auth\w*|pre-?auth\w*|pre-?cert\w*|precert\w*|prior|one)\b|\b(?:waived|unnecessary)\b/,
  },
  referral_required: {
    cue: /\breferrals?\b/,
    yes: /\b(?:required|requires?|needed|needs?|necessary|mandatory|must|have to|has to)\b/,
    no: /(?:\b(?:no|not|without|never|none)|n't)\b[^,.;]*?\b(?:require[sd]?|need(?:ed|s)?|necessary|referrals?)\b/,
  },
};

/** "I can check whether it is required" settles nothing. */
const unsettled =
  /\b(?:whether|check if|see if|let me (?:check|see)|i can (?:check|tell)|if it(?:'s| is)? (?:required|needed|active|covered))\b/;

const conditional =
  /\b(?:only (?:if|when|for|after)|depends|depending|unless|except|in some cases|sometimes|for some|not always|it varies|certain|may be|might)\b/;

function policyAnswer(reply: Reply, item: PlanItem, key: PolicyKey, isAsked: boolean): FoundAnswer | null {
  const { cue, yes, no } = policies[key];
  const statements = reply.sentences.filter(({ text }) => !text.endsWith('?'));
  for (const sentence of statements) {
    const clause = clauseAround(sentence.plain, cue, key);
    if (clause === null && !isAsked) continue;
    // Figures for in and out of network say nothing about the provider.
    if (
      key === 'in_network' &&
      !isAsked &&
      /[\d$%]/.test(sentence.plain) &&
      !/\bprovider|doctor|facility|they're|dr\b/.test(sentence.plain)
    )
      continue;
    if (
      key === 'service_covered' &&
      !isAsked &&
      !/\b(?:service|procedure|code|therapy|visit|treatment|test|that|it|exam|surgery)\b/.test(clause ?? '')
    )
      continue;
    const looked = clause ?? (isAsked ? sentence.plain : '');
    const saysNo = no.test(looked);
    const saysYes =
      !saysNo && (yes.test(looked) || (isAsked && key === 'service_covered' && /\bcovered\b/.test(looked)));
    if (!saysNo && !saysYes) continue;
    if (unsettled.test(looked)) continue;
    return answerFrom(
      item,
      sentence,
      saysNo ? 'No' : 'Yes',
      !saysNo,
      conditional.test(looked) || isGuessed(looked),
    );
  }
  if (!isAsked) return null;
  const depends = statements.find(({ plain }) => /\b(?:depends|varies|case by case)\b/.test(plain));
  if (depends !== undefined) return answerFrom(item, depends, depends.text, null, true);
  const short = yesNoReply(reply, item);
  return short === null || isAboutAnother(short.quote, key) ? null : short;
}

/** "It is covered" after the question for the network speaks of something else. */
function isAboutAnother(quote: string, key: PolicyKey): boolean {
  const plain = plainOf(quote);
  if (policies[key].cue.test(plain) && key !== 'coverage_active') return false;
  const others: readonly PolicyKey[] = [
    'in_network',
    'service_covered',
    'pre_authorization',
    'referral_required',
  ];
  return (
    others.some((other) => other !== key && policies[other].cue.test(plain)) ||
    /\bco-?pay|deductible|co-?insurance\b/.test(plain)
  );
}

function isGuessed(plain: string): boolean {
  return /\b(?:i think|i believe|i guess|maybe|probably|should be|i'm not sure|not (?:entirely|completely|100))\b/.test(
    plain,
  );
}

/** The clause of a sentence in which something is spoken of; amounts between commas do not matter to it. */
function clauseAround(plain: string, cue: RegExp, key: PolicyKey): string | null {
  const match = cue.exec(plain);
  if (match === null) return null;
  if (key === 'coverage_active') return plain;
  const boundaries = [...plain.matchAll(/[;:]|, (?!(?:or|which)\b)| but | however /g)];
  const start = boundaries.findLast(({ index }) => index < match.index);
  const end = boundaries.find(({ index }) => index > match.index + match[0].length);
  const clause = plain.slice(start === undefined ? 0 : start.index, end?.index ?? plain.length);
  const { yes, no } = policies[key];
  // "For that code, no, authorization is not needed": the verdict may stand one comma away.
  return yes.test(clause) || no.test(clause) ? clause : plain;
}

function yesNoReply(reply: Reply, item: PlanItem): FoundAnswer | null {
  for (const sentence of reply.sentences) {
    if (sentence.text.endsWith('?')) continue;
    if (isOnlyWillingness(sentence.plain) || unsettled.test(sentence.plain)) continue;
    const polarity = openingPolarity(sentence.plain);
    if (polarity === null) continue;
    const isVague = conditional.test(sentence.plain) || isGuessed(sentence.plain);
    return answerFrom(item, sentence, polarity === 'yes' ? 'Yes' : 'No', polarity === 'yes', isVague);
  }
  return null;
}

/** "Sure, I can help with that" agrees to talk, not to what was asked. */
function isOnlyWillingness(plain: string): boolean {
  return (
    /\b(?:help|assist|go ahead|check|look|hold|moment|second|what (?:is|would|do)|with that|ask|question|pull|see what)\b/.test(
      plain,
    ) &&
    !/\b(?:is|are|does|do|has|have|accept|take|offer|need|require|cover|active|in)\b.*\b(?:yes|no|required|active|covered|network)\b/.test(
      plain,
    ) &&
    plain.length < 90
  );
}

const planWord =
  /\b(?:PPO|HMO|EPO|POS|HDHP|HSA|Medicare|Medicaid|Advantage|Gold|Silver|Bronze|Platinum|Choice|Select|Premier|Plus|Complete|Freedom|Open Access)\b/;

function planNameAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  for (const sentence of reply.sentences) {
    if (sentence.text.endsWith('?')) continue;
    const word = "(?:\\p{Lu}[\\p{L}\\d&+'’-]*|\\d{2,4}|of|and)";
    const name = `(?<name>\\p{Lu}[\\p{L}\\d&+'’-]*(?: ${word})*)`;
    const patterns = [
      new RegExp(`\\b[Pp]lan name(?: is)?:? (?:the )?${name}`, 'u'),
      new RegExp(`\\b[Pp]lan(?:'s name| name)? is(?: called| named)?(?: the| an?)? ${name}`, 'u'),
      new RegExp(
        `\\b(?:called|named|enrolled in|under|on|in)(?: the| an?| their| her| his)? ${name}(?: [Pp]lan\\b)`,
        'u',
      ),
      new RegExp(`\\b(?:called|named|enrolled in)(?: the| an?)? ${name}`, 'u'),
      new RegExp(`(?:\\b(?:the|an?|is|has|have|it's|it’s|under|on)) ${name} [Pp]lan\\b`, 'u'),
      ...(isAsked
        ? [
            new RegExp(
              `\\b(?:it's|it’s|it is|that's|that’s|that is|that would be|they have|has|have)(?: the| an?)? ${name}`,
              'iu',
            ),
          ]
        : []),
    ];
    for (const pattern of patterns) {
      const found = pattern
        .exec(sentence.text)
        ?.groups?.name?.replace(/ (?:of|and)$/, '')
        .replace(/ [Pp]lan$/, '');
      if (
        found !== undefined &&
        /\p{Lu}/u.test(found.slice(0, 1)) &&
        !/^(?:Yes|No|The|That|It|We|I|And|Individual|Family|January|February|March|April|May|June|July|August|September|October|November|December)$/.test(
          found,
        )
      ) {
        return answerFrom(item, sentence, found, found);
      }
    }
    const typed = new RegExp(
      `(?:\\p{Lu}[\\p{L}\\d&+'’-]* )*${planWord.source}(?: \\p{Lu}[\\p{L}\\d&+]*| \\d{2,4})*`,
      'u',
    ).exec(sentence.text)?.[0];
    if (typed !== undefined && (isAsked || /\bplan\b|\b(?:PPO|HMO|EPO|POS|HDHP)\b/i.test(sentence.text))) {
      const cleaned = typed.replace(/^(?:Yes|Sure|Okay|The|It|That|And) /, '');
      return answerFrom(
        item,
        sentence,
        cleaned,
        cleaned,
        /\b(?:something|or other|not sure|i think)\b/.test(sentence.plain),
      );
    }
  }
  if (!isAsked) return null;
  const [statement] = statementsOf(reply.sentences);
  if (statement === undefined) return null;
  const spoken =
    /\b(?:it's|it is|that's|that is|called|plan is|is|on|under)(?: the| an?)? (?<name>[a-z0-9 ]*\b(?:ppo|hmo|epo|pos|hdhp|gold|silver|bronze|platinum|choice|select|premier|plus|advantage|medicare|medicaid|plan)\b[a-z0-9 ]*)/
      .exec(statement.plain)
      ?.groups?.name?.trim();
  if (spoken !== undefined) return answerFrom(item, statement, spoken, spoken);
  // A few words without a verb are a name.
  const isName =
    statement.text.split(' ').length <= 6 &&
    !/\b(?:is|are|was|has|have|do|does|can|will|network|covered|dollars?|percent|required)\b|[$%]/.test(
      statement.plain,
    );
  return isName ? { ...answerFrom(item, statement, statement.text, null), isLoose: true } : null;
}

function visitLimitAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  for (const sentence of reply.sentences) {
    const { plain } = sentence;
    if (sentence.text.endsWith('?')) continue;
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

type DateKey = 'effective_date' | 'received_date' | 'processed_date' | 'payment_date';

const dateCues: readonly { key: DateKey | 'other'; pattern: RegExp }[] = [
  { key: 'effective_date', pattern: /\b(?:effective|since|active|began|in effect|start(?:ed|s)?)\b/g },
  {
    key: 'received_date',
    pattern: /\b(?:received|came in|got (?:it|the claim)|on file (?:since|as of)|arrived)\b/g,
  },
  {
    key: 'processed_date',
    pattern:
      /\b(?:processed|finali[sz]ed|adjudicated|completed|closed|decided|denied|approved|reviewed|as of)\b/g,
  },
  {
    key: 'payment_date',
    pattern:
      /\b(?:paid(?: out| it)? on|payment(?: date)?|check|eft|issued|mailed|sent|deposited|released|went out|disbursed|cleared)\b/g,
  },
  {
    key: 'other',
    pattern:
      /\b(?:services?|born|birth|expected|will be|by|until|through|before|within|deadline|appeal|seen|visit|terminat\w+|ended|expires?)\b/g,
  },
];

function dateAnswer(reply: Reply, item: PlanItem, key: DateKey, isAsked: boolean): FoundAnswer | null {
  for (const sentence of reply.sentences) {
    if (sentence.text.endsWith('?')) continue;
    const { plain } = sentence;
    const days = findDays(plain, reply.today, 'past').filter((day) => day.first === day.last);
    for (const day of days) {
      const named = nearestCue(plain, day.start, day.end);
      // "Processed and paid on the 9th" may date the processing only; the payment is asked for by itself.
      const isDouble =
        named === 'payment_date' &&
        /\b(?:processed|finali[sz]ed|adjudicated) and (?:\w+ )?paid\b/.test(plain);
      const owner = isDouble && !isAsked ? 'processed_date' : named;
      const fits =
        owner === key ||
        (isAsked && (owner === null || (key === 'payment_date' && owner === 'processed_date')));
      if (fits) return answerFrom(item, sentence, spokenDate(day.first), day.first, isGuess(plain));
    }
    if (!isAsked) continue;
    const [first] = days;
    if (first !== undefined && days.length === 1) {
      return answerFrom(item, sentence, spokenDate(first.first), first.first, isGuess(plain));
    }
  }
  return null;
}

function nearestCue(plain: string, start: number, end: number): DateKey | 'other' | null {
  let best: { key: DateKey | 'other'; distance: number } | null = null;
  for (const { key, pattern } of dateCues) {
    for (const match of plain.matchAll(pattern)) {
      const cueEnd = match.index + match[0].length;
      const isBefore = cueEnd <= start;
      const gap = isBefore ? plain.slice(cueEnd, start) : plain.slice(end, match.index);
      if (!isBefore && match.index < end) continue;
      // A word after the day belongs to it only when nothing stands between.
      const distance = gap.length + (isBefore ? 0 : 12) + (/,|;|\band\b/.test(gap) ? 25 : 0);
      if (distance < 60 && (best === null || distance < best.distance)) best = { key, distance };
    }
  }
  return best?.key ?? null;
}

function claimStatusAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  const found = findClaimStatus(reply.sentences, isAsked);
  if (found === null) return null;
  const isVague = found.status === 'processed' || isGuessed(found.sentence.plain);
  return answerFrom(item, found.sentence, found.status, found.status, isVague);
}

function missingDocumentsAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  const nothing =
    /\b(?:nothing(?: else| more| further)?(?: is| that's| we're| we are| you)?\b|no(?:t)? (?:additional|further|other|more|missing|new|any)?\s?(?:documents?|documentation|information|records|paperwork|items?)|(?:don't|do not|doesn't|does not|won't) (?:need|require) (?:anything|any|more)|not (?:missing|waiting (?:for|on)) any|everything (?:is|has been|we need|looks|was)|(?:we )?have everything|all (?:the )?(?:documents|documentation|paperwork)[^.]{0,20}(?:received|here|complete)|we're all set|nothing)\b/;
  const something =
    /\b(?:missing|(?:still )?waiting (?:for|on)|awaiting|(?:still |also |just )?need(?:ed|s)? (?:the|a|an|your|his|her|their|to see|copies|some|additional|more|to (?:receive|have|get))|require[sd]? (?:the|a|an|additional|more)|(?:have|has|had)(?:n't| not)(?: yet)? (?:received|gotten|got|been (?:received|submitted|provided))|(?:requested|request for)|until we (?:receive|get|have)|not (?:yet )?(?:received|submitted|provided)|outstanding|(?:please |should |must |have to |can )(?:send|submit|provide|fax|mail|upload))\b/;
  for (const sentence of reply.sentences) {
    const { plain } = sentence;
    if (sentence.text.endsWith('?')) continue;
    if (
      something.test(plain) &&
      !(nothing.test(plain) && !/\bexcept|but|other than\b/.test(plain)) &&
      !(/\b(?:denied|denial|rejected)\b/.test(plain) && !isAsked) &&
      !/\bclaim (?:was|is|has) (?:not|never)|not (?:see|find) (?:the|a|that|any) claim|no record of/.test(
        plain,
      )
    ) {
      const clause = clauseWith(sentence, something);
      return { key: item.key, answer: clause, value: true, quote: clause, isVague: false };
    }
    if (
      nothing.test(plain) &&
      (isAsked || /\b(?:missing|need|document|information|from (?:you|the|your))/.test(plain))
    ) {
      return answerFrom(item, sentence, 'nothing', false);
    }
  }
  if (!isAsked) return null;
  const short = yesNoReply(reply, item);
  if (short !== null && short.value === false) return { ...short, answer: 'nothing' };
  const [statement] = statementsOf(reply.sentences);
  if (
    short !== null &&
    statement !== undefined &&
    contentWords(statement.plain.replace(/^yes,?/, '')).length >= 1
  ) {
    return answerFrom(item, statement, statement.text, true);
  }
  if (short !== null) return { ...short, isVague: true };
  if (statement === undefined || !/[a-z]{3}/.test(statement.plain)) return null;
  return { ...answerFrom(item, statement, statement.text, true, isHedged(statement.plain)), isLoose: true };
}

type DetailKey =
  | 'denial_reason'
  | 'send_documents_to'
  | 'expected_decision'
  | 'expected_payment'
  | 'appeal_deadline'
  | 'authorization_process'
  | 'instructions';

/** How details are recognised that nobody asked for. */
const volunteered: Record<DetailKey, RegExp> = {
  denial_reason:
    /\b(?:denied|denial|rejected|declined|not approved)\b.*\b(?:because|due to|since|for (?:lack|not|no|missing)|as (?:the|it|there)|reason|was not|were not|wasn't)\b|\b(?:the )?reason (?:for (?:the )?denial )?(?:is|was|given|code)\b/,
  send_documents_to:
    /\b(?:fax|mail|send|upload|submit)\b.*\b(?:to|at|through|via|portal)\b.*(?:\d|portal|online|website|e-?mail|p\.?o\.?)/,
  expected_decision:
    /\b(?:decision|determination|processed|processing|finali[sz]ed|completed|resolved|review(?:ed)?|expect|takes?|allow|another|up to|should (?:be|have|hear))\b.*\b(?:\d+(?: to \d+|-\d+)? (?:business |working |calendar )?(?:days?|weeks?|months?)|next week|end of the (?:week|month))\b|\bwithin \d+ (?:business |working |calendar )?(?:days?|weeks?)\b/,
  expected_payment:
    /\b(?:payment|check|it|funds?|deposit)\b.*\b(?:will|should|going to|expect(?:ed)?|scheduled)\b.*(?:\d|week|month|monday|tuesday|wednesday|thursday|friday)/,
  appeal_deadline:
    /\bappeal\b.*\b(?:\d+ (?:calendar |business )?(?:days?|months?)|until|by|deadline|before)\b|\b\d+ (?:calendar |business )?(?:days?|months?)\b.*\bappeal\b/,
  authorization_process:
    /\b(?:auth\w*|pre-?cert\w*|approval|it|that|one)\b.*\b(?:request(?:ed)?|submit(?:ted)?|obtain(?:ed)?|initiated?|call|fax|apply|appl(?:y|ied))\b.*(?:\d|portal|online|website|fax|phone)|\b(?:request|submit|obtain|initiate|start)\b.*\b(?:it|that|one|auth\w*|pre-?cert\w*|approval)\b.*(?:\d|portal|online|website|fax|phone)/,
  instructions:
    /\b(?:bring|arrive|fasting|fast (?:for|from|after)|photo i\.?d|insurance card|paperwork|forms?|minutes? (?:early|before|prior)|early|wear|stop taking|drink plenty|empty stomach|driver's license|list of medications?)\b/,
};

function detailAnswer(reply: Reply, item: PlanItem, key: DetailKey, isAsked: boolean): FoundAnswer | null {
  const { sentences, said } = reply;
  const cued = sentences.filter(({ text, plain }) => !text.endsWith('?') && volunteered[key].test(plain));
  if (!isAsked) {
    const quote = firstRun(said, sentences, cued);
    return quote === '' ? null : { key: item.key, answer: quote, value: null, quote, isVague: false };
  }
  const all = statementsOf(sentences);
  // What leads up to the answer is not part of it; what follows may be.
  const firstCued = all.findIndex((sentence) => cued.includes(sentence));
  const statements = key === 'instructions' || firstCued === -1 ? all : all.slice(firstCued);
  const quote = firstRun(said, sentences, statements);
  if (key === 'instructions' && (quote === '' || isNothing.test(plainOf(quote)))) {
    const no = sentences.find(({ plain, text }) => !text.endsWith('?') && openingPolarity(plain) === 'no');
    return no === undefined
      ? null
      : { key: item.key, answer: 'nothing special', value: null, quote: no.text, isVague: false };
  }
  if (quote === '') return null;
  const isVague = statements.every(
    ({ plain }) => isHedged(plain) && !figure.test(plain) && !/\b(?:day|week|month)s?\b/.test(plain),
  );
  return { key: item.key, answer: quote, value: null, quote, isVague, isLoose: firstCued === -1 };
}

const isNothing =
  /^(?:(?:no|nope|nah|not really|nothing|nothing special|nothing else|nothing in particular|none|that's (?:all|it)|that is all|not that i know of|no need|no thanks|no thank you|not at all|don't think so|i don't think so|just (?:come|show up|be on time)|she's all set|he's all set|they're all set|you're all set)[\s,.!]*)+$/;

type IdentifierKey = 'reference_number' | 'confirmation_number' | 'payment_number';

const identifierCues: Record<IdentifierKey, RegExp> = {
  reference_number:
    /\b(?:(?:call |inquiry |case |ticket )?reference|tracking|call id|ticket|inquiry|interaction|case number for this call|confirmation)\b/,
  confirmation_number: /\b(?:confirmation|booking|reference|appointment (?:number|id|code))\b/,
  payment_number:
    /\b(?:check|eft|payment|trace|transaction|remittance|draft) (?:number|no\.?|id|#|reference|trace)/,
};

function identifierAnswer(
  reply: Reply,
  item: PlanItem,
  key: IdentifierKey,
  isAsked: boolean,
): FoundAnswer | null {
  const { sentences } = reply;
  const cue = identifierCues[key];
  for (const [index, sentence] of sentences.entries()) {
    if (sentence.text.endsWith('?') && !cue.test(sentence.plain)) continue;
    const cueMatch = cue.exec(sentence.plain);
    // "The number is. R C 4 8": the pause of somebody who reads it out.
    const previousCued = cue.test(sentences[index - 1]?.plain ?? '') && cueMatch === null;
    if (cueMatch === null && !previousCued && !isAsked) continue;
    if ((cueMatch !== null || isAsked) && nameAsReference.test(sentence.plain)) {
      // Some insurers keep calls by the representative's name and the day.
      return answerFrom(item, sentence, sentence.text, null);
    }
    const candidates = findIdentifiers(sentence.plain, sentence.text).filter((mention) =>
      isCode(sentence, mention, reply.today, isAsked || cueMatch !== null),
    );
    const chosen =
      candidates.find(({ start }) => cueMatch === null || start > cueMatch.index) ??
      candidates.findLast(() => true);
    if (chosen !== undefined) return answerFrom(item, sentence, chosen.identifier, chosen.identifier);
  }
  return null;
}

const nameAsReference =
  /\b(?:my|your|his|her|the rep(?:resentative)?'s) (?:first |last |full )?names?\b.*\b(?:date|today|day|initial)\b|\bname and (?:today's )?date\b/;

/** Not every number beside the word "reference" is one: dates, times, amounts and telephone numbers are not. */
function isCode(
  sentence: Sentence,
  { identifier, start, end }: { identifier: string; start: number; end: number },
  today: string,
  isExpected: boolean,
): boolean {
  const { plain } = sentence;
  const days = findDays(plain, today);
  const others = [...days, ...findTimes(plain, days), ...findMoney(plain), ...findPercentages(plain)].filter(
    (place) => place.end - place.start >= end - start,
  );
  if (others.some((place) => place.start < end && start < place.end)) return false;
  const digits = identifier.replaceAll(/\D/g, '');
  if (
    /^\d{3}-\d{3}-\d{4}$/.test(plain.slice(start, end)) ||
    /\b(?:phone|fax|call us|toll)\b/.test(plain.slice(Math.max(0, start - 30), start))
  )
    return false;
  return isExpected ? identifier.length >= 3 : digits.length >= 4;
}

function personAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  const name = isAsked ? (introducedName(reply.said) ?? nameInFirst(reply)) : introducedName(reply.said);
  if (name === null) return null;
  const sentence =
    reply.sentences.find(({ text }) => text.toLowerCase().includes(name.toLowerCase())) ?? reply.sentences[0];
  return sentence === undefined ? null : answerFrom(item, sentence, name, name);
}

function nameInFirst(reply: Reply): string | null {
  for (const { text } of reply.sentences) {
    const name = nameInReply(text);
    if (name !== null) return name;
  }
  return null;
}

/** The answer to one of the client's own questions: whatever the person states, read as the kind of value asked for. */
function openAnswer(reply: Reply, item: PlanItem): FoundAnswer | null {
  const { said, sentences } = reply;
  const statements = statementsOf(sentences);
  const quote = firstRun(said, sentences, statements);
  switch (item.kind) {
    case 'yes-no':
      return openYesNo(reply, item, statements, quote);
    case 'money': {
      const amounts = statements.flatMap(({ plain }) => charges(plain));
      const [amount] = amounts;
      // Several amounts mean several cases; which one is ours, only a reader can tell.
      if (amount !== undefined) {
        const value = amounts.every((other) => other === amount) ? amount : null;
        return typed(
          item,
          quote,
          value,
          statements.some(({ plain }) => isGuess(plain)),
        );
      }
      if (
        /\b(?:free|no (?:charge|fee|cost)|nothing|complimentary|don't charge|do not charge)\b/.test(
          quote.toLowerCase(),
        )
      )
        return typed(item, quote, 0);
      return textual(item, quote, statements, true);
    }
    case 'percentage': {
      const found = firstOf(statements, ({ plain }) => findPercentages(plain)[0]);
      return found === null
        ? textual(item, quote, statements, true)
        : typed(item, quote, found.mention.percent, isGuess(found.sentence.plain));
    }
    case 'number': {
      const found = firstOf(
        statements,
        ({ plain }) => /(?<![\d$.,:/-])\d+(?:,\d{3})*(?:\.\d+)?(?![\d:/-])/.exec(plain)?.[0],
      );
      if (found !== null)
        return typed(item, quote, Number(found.mention.replaceAll(',', '')), isGuess(found.sentence.plain));
      if (/\b(?:none|zero|no)\b/.test(quote.toLowerCase())) return typed(item, quote, 0);
      return textual(item, quote, statements, true);
    }
    case 'phone-number': {
      const found = firstOf(sentences, ({ plain }) => findPhoneNumber(plain) ?? undefined);
      if (found === null) return textual(item, quote, statements, !/\d/.test(quote));
      return typed(item, quote === '' ? found.sentence.text : quote, found.mention);
    }
    case 'identifier': {
      const found = firstOf(sentences, (sentence) => findIdentifiers(sentence.plain, sentence.text)[0]);
      if (found === null) return textual(item, quote, statements, true);
      return typed(item, quote === '' ? found.sentence.text : quote, found.mention.identifier);
    }
    case 'date': {
      const found = firstOf(statements, ({ plain }) => findDays(plain, reply.today)[0]);
      return found === null
        ? textual(item, quote, statements, true)
        : typed(item, quote, found.mention.first, isGuess(found.sentence.plain));
    }
    case 'name':
    case 'text':
    case 'date-time':
    case 'claim-status':
      return textual(item, quote, statements, false);
  }
}

/** Amounts that are charged, not those that something is "over" or "under". */
function charges(plain: string): number[] {
  return findMoney(plain, { bare: true })
    .filter(
      ({ start }) =>
        !/\b(?:over|above|under|below|more than|less than|at least|minimum(?: of)?|orders? of|up to) $/.test(
          plain.slice(0, start),
        ),
    )
    .map(({ amount }) => amount);
}

function firstOf<Mention>(
  sentences: readonly Sentence[],
  find: (sentence: Sentence) => Mention | undefined,
): { mention: Mention; sentence: Sentence } | null {
  for (const sentence of sentences) {
    const mention = find(sentence);
    if (mention !== undefined) return { mention, sentence };
  }
  return null;
}

function typed(item: PlanItem, quote: string, value: RecordedAnswer['value'], isVague = false): FoundAnswer {
  return { key: item.key, answer: quote, value, quote, isVague };
}

const wantsFigure =
  /\b(?:how (?:long|much|many|soon|often|far|early|late)|when|what time|what (?:are|is) (?:your|the) hours)\b/;
const figure =
  /\d|\b(?:noon|midnight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|never|none|daily|weekly|monthly|immediately|same day|next day|one|a week|a day|a month|an hour|free|always|anytime|once|twice)\b/;

function textual(
  item: PlanItem,
  quote: string,
  statements: readonly Sentence[],
  isWrongKind: boolean,
): FoundAnswer | null {
  if (quote === '') return null;
  const plain = statements.map((statement) => statement.plain).join(' ');
  const isEmpty =
    /\b(?:it (?:really |all )?depends|it varies|hard to say|not sure|i guess|something like that|the usual)\b/.test(
      plain,
    );
  const lacksFigure = wantsFigure.test(item.question.toLowerCase()) && !figure.test(plain);
  return { key: item.key, answer: quote, value: null, quote, isVague: isWrongKind || isEmpty || lacksFigure };
}

function openYesNo(
  reply: Reply,
  item: PlanItem,
  statements: readonly Sentence[],
  quote: string,
): FoundAnswer | null {
  const short = yesNoReply(reply, item);
  const all = statements.map(({ plain }) => plain).join(' ');
  const isVague =
    /\b(?:it (?:really |all )?depends|depends on|it varies|maybe|perhaps|i think|i guess|not sure|probably|possibly|sometimes|might|i believe|should be)\b/.test(
      all,
    );
  if (short !== null) {
    // The reply from the "yes" on, with what is added to it.
    const from = reply.sentences.find(({ text }) => text === short.quote);
    const run =
      from === undefined
        ? short.quote
        : firstRun(reply.said, reply.sentences, [
            from,
            ...statements.filter((statement) => statement !== from && statement.start > from.start),
          ]);
    return {
      ...short,
      answer: run === '' ? short.quote : run,
      quote: run === '' ? short.quote : run,
      isVague,
    };
  }
  if (quote === '') return null;
  const asked = new Set(contentWords(item.question.toLowerCase()));
  const [first] = statements;
  const echoes = statements.some(({ plain }) => contentWords(plain).some((word) => asked.has(word)));
  const affirms =
    first !== undefined &&
    /^(?:but )?only\b|\b(?:there(?:'s| is| are)|(?:we|they|you|i) (?:have|do|offer|accept|take|can|use|provide)|available)\b/.test(
      first.plain,
    );
  const value = first === undefined ? null : denies(first.plain) ? false : echoes || affirms ? true : null;
  return { key: item.key, answer: quote, value, quote, isVague: isVague || value === null };
}

/** Splits what was said for answers and remembers which day it is. */
export function replyOf(said: string, today: string): Reply {
  return { said, sentences: sentencesOf(said), today };
}
