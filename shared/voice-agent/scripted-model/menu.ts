import type { CallPlan } from '../call-plan.ts';
import type { Sentence } from '../language/text.ts';

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
