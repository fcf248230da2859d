import { findMentions, type Placed } from '../../language/mentions.ts';
import type { Sentence } from '../../language/text.ts';
import { findMoney, findPercentages } from '../../language/values.ts';

/*
 * Which of several amounts in a sentence is the copay, which the deductible, and how much of it has been met. Every
 * amount gets the role of the word that it stands with; words that make an amount somebody else's ("family", "out of
 * network") weigh against it.
 */

/** The roles that an amount can have; a role that no item of the plan asks for still keeps its amount from others. */
export type AmountRole =
  | 'copay'
  | 'deductible'
  | 'deductible_met'
  | 'deductible_remaining'
  | 'out_of_pocket_maximum'
  | 'out_of_pocket_met'
  | 'coinsurance'
  | 'billed_amount'
  | 'allowed_amount'
  | 'paid_amount'
  | 'patient_responsibility'
  | 'other';

/** What makes an amount the patient's own. */
interface OwnCase {
  /** Words that the patient's service is described with. */
  readonly serviceWords: readonly string[];
  readonly isOutOfNetwork: boolean;
}

export interface RoleAmount {
  readonly role: AmountRole;
  readonly amount: number;
  /** The words could mean another amount as well. */
  readonly isAmbiguous: boolean;
  readonly sentence: Sentence;
  /** How well the words around it fit the patient's own case. */
  readonly score: number;
}

type Cue = { readonly cue: AmountRole | 'met' | 'remaining' | 'visit' };

const cueRules: readonly { pattern: RegExp; cue: Cue['cue'] }[] = [
  { pattern: /\bco-? ?pay(?:ment)?s?\b/g, cue: 'copay' },
  { pattern: /\b(?:per|each|every|a) (?:visit|session|appointment)\b/g, cue: 'visit' },
  { pattern: /\bdeductibles?\b/g, cue: 'deductible' },
  {
    pattern:
      /\bout[- ]of[- ]pocket(?: (?:max(?:imum)?|limit))?|\boop\b(?: max(?:imum)?)?|\bmoop\b|\b(?:the |her |his |annual |yearly )?max(?:imum)?\b(?=,?(?: is| of| was|:)? ?\$)/g,
    cue: 'out_of_pocket_maximum',
  },
  { pattern: /\bco-? ?insurance\b|\bcost[- ]shar(?:e|ing)\b/g, cue: 'coinsurance' },
  {
    pattern:
      /\b(?:towards?|met|satisfied|accumulated|credited|used up|used|applied|paid in)\b(?! (?:in full|with))/g,
    cue: 'met',
  },
  {
    pattern:
      /\b(?:remain(?:s|ing|der)?|leaves|leaving|left(?: to (?:meet|go))?|to go|still (?:has|have|needs?|owes?))\b/g,
    cue: 'remaining',
  },
  {
    pattern: /\b(?:billed|bill(?: amount)?|charged?|charges|total charge|submitted)\b/g,
    cue: 'billed_amount',
  },
  {
    pattern: /\b(?:allow(?:ed|able|ance)?|negotiated|contracted|approved (?:amount|for|at))\b/g,
    cue: 'allowed_amount',
  },
  {
    pattern:
      /\b(?:patient(?:'s)?(?: \w+)? (?:responsib\w+|portion|share|balance)|(?:patient|member|she|he|they|you)(?:'ll| will| would| still)? ?owes?|member (?:responsib\w+|liability)|responsible for|owed by|balance (?:due|of)|left to the patient|(?:patient|member) (?:would |will |has to |needs to )?pays?)\b/g,
    cue: 'patient_responsibility',
  },
  {
    pattern:
      /\b(?:we paid|paid(?: out)?|plan paid|payment(?: amount)?|reimburs\w+|check(?: amount)?|issued|disbursed|paying|payout|released|sent out|mailed)\b/g,
    cue: 'paid_amount',
  },
  {
    pattern: /\b(?:penalty|interest|withh(?:e|o)ld|premium|monthly|fee\b|write-?off|adjustment|discount)\b/g,
    cue: 'other',
  },
];

/**
 * The amounts of a reply with their roles.
 *
 * @param asked the role that the last question was about; amounts without a word of their own take it
 * @param own what makes an amount the patient's own
 */
export function findRoleAmounts(
  sentences: readonly Sentence[],
  asked: AmountRole | null,
  own: OwnCase,
): RoleAmount[] {
  const ownCase = asClassed(sentences, own);
  const found: RoleAmount[] = [];
  /** What was spoken of last, for "met" and "remaining". */
  let subject: AmountRole | null = asked;
  /** The role that a sentence without an amount has announced: "Paid. $900 to the provider." */
  let carried: AmountRole | null = null;
  for (const sentence of sentences) {
    const isShort = sentence.plain.length < 160;
    const said = findMoney(sentence.plain, { bare: asked !== null && asked !== 'coinsurance' && isShort });
    // "We paid 279": a number right behind such a word can only be money.
    const behindCue = findMoney(sentence.plain, { bare: true }).filter(({ start }) =>
      /\b(?:paid|allowed|billed|owes?|(?:co-?pay|deductible|responsibility) (?:is|of|was))(?: about| around)? $/.test(
        sentence.plain.slice(0, start),
      ),
    );
    const amounts = withoutOverlap(
      [
        ...said,
        ...behindCue.filter(({ start }) => !said.some((one) => one.start <= start && start < one.end)),
      ].sort((a, b) => a.start - b.start),
      sentence.plain,
    ).filter(({ amount }) => amount < mostPlausible);
    const cues = findMentions(
      sentence.plain,
      cueRules.map(({ pattern, cue }) => ({ pattern, read: (): Cue => ({ cue }) })),
    );
    amounts.forEach((amount, index) => {
      const next = amounts[index + 1];
      const cue = cueFor(sentence.plain, amount, next, amounts[index - 1], cues);
      const before = cues
        .filter(({ start, cue: name }) => start < amount.start && name !== 'met' && name !== 'remaining')
        .at(-1);
      subject = subjectOf(before?.cue) ?? subjectOf(cue) ?? subject;
      const role = roleOf(cue, subject, meantBy(sentence.plain, asked) ?? carried);
      if (role !== null) {
        const context = sentence.plain.slice(amount.start, next?.start ?? sentence.plain.length);
        const lead = sentence.plain.slice(amounts[index - 1]?.end ?? 0, amount.start);
        // "In a hospital that one is 65": an amount for another case, and not of what was asked.
        const isOtherCase = cue === null && carried === null && otherCase.test(sentence.plain);
        const isBound = onlyBound.test(lead);
        const concludes = found.length > 0 && conclusion.test(lead);
        const score =
          scoreOf(lead, context, ownCase) - (isOtherCase ? 6 : 0) - (isBound ? 3 : 0) + (concludes ? 6 : 0);
        found.push({
          role,
          amount: amount.amount,
          isAmbiguous: amount.isAmbiguous === true || isBound,
          sentence,
          score,
        });
      }
    });
    subject = subjectOf(cues.findLast(({ cue }) => subjectOf(cue) !== null)?.cue) ?? subject;
    const announced = cues.at(-1)?.cue;
    carried = amounts.length > 0 || announced === undefined ? carried : roleOf(announced, subject, null);
  }
  return found;
}

/** "Under a thousand": no figure yet. */
const onlyBound =
  /\b(?:under|below|less than|more than|over|above|at least|close to|nearly|almost|north of|south of|shy of)(?: a| just| about)? ?\$?$/;

/** "Therapy goes under primary, so 35": what comes of it. */
const conclusion =
  /\b(?:so|(?:that|which|this) (?:makes|means|would be|leaves)|meaning|hers|his|theirs)(?: it| it's| that's| is| a| just| would| be)* ?\$?$/;

const classed =
  /\b(?:counts?|counted|goes|falls|comes|is billed|bills|billed|processes|is treated|treated|takes|classed|considered|is|it's)(?: \w+)? (?:as|under|with|like)(?: the| a| an)? (?<kind>primary|pcp|specialist|specialty)\b/;

/** "Therapy counts as primary care": which of the prices the patient's service has. */
function asClassed(sentences: readonly Sentence[], own: OwnCase): OwnCase {
  const kind = sentences
    .map(({ plain }) => classed.exec(plain)?.groups?.kind)
    .find((found) => found !== undefined);
  if (kind === undefined) return own;
  const isPrimary = kind === 'primary' || kind === 'pcp';
  const others = own.serviceWords.filter((word) => !/^(?:primary|pcp|specialist)$/.test(word));
  return { ...own, serviceWords: [...others, ...(isPrimary ? ['primary', 'pcp'] : ['specialist'])] };
}

/** Bare digits beyond this, in dollars, are a number of a check, a call or a telephone. */
const mostPlausible = 10_000_000;

const otherCase =
  /\b(?:if it(?:'s| is| was)|hospital|emergency|urgent care|inpatient|facility|only (?:if|at|for))\b/;

/** Bare numbers are also percentages, days or parts of dates; those are none of ours. */
function withoutOverlap<Mention extends Placed>(amounts: Mention[], plain: string): Mention[] {
  const others: Placed[] = [
    ...findPercentages(plain),
    ...findMentions(plain, [
      {
        pattern:
          /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d{1,2}(?:,? \d{4})?|\b(?:19|20)\d\d\b(?=$|[.,;]| )|\b(?:hmo|ppo|epo|pos|hdhp|gold|silver|bronze|platinum|basic|standard|plus|select|choice|plan|tier|option|level) \d+\b|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b|\b(?:\d ){4,}\d\b/g,
        read: () => ({}),
      },
    ]).filter(
      (place) =>
        !/^(?:19|20)\d\d$/.test(plain.slice(place.start, place.end)) ||
        /\b(?:in|of|since|year|,) ?$/.test(plain.slice(0, place.start)),
    ),
  ];
  return amounts.filter(
    (amount) => !others.some(({ start, end }) => start < amount.end && amount.start < end),
  );
}

const linkForward =
  /^,? ?(?:(?:of (?:it|that|this|which|the|his|her|their)|has|have|had|is|was|are|been|being|went|goes|go|applied|toward|towards|your|her|his|their|in|for|as|an?|the|annual|yearly|calendar year|individual|single|specialist|per visit|office visit|visit|so far|already|to date|still|year|that|which|they've|she's|he's|towards?|to) ?)*$/;

/** "The check got cut on the 4th just the $50": the date belongs to the check, the amount to what was asked. */
const dateThenAmount =
  /\b(?:\d{1,2}(?:st|nd|rd|th)|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]* \d{1,2})\b.*\b(?:just|only) (?:the |her |his |a )?\$?$/;

function cueFor(
  plain: string,
  amount: Placed,
  next: Placed | undefined,
  previous: Placed | undefined,
  cues: readonly (Cue & Placed)[],
): Cue['cue'] | null {
  const gapToNext = next === undefined ? null : plain.slice(amount.end, next.start);
  // "620 of the 1500 deductible has been met"
  if (
    gapToNext !== null &&
    /^,? ?(?:out )?of (?:the|a|that|his|her|their|this)?(?: \w+)? ?$/.test(gapToNext)
  ) {
    const tail = plain.slice(next?.end ?? 0);
    if (/\b(?:met|satisfied|used|accumulated)\b/.test(tail)) return 'met';
    if (/\b(?:remain|left)\b/.test(tail)) return 'remaining';
  }
  // "$300, met": the whole amount, and all of it.
  if (
    next === undefined &&
    previous === undefined &&
    /^,? (?:and )?(?:(?:it's|it is|that's|all|already|fully) )*met\b[.]?$/.test(plain.slice(amount.end)) &&
    /^(?:(?:it's|it is|that's) )?$/.test(plain.slice(0, amount.start))
  ) {
    return null;
  }
  const following = cues.find(({ start }) => start >= amount.end);
  const preceding = cues.findLast(({ end }) => end <= amount.start);
  const blockedBehind = previous !== undefined && preceding !== undefined && preceding.end <= previous.start;
  if (following !== undefined && (next === undefined || following.start < next.start)) {
    const gap = plain.slice(amount.end, following.start);
    const behind = preceding === undefined ? null : plain.slice(preceding.end, amount.start);
    const closelyBehind =
      behind !== null &&
      !blockedBehind &&
      /^(?: amount)?(?: to date| so far| this year)?(?: is| was| are| of|:|,| would be| will be| comes to| at| for| in the amount of| a| the)* ?$/.test(
        behind,
      );
    // "allowed 560 paid 448": each amount has its word right before it.
    const ownsNext =
      next !== undefined &&
      /^(?: (?:is|was|are|of|about|at))*:? ?\$?$/.test(plain.slice(following.end, next.start));
    if (linkForward.test(gap) && !(closelyBehind && (/,|\bthe\b|\ba\b/.test(gap) || ownsNext))) {
      return following.cue;
    }
  }
  if (preceding === undefined) return null;
  if (dateThenAmount.test(plain.slice(preceding.end, amount.start))) return null;
  // "They've met 620", but not "… has been met, so 880 is …": there the word belonged to the amount before.
  const belongedBefore =
    blockedBehind ||
    (previous !== undefined &&
      (preceding.cue === 'met' || preceding.cue === 'remaining') &&
      linkForward.test(plain.slice(previous.end, preceding.start)));
  if (belongedBefore && (preceding.cue === 'met' || preceding.cue === 'remaining')) {
    return (
      cues.findLast(({ end, cue }) => end <= amount.start && cue !== 'met' && cue !== 'remaining')?.cue ??
      null
    );
  }
  return preceding.cue;
}

function subjectOf(cue: Cue['cue'] | null | undefined): AmountRole | null {
  switch (cue) {
    case 'deductible':
    case 'out_of_pocket_maximum':
      return cue;
    default:
      return null;
  }
}

/** What an amount without a word of its own means after a question. */
function meantBy(plain: string, asked: AmountRole | null): AmountRole | null {
  // "It is 1,000, none of it met": the amount is the whole.
  if (
    asked === 'deductible_met' &&
    /\b(?:none|nothing|not any|zero)\b[^.;]*\bmet\b|\bnot met any\b/.test(plain)
  ) {
    return 'deductible';
  }
  // "$2,000 individual, $4,000 family" is said of deductibles, not of copays.
  return asked === 'copay' && /\b(?:individual|family)\b/.test(plain) ? 'other' : asked;
}

function roleOf(
  cue: Cue['cue'] | null,
  subject: AmountRole | null,
  asked: AmountRole | null,
): AmountRole | null {
  const isOutOfPocket = subject === 'out_of_pocket_maximum' || subject === 'out_of_pocket_met';
  switch (cue) {
    case null:
      return asked;
    case 'met':
      return isOutOfPocket ? 'out_of_pocket_met' : 'deductible_met';
    case 'remaining':
      return isOutOfPocket ? 'other' : 'deductible_remaining';
    case 'visit':
      // What is paid for each visit is a copay, or another price that was asked for.
      return asked === 'deductible' || asked === 'deductible_met' || asked === 'out_of_pocket_maximum'
        ? 'copay'
        : asked;
    default:
      return cue;
  }
}

function scoreOf(lead: string, context: string, { serviceWords, isOutOfNetwork }: OwnCase): number {
  let score = 0;
  // What qualifies an amount stands right before it ("family is $3,000") or, if nothing does, after it ("$3,000 family").
  const ahead = lead.split(/,| and | or /).at(-1) ?? '';
  const behind = context.split(/, | and | or |;/)[0] ?? '';
  const isNamedAhead =
    /\w (?:is|are|was|of|at|has|have)(?: an?)? ?\$?$/.test(ahead) &&
    !/^ ?\$?[\d,.]+ (?:for|individual|family|single|in|out|per)/.test(behind);
  const near = isNamedAhead ? ahead : `${ahead} ${behind}`;
  if (/\bfamily\b/.test(near)) score -= 5;
  const isOutside = /\bout[- ]of[- ]network|non[- ]?network/.test(near);
  if (isOutside !== isOutOfNetwork && (isOutside || /\bin[- ]network/.test(near))) score -= 5;
  if (
    /\b(?:emergency|er\b|urgent care|hospital|inpatient|generic|brand|pharmacy|prescription|drug)/.test(near)
  ) {
    score -= 3;
  }
  if (/\bindividual|single|in[- ]network\b/.test(near)) score += 1;
  if (serviceWords.some((word) => near.includes(word))) score += 3;
  return score;
}

/** The best amount of a role, the first among equals. */
export function bestAmount(amounts: readonly RoleAmount[], role: AmountRole): RoleAmount | null {
  let best: RoleAmount | null = null;
  for (const candidate of amounts) {
    if (candidate.role === role && (best === null || candidate.score > best.score)) best = candidate;
  }
  // An amount of the family's or of another network alone is not the patient's.
  return best !== null && best.score <= -5 ? null : best;
}

/** The share that the patient pays after the deductible, in percent. */
export function findCoinsurance(
  sentences: readonly Sentence[],
  isAsked: boolean,
  isOutOfNetwork = false,
): { percent: number; sentence: Sentence } | null {
  let best: { percent: number; sentence: Sentence; score: number } | null = null;
  for (const sentence of sentences) {
    const { plain } = sentence;
    const split =
      /\b(?<plan>[5-9]\d|100) ?(?:\/| |-|percent )(?<patient>\d{1,2})\b(?= ?(?:split|plan|coinsurance|co-insurance|after|$|[.,]|percent))/.exec(
        plain,
      );
    if (split !== null && Number(split.groups?.plan) + Number(split.groups?.patient) === 100) {
      best ??= { percent: Number(split.groups?.patient), sentence, score: 0 };
      continue;
    }
    for (const mention of findPercentages(plain)) {
      const before = plain.slice(0, mention.start);
      const after = plain.slice(mention.end, mention.end + 45).split(/, | and | but |;/)[0] ?? '';
      const planPays =
        /\b(?:plan|we|we'll|insurance|policy|it|they'll)(?: will| would)? (?:pays?|covers?|reimburses?)(?: at| for)? ?$|\b(?:covered|payable|paid|reimbursed)(?: at| in) ?$/.test(
          before,
        ) ||
        /^ (?:is |will be |would be )?(?:covered|paid by|of the allowed|is paid|by the plan|by us)/.test(
          after,
        );
      const cued =
        /\bco-? ?insurance\b|\b(?:member|patient|she|he|they|you)(?:'s|'ll| will| would)? (?:pays?|owes?|is responsible|responsib\w+|share|cost)|\bresponsib|\bcost[- ]shar/.test(
          plain,
        );
      if (!isAsked && !cued && !planPays) continue;
      const isOutside =
        /\bout[- ]of[- ]network/.test(after) || /\bout[- ]of[- ]network[^,;]{0,25}$/.test(before);
      const score =
        (isOutside === isOutOfNetwork || (!isOutside && !/\bin[- ]network/.test(plain)) ? 0 : -5) +
        (/\bin[- ]network/.test(plain) ? 1 : 0) +
        (cued ? 1 : 0);
      const percent =
        planPays && !/\bco-? ?insurance (?:is|of)? ?$/.test(before) ? 100 - mention.percent : mention.percent;
      if (best === null || score > best.score) best = { percent, sentence, score };
    }
  }
  return best === null || best.score <= -4 ? null : best;
}
