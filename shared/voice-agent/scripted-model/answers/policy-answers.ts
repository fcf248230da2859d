import { plainOf } from '../../language/text.ts';
import type { PlanItem } from '../../plan/call-plan.ts';
import { statementsOf } from '../statements.ts';
import { isFiller } from './chatter.ts';
import { answerFrom, type FoundAnswer, type Reply } from './reply.ts';
import { conditional, isGuessed, unsettled, yesNoReply } from './yes-no-answers.ts';

export type PolicyKey =
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
    yes: /\bin[- ](?:the |our |that )?network\b|\b(?:is|are|as|comes? up as|shows? as) (?:an? |our )?(?:in[- ])?network (?:provider|doctor|facility)\b|\bparticipat(?:ing|es)\b|\bcontracted\b|\bis par\b/,
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

export function policyAnswer(
  reply: Reply,
  item: PlanItem,
  key: PolicyKey,
  isAsked: boolean,
): FoundAnswer | null {
  const { cue, yes, no } = policies[key];
  const statements = reply.sentences.filter(({ isQuestion }) => !isQuestion);
  for (const sentence of statements) {
    const clause = clauseAround(sentence.plain, cue, key);
    // "Active." alone can only be said of the coverage.
    const isBareWord =
      key === 'coverage_active' &&
      /^(?:(?:yes|yeah|yep|okay),? )?(?:(?:it|she|he|they)(?:'s| is|'re| are) )?(?:currently |still |not )?(?:in)?active(?:,? (?:yes|yeah|coverage))?\.?$/.test(
        sentence.plain,
      );
    if (clause === null && !isAsked && !isBareWord) continue;
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
    const looked = clause ?? sentence.plain;
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
    // "Yes, she is active" has said nothing about the authorization.
    (key !== 'coverage_active' &&
      /\b(?:in)?active\b|\beligible\b|\beffective (?:since|as of|from|\w+ \d)/.test(plain)) ||
    /\bco-?pay|deductible|co-?insurance\b/.test(plain)
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

const planWord =
  /\b(?:PPO|HMO|EPO|POS|HDHP|HSA|Medicare|Medicaid|Advantage|Gold|Silver|Bronze|Platinum|Choice|Select|Premier|Plus|Complete|Freedom|Open Access)\b/;

/** A plan's name in words without capitals: "it's the meadowlark basic plan". */
const spokenPlan =
  /\b(?:it's|it is|that's|that is|called|plan is|is|on|under|in)(?: the| an?| called)* (?<name>(?!(?:[a-z]+ )*(?:deductible|coverage|individual|family|active|high)\b)[a-z0-9 ]*\b(?:ppo|hmo|epo|pos|hdhp|hsa|gold|silver|bronze|platinum|choice|select|premier|plus|advantage|medicare|medicaid|basic|standard|value|plan)\b[a-z0-9 ]*)/;

/** The same said without being asked: "she has the silver ppo plan". */
const volunteeredPlan =
  /\b(?:has|have|on|under|in|with|enrolled in) (?:the|a|an|our) (?<name>(?:(?!plan\b)[a-z0-9]+ ){0,3}(?:ppo|hmo|epo|pos|hdhp|hsa|gold|silver|bronze|platinum|choice|select|premier|plus|advantage|basic)(?: (?!plan\b)[a-z0-9]+){0,2}) plan\b/;

/** In writing with capitals, a name has them; without any, it cannot be told. */
function isWrittenAsName(text: string): boolean {
  const words = text.split(/[\s.,!]+/).filter((word) => word.length > 3);
  return words.length > 0 && (!/\p{Lu}/u.test(text) || words.every((word) => /^[\p{Lu}\d]/u.test(word)));
}

export function planNameAnswer(reply: Reply, item: PlanItem, isAsked: boolean): FoundAnswer | null {
  for (const sentence of reply.sentences) {
    if (sentence.isQuestion) continue;
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
  for (const sentence of isAsked ? [] : reply.sentences) {
    const volunteered = sentence.isQuestion
      ? undefined
      : volunteeredPlan.exec(sentence.plain)?.groups?.name?.trim();
    if (volunteered !== undefined) return answerFrom(item, sentence, volunteered, volunteered);
  }
  if (!isAsked) return null;
  const statements = statementsOf(reply.sentences);
  for (const statement of statements) {
    const spoken = spokenPlan
      .exec(statement.plain)
      ?.groups?.name?.trim()
      .replace(/ plan$/, '');
    if (spoken !== undefined && spoken !== '') return answerFrom(item, statement, spoken, spoken);
  }
  const [statement] = statements;
  if (statement === undefined) return null;
  // A few words without a verb are a name.
  const isName =
    statement.text.split(' ').length <= 6 &&
    !isFiller(statement.plain) &&
    !/\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|^active\b/.test(
      statement.plain,
    ) &&
    isWrittenAsName(statement.text) &&
    !/^(?:(?:so|well|and|okay|oh) )*(?:it|that|this|she|he|they|we|i|yes|no|the|there|in|on|so|exactly|correct|right|anything|okay|here|got|copy|let|mm|uh|yep|yeah|sure|great|cool|fine|thanks|thank|good|birth|date|member|name|provider|number)\b/.test(
      statement.plain,
    ) &&
    !/\b(?:[a-z] [a-z]|(?:in)?active|eligib\w+|status|effective|month|year|code|is|are|was|has|have|do|does|can|will|network|covered|dollars?|percent|required|go|ask|wait|one of|some|standard|usual|ours?|regular|sorry|again|what|think|sure)\b|[$%]/.test(
      statement.plain,
    );
  return isName ? { ...answerFrom(item, statement, statement.text, null), isLoose: true } : null;
}
