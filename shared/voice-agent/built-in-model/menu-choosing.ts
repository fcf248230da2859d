import menus from '../language/en-US/menu-choices.json' with { type: 'json' };
import type { MenuChoice } from './memory.ts';
import type { TurnDraft } from './turn-draft.ts';
import { holdsAny } from './words.ts';

export interface MenuMoment {
  /** Enough has been read to take an approximate match. */
  readonly isOver: boolean;
  /** Nothing more will be read. */
  readonly isEnd: boolean;
  /** The machine did not accept the last key. */
  readonly isRetry: boolean;
  readonly isWrongBranch: boolean;
}

/** Presses the key of the best choice, or waits for more to be read. */
export function choose(draft: TurnDraft, { isOver, isEnd, isRetry, isWrongBranch }: MenuMoment): void {
  const { menu } = draft.memory;
  const timesTried = (choice: MenuChoice): number =>
    menu.tried.filter((name) => name === nameOf(choice)).length;
  const open = menu.choices.filter((choice) => timesTried(choice) < (isRetry ? 2 : 1));
  if (menu.choices.every(({ text }) => holdsAny(text.split(' '), menus.never))) {
    menu.is_answered = true;
    draft.wait();
    return;
  }
  const tiers = wantedTiers(draft);
  const fitting = open.filter(({ text }) => !isUnwanted(draft, text.split(' ')));
  const find = (from: readonly MenuChoice[], phrases: readonly string[]): MenuChoice | undefined =>
    from.find(({ text }) => holdsAny(text.split(' '), phrases));
  const sure = [menus.confirming, ...tiers.slice(0, draft.plan.is_rescheduling ? 2 : 1), menus.english];
  const best = first(sure, (phrases) => find(fitting, phrases));
  const back = find(open, menus.back);
  if (best === undefined && isWrongBranch) press(draft, back ?? { key: '*', text: '' });
  else if (best !== undefined) press(draft, best);
  else if (isOver) {
    const near = first([...tiers, menus.person], (phrases) => find(fitting, phrases));
    if (near !== undefined) press(draft, near);
    else if (isEnd) pressLast(draft, back);
  }
}

export function first<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function wantedTiers({ plan }: TurnDraft): readonly (readonly string[])[] {
  return plan.is_rescheduling
    ? [...menus.wanted.rescheduling, ...menus.wanted[plan.callee]]
    : menus.wanted[plan.callee];
}

function isUnwanted({ plan }: TurnDraft, words: readonly string[]): boolean {
  if (holdsAny(words, [...menus.back, ...menus.again, ...menus.never])) return true;
  return holdsAny(words, menus.unwanted[plan.callee]) && !holdsAny(words, menus.wantedAllTheSame);
}

/** Nothing fits: the way back, then the operator, behind zero in most menus, then the spoken word. */
function pressLast(draft: TurnDraft, back: MenuChoice | undefined): void {
  const { menu } = draft.memory;
  const zero = { key: '0', text: menu.choices[0]?.text ?? '' };
  if (back !== undefined && menu.tried.length === 0) press(draft, back);
  else if (!menu.tried.includes(nameOf(zero))) press(draft, zero);
  else if (!menu.tried.includes(askForPerson)) sayInMenu(draft, askForPerson);
  else draft.wait();
}

/** Branches are remembered by purpose: the way back to a menu must not lead into the same branch again. */
const nameOf = ({ key, text }: MenuChoice): string => `${key} ${text}`;

function press(draft: TurnDraft, choice: MenuChoice): void {
  const { menu } = draft.memory;
  menu.tried.push(nameOf(choice));
  menu.is_answered = true;
  draft.press(choice.key);
}

export const askForPerson = 'Representative.';

export function sayInMenu(draft: TurnDraft, words: string): void {
  const { menu } = draft.memory;
  menu.tried.push(words);
  menu.is_answered = true;
  draft.say(words);
}
