import type { Sentence } from '../language/text.ts';
import type { CallPlan, FactTopic } from '../plan/call-plan.ts';
import type { MenuChoice } from './memory.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';
import { isOtherDepartment } from './whom-we-reached.ts';

/** What we would want to be put through to, best first. */
const wanted: Record<CallPlan['callee'], readonly RegExp[]> = {
  clinic: [
    /\b(?:schedul\w+|make an appointment|book\w*|new appointment|appointments?)\b/,
    /\bnew patients?\b/,
    /\b(?:front desk|reception\w*|patients?)\b/,
  ],
  insurer: [
    /\b(?:benefits?|eligibility|coverage|verif\w+)\b/,
    /\b(?:providers?|doctor'?s?|health ?care professionals?|medical offices?)\b/,
    /\bmembers?\b/,
  ],
  'claims-department': [
    /\b(?:claims?|reimbursements?)\b/,
    /\b(?:providers?|health ?care professionals?|medical offices?)\b/,
    /\b(?:billing|payments?)\b/,
    /\bmembers?\b/,
  ],
  office: [/\b(?:office manager|front desk|reception\w*)\b/, /\b(?:other|general|all other|anything else)\b/],
};

/** Choices that sound like ours and are not. */
const unwanted: Record<CallPlan['callee'], RegExp> = {
  clinic:
    /^(?!.*\b(?:schedule|make|book)\b).*\bcancel|\b(?:physician's office|doctors? (?:and|or) (?:pharmac|hospital)|pharmacist|provider's)\b/,
  insurer: /\b(?:members? (?:press|who)|pharmac\w+|dental|vision)\b/,
  'claims-department': /\bpharmac\w+\b/,
  office: /(?!)/,
};

const person =
  /\b(?:operator|representative|team member|staff|speak (?:to|with)|talk (?:to|with)|agent|someone|somebody|person|assistance|other (?:questions|inquiries|calls|options)|all other|anything else|stay on the line)\b/;

const english = /\benglish\b/;
const back = /\b(?:return|previous|main menu|go back|start over|other department)\b/;
const again = /\b(?:repeat|hear (?:this|these|the) (?:menu|options|choices))\b/;

/** How the choice is said where a menu wants words. */
const spokenWish: Record<CallPlan['callee'], string> = {
  clinic: 'Schedule an appointment.',
  insurer: 'Eligibility and benefits.',
  'claims-department': 'Claim status.',
  office: 'Representative.',
};

/** Of a machine that wants to hear in words what the call is about. */
const wantsWords =
  /\byou can (?:also )?say ["'“]?\w+|\bin a few words\b|\byou can say (?:things like|something like)|\b(?:please )?(?:tell me|say|briefly (?:describe|say|tell me)) (?:briefly )?(?:in a few words |why you(?:'re| are) calling|what you(?:'re| are) calling (?:about|for)|the reason for your call|how (?:i|we) can help you)|\bfor example,? (?:you can )?say\b|\bsay (?:the name of )?(?:a |the )?department\b/;

/** Of a machine that has been speaking already. */
const asksForChoice =
  /\bwhich of the following\b|\bwhat (?:are you|is it you're) calling (?:about|for)\b|\bhow (?:can|may) (?:i|we) help you\b.*\bsay\b|\bmain menu\b|\bplease (?:say|choose|select) (?:one|from)\b/;

const keyNames: Readonly<Record<string, string>> = {
  star: '*',
  asterisk: '*',
  pound: '#',
  hash: '#',
  zero: '0',
  one: '1',
  two: '2',
};

const pressWords =
  '(?:press|dial|push|enter|hit|choose|select|touch)(?:ing)?(?: or say| or speak)?(?: the)?(?: number| key| option| digit)?';
const pressed = new RegExp(
  `\\b(?:say or )?${pressWords} (?<key>\\d|star|asterisk|pound|hash|zero|one|two)\\b(?!\\d)(?: key| sign)?(?: now)?|(?<=${pressWords} \\d (?:for|to|if) [^.]{2,60})\\b(?<also>\\d)(?= (?:for|to|if)\\b)`,
  'g',
);
/** "Say 'billing'" as a way to choose. */
const sayable =
  /\b(?:say|saying),? ["'“]?(?<word>[a-z]+(?: [a-z]+)?)["'”]?(?:,? (?:or )?(?:press|$)|$|[.,])/g;

/**
 * The choices of a menu in what was heard: "For appointments, press 2", "press 1 for billing, 2 for …", "say billing or
 * press 3", with or without punctuation.
 */
export function choicesIn(sentences: readonly Sentence[]): MenuChoice[] {
  const text = sentences.map(({ plain }) => plain).join(' . ');
  const keys = [...text.matchAll(pressed)].map((match) => ({
    key: keyOf(match.groups?.key ?? match.groups?.also ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const isNamedAhead = keys.length > 0 && aimIn(text.slice(0, keys[0]?.start)) !== '';
  const choices = keys.map(({ key, start, end }, index): MenuChoice => {
    const before = lastClause(text.slice(keys[index - 1]?.end ?? 0, start));
    const behind = /^,? ?((?:for|to|if)\b[^.]*)/.exec(text.slice(end, keys[index + 1]?.start))?.[1] ?? '';
    const about = isNamedAhead || behind === '' ? aimIn(before) || before : behind;
    return { key, text: about.trim() };
  });
  const spoken = keys.length > 0 ? [] : [...text.matchAll(sayable)];
  return [
    // The pound key ends what is keyed in; nothing is behind it.
    ...choices.filter(({ key, text: about }) => about !== '' && key !== '#'),
    ...spoken.map((match): MenuChoice => ({ key: '', text: match.groups?.word ?? '' })),
  ];
}

function keyOf(word: string): string {
  return keyNames[word] ?? word;
}

function lastClause(text: string): string {
  return text.split(/ \. |[.;]/).at(-1) ?? '';
}

/** What a key is for, when it is said before the key: from "for", "to" or "if" on. */
function aimIn(before: string): string {
  const clause = lastClause(before).replace(/\bfor (?:calling|choosing|holding|waiting|your)\b/g, '');
  return /\b(?:for|to|if)\b .*$/.exec(clause)?.[0] ?? '';
}

/** Deals with a machine that offers choices. Returns whether the words were that. */
export function handleMenu(draft: TurnDraft, heard: Heard): boolean {
  const choices = choicesIn(heard.sentences);
  const isSpoken =
    heard.sentences.some(
      ({ plain }) => wantsWords.test(plain) || (draft.memory.line === 'machine' && asksForChoice.test(plain)),
    ) && !isSomebody(heard);
  if (choices.length === 0 && !isSpoken) return false;
  // "You can press one when you call next time" is said by a person.
  if (choices.length === 0 || choices.every(({ key }) => key === '')) {
    if (!isSpoken) return false;
    meetMachine(draft);
    sayWish(draft, heard);
    return true;
  }
  meetMachine(draft);
  const { menu } = draft.memory;
  const isSame = choices.some((choice) => menu.choices.some((known) => known.text === choice.text));
  menu.choices =
    isSame || menu.is_answered
      ? [...choices]
      : [...menu.choices.filter(({ key }) => !choices.some((choice) => choice.key === key)), ...choices];
  const wasRead = isSame && !menu.is_answered;
  menu.is_answered = false;
  const isOver =
    wasRead || choices.length > 1 || choices.some(({ text }) => again.test(text) || person.test(text));
  choose(draft, isOver, isOtherDepartment(heard, draft.plan.callee));
  return true;
}

/** A menu that broke off, or after which nothing more came: the best of what there is. */
export function chooseFromMenu(draft: TurnDraft): boolean {
  const { menu } = draft.memory;
  if (menu.choices.length === 0 || menu.is_answered) return false;
  choose(draft, true, false);
  return true;
}

function choose(draft: TurnDraft, isOver: boolean, isWrongBranch: boolean): void {
  const { menu } = draft.memory;
  const { callee } = draft.plan;
  const open = menu.choices.filter((choice) => choice.key !== '' && !menu.tried.includes(nameOf(choice)));
  const fitting = open.filter(
    ({ text }) => !unwanted[callee].test(text) && !back.test(text) && !again.test(text),
  );
  const [first, ...others] = wanted[callee];
  const best =
    fitting.find(({ text }) => first?.test(text) === true) ?? fitting.find(({ text }) => english.test(text));
  if (isWrongBranch && best === undefined) {
    press(draft, open.find(({ text }) => back.test(text)) ?? { key: '*', text: '' });
    return;
  }
  if (best !== undefined) {
    press(draft, best);
    return;
  }
  // What merely comes near is taken when the menu has been read to its end.
  if (!isOver) return;
  for (const pattern of [...others, person]) {
    const next = fitting.find(({ text }) => pattern.test(text));
    if (next !== undefined) {
      press(draft, next);
      return;
    }
  }
  const way = open.find(({ text }) => back.test(text));
  const zero = { key: '0', text: menu.choices[0]?.text ?? '' };
  if (way !== undefined && menu.tried.length === 0) press(draft, way);
  // A human being is behind the zero of most menus.
  else if (!menu.tried.includes(nameOf(zero))) press(draft, zero);
  else if (!menu.tried.includes('representative')) {
    menu.tried.push('representative');
    menu.is_answered = true;
    draft.say('Representative.');
  } else draft.wait();
}

/** Branches are remembered by what they are for: the way back to a menu must not lead into the same one again. */
function nameOf({ key, text }: MenuChoice): string {
  return `${key} ${text}`;
}

function press(draft: TurnDraft, choice: MenuChoice): void {
  const { menu } = draft.memory;
  const { key } = choice;
  menu.tried.push(nameOf(choice));
  menu.is_answered = true;
  draft.press(key);
}

/** "You can say member or provider": one of the words that are offered, if one fits. */
function offeredWord({ sentences }: Heard, callee: CallPlan['callee']): string | null {
  const offered = sentences.flatMap(({ plain }) =>
    [...plain.matchAll(/\b(?:say|saying),? ([^.?!]+)/g)].flatMap(([, words = '']) =>
      words
        .split(/,? or |, /)
        .map((word) => word.replaceAll(/["'“”]|^(?:things like|something like) |^or /g, '').trim()),
    ),
  );
  for (const pattern of wanted[callee]) {
    const word = offered.find((one) => pattern.test(one) && one.split(' ').length <= 4);
    if (word !== undefined) return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}.`;
  }
  return null;
}

function sayWish(draft: TurnDraft, heard: Heard): void {
  const { menu } = draft.memory;
  const { callee } = draft.plan;
  const wish = offeredWord(heard, callee) ?? spokenWish[callee];
  const next = menu.tried.includes(wish) ? 'Representative.' : wish;
  menu.tried.push(next);
  menu.is_answered = true;
  draft.say(next);
}

/** A machine listens: whoever comes after it has not heard who calls. */
export function meetMachine(draft: TurnDraft): void {
  draft.memory.line = 'machine';
  draft.memory.notice_heard = false;
  draft.memory.purpose_said = false;
  draft.memory.cut = null;
}

function isSomebody({ signals, said }: Heard): boolean {
  return signals.has('small-talk') || /\bmy name is\b/i.test(said);
}

/** What a machine asks to have keyed in, and the fact that answers it. */
const keyedTopics: readonly { readonly pattern: RegExp; readonly topic: FactTopic }[] = [
  { pattern: /\bn\.?p\.?i\b|(?:national )?provider (?:id\w*|number)/, topic: 'provider-npi' },
  { pattern: /\bdate of birth|birth ?(?:date|day)\b/, topic: 'date-of-birth' },
  { pattern: /\bclaim\b/, topic: 'claim-number' },
  {
    pattern:
      /\b(?:member|subscriber|policy|patient|insurance)(?:'s)? ?(?:id\w*|number)|\bmember\b|\bid number\b/,
    topic: 'member-id',
  },
  { pattern: /\bgroup\b/, topic: 'group-number' },
  { pattern: /\b(?:call ?back|phone|telephone)\b/, topic: 'phone' },
];

const entryRequest =
  /\b(?:enter|key in|type in|punch in|(?:please )?(?:say or|speak or) (?:enter|key in)|using your (?:telephone )?keypad)\b/;

/** How often the same thing is keyed in before a person is asked for. */
const maxEntries = 2;

/**
 * "Please enter your NPI": keys in the digits of the fact, or says it where keys cannot. Returns whether that was asked
 * for; what we do not have is answered with zero, behind which a person sits.
 */
export function enterRequestedDigits(draft: TurnDraft, { sentences }: Heard): boolean {
  const request = sentences.find(({ plain, isQuestion }) => entryRequest.test(plain) && !isQuestion);
  const whole = sentences.map(({ plain }) => plain).join(' ');
  if (
    request === undefined ||
    /\bi(?:'ll| will|'m going to| need to| have to)? (?:\w+ )?(?:enter|key|type)/.test(whole)
  )
    return false;
  const topic =
    keyedTopics.find(({ pattern }) => pattern.test(request.plain))?.topic ??
    keyedTopics.find(({ pattern }) => pattern.test(whole))?.topic;
  if (topic === undefined) return false;
  meetMachine(draft);
  // Only an institution keeps a machine that asks for such numbers.
  draft.memory.reached = true;
  const { entries } = draft.memory.menu;
  entries[topic] = (entries[topic] ?? 0) + 1;
  const fact = draft.plan.facts.find((known) => known.topic === topic);
  if (fact === undefined || entries[topic] > maxEntries) {
    draft.press('0');
    return true;
  }
  const digits = digitsFor(topic, fact.value, whole);
  if (/^\d+$/.test(digits)) {
    draft.press(/\b(?:pound|hash)\b|#/.test(whole) ? `${digits}#` : digits);
    draft.disclose([fact.field]);
  } else draft.say(`${fact.spoken}.`, [fact.field]);
  return true;
}

function digitsFor(topic: FactTopic, value: string, request: string): string {
  if (topic === 'date-of-birth') return birthDigits(value, request);
  if (topic === 'phone') return value.replace(/^\+1/, '');
  const lastDigits = /\blast (\d) (?:digits|numbers)\b/.exec(request)?.[1];
  const onlyDigits =
    /\b(?:numeric|digits only|numbers only|without (?:the )?letters|(?:only|just) the (?:numbers|digits))\b/.test(
      request,
    );
  const digits = onlyDigits || lastDigits !== undefined ? value.replaceAll(/\D/g, '') : value;
  return lastDigits === undefined ? digits : digits.slice(-Number(lastDigits));
}

/** `1984-07-12` → `07121984`, as American machines ask for it, or in the order that they name. */
function birthDigits(date: string, request: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  if (/\byear\b.*\bmonth\b/.test(request) && !/\bmonth\b.*\byear\b/.test(request))
    return `${year}${month}${day}`;
  const short = /\b(?:2|two)[- ]digit year\b|\bmmddyy\b(?!y)|\b6[- ]digit/.test(request);
  return `${month}${day}${short ? year.slice(-2) : year}`;
}
