import type { Sentence } from '../language/text.ts';
import type { CallPlan, FactTopic } from '../plan/call-plan.ts';
import type { TurnDraft } from './turn-draft.ts';

/** What we would want to be put through to, best first. */
const wanted: Record<CallPlan['callee'], readonly RegExp[]> = {
  clinic: [
    /\b(?:appointments?|schedul\w+|book\w*|new patients?)\b/,
    /\b(?:front desk|reception\w*|patients?)\b/,
  ],
  insurer: [/\b(?:benefits?|eligibility|coverage|verif\w+)\b/, /\bproviders?\b/, /\bmembers?\b/],
  'claims-department': [
    /\b(?:claims?|reimbursement)\b/,
    /\b(?:billing|payments?)\b/,
    /\bproviders?\b/,
    /\bmembers?\b/,
  ],
  office: [/\b(?:office manager|front desk|reception\w*)\b/, /\b(?:other|general|all other|anything else)\b/],
};

const person =
  /\b(?:operator|representative|agent|someone|somebody|person|assistance|other (?:questions|inquiries|calls|options)|all other|stay on the line)\b/;

interface Choice {
  readonly key: string;
  readonly text: string;
}

/**
 * The key to press in a telephone menu; an empty string when there is a menu in which nothing is for us and it is better
 * to wait; `null` when the words are no menu.
 */
export function chooseMenuKey(sentences: readonly Sentence[], plan: CallPlan): string | null {
  const choices = sentences.flatMap(choicesOf);
  if (choices.length === 0) return null;
  for (const pattern of [...wanted[plan.callee], person]) {
    const choice = choices.find(({ text }) => pattern.test(text));
    if (choice !== undefined) return choice.key;
  }
  // A human being is behind the zero of most menus.
  return choices.some(({ key }) => key === '0') ? '0' : '';
}

/** "For appointments, press 2", "press 1 for billing", "dial star to repeat" */
function choicesOf({ plain }: Sentence): Choice[] {
  const keys = '(?<key>\\d|star|pound|zero)';
  const press = '(?:please )?(?:press|dial|push|enter|hit)(?: the)?(?: number| key)?';
  const before = [
    ...plain.matchAll(
      new RegExp(`(?<text>[^,.;]*?(?:for|to|if)\\b[^.;]*?),? ${press} ${keys}\\b(?! (?:for|to|if))`, 'g'),
    ),
  ];
  const after = [
    ...plain.matchAll(
      new RegExp(`\\b${press} ${keys},? (?<text>(?:for|to|if) [^.;]*?)(?=,? (?:or )?${press}|[.;]|$)`, 'g'),
    ),
  ];
  return [...before, ...after].flatMap((match) => {
    const key = match.groups?.key;
    const text = match.groups?.text;
    if (key === undefined || text === undefined) return [];
    return [{ key: key === 'star' ? '*' : key === 'pound' ? '#' : key === 'zero' ? '0' : key, text }];
  });
}

/** What a machine asks to have keyed in, and the fact that answers it. */
const keyedTopics: readonly { readonly pattern: RegExp; readonly topic: FactTopic }[] = [
  { pattern: /\bn\.?p\.?i\b|provider (?:id|identifier|number)/, topic: 'provider-npi' },
  { pattern: /\bmember|subscriber|policy\b/, topic: 'member-id' },
  { pattern: /\bdate of birth|birth ?date\b/, topic: 'date-of-birth' },
  { pattern: /\bclaim\b/, topic: 'claim-number' },
  { pattern: /\b(?:call ?back|phone|telephone)\b/, topic: 'phone' },
];

/**
 * "Please enter your NPI": keys in the digits of the fact, or says it where keys cannot. Returns whether that was asked
 * for; what we do not have is answered with zero, behind which a person sits.
 */
export function enterRequestedDigits(draft: TurnDraft, sentences: readonly Sentence[]): boolean {
  const request = sentences.find(
    ({ plain, isQuestion }) => /\b(?:enter|key in|type in|punch in)\b/.test(plain) && !isQuestion,
  );
  if (request === undefined) return false;
  const topic = keyedTopics.find(({ pattern }) => pattern.test(request.plain))?.topic;
  if (topic === undefined) return false;
  const fact = draft.plan.facts.find((known) => known.topic === topic);
  if (fact === undefined) {
    draft.press('0');
    return true;
  }
  const digits = topic === 'date-of-birth' ? birthDigits(fact.value) : fact.value.replace(/^\+1/, '');
  if (/^\d+$/.test(digits)) {
    draft.press(/\bpound\b|#/.test(request.plain) ? `${digits}#` : digits);
    draft.disclose([fact.field]);
  } else draft.say(`${fact.spoken}.`, [fact.field]);
  return true;
}

/** `1984-07-12` → `07121984`, as American machines ask for it. */
function birthDigits(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${month}${day}${year}`;
}
