import type { Task } from '#shared/domain/task.ts';
import { CustomTaskData } from '#shared/domain/task-data.ts';
import type { Fact, PlanItem } from './call-plan.ts';
import { leavesOf } from './facts.ts';
import { clientItem, listedItems, type StandardItem, standardItemsOf } from './items.ts';
import { requestOf, type Wish, wishesIn } from './wishes.ts';
import { contentWords } from './words.ts';

/** More wishes than this would make a call of questions that no one has time for. */
const maxWishes = 8;
/** The share of a wish's words that make it equal to a standard item, in the task's description and elsewhere. */
const sameInTask = 0.5;
const sameElsewhere = 0.65;

/** The client's own questions, and the standard items that their words ask for. */
export interface ClientItems {
  readonly items: readonly PlanItem[];
  /** Keys of standard items. */
  readonly asksFor: ReadonlySet<string>;
}

interface FoundWish extends Wish {
  readonly isOfTask: boolean;
}

/** Questions the client wants asked, from a list or any free text of a task. */
export function clientItems(task: Task, names: readonly string[], facts: readonly Fact[]): ClientItems {
  const found = foundWishes(task, names);
  if (task.task_type !== 'CUSTOM_TASK') return beside(standardItemsOf(task.task_type), found, facts);
  const listed = listedItems(CustomTaskData.parse(task.task_data ?? {}), facts);
  const own = listed.length > 0 ? listed : describedItems(task.task, found, facts);
  // With a list, the description only summarizes it.
  const others = found.filter(({ isOfTask, isVague }) => (listed.length > 0 ? !isVague : !isOfTask));
  const questions = own.map((item) => ({ key: item.key, about: item.question, only_if: null }));
  return { items: [...own, ...beside(questions, others, facts).items], asksFor: new Set() };
}

function foundWishes({ task, task_data }: Task, names: readonly string[]): FoundWish[] {
  const leaves = leavesOf('task_data', task_data ?? {}).filter(({ key }) => key !== 'timeframe_availability');
  return [{ path: 'task', value: task }, ...leaves].flatMap(({ path, value }) =>
    wishesIn(value, names).wishes.map((wish) => ({ ...wish, isOfTask: path === 'task' })),
  );
}

/** Without a list, the questions in the description, or the description itself. */
function describedItems(task: string, found: readonly FoundWish[], facts: readonly Fact[]): PlanItem[] {
  const own = found.filter(({ isOfTask }) => isOfTask);
  return (own.length > 0 ? own : [requestOf(task)]).map((wish, index) => ({
    ...clientItem(`question_${index}`, wish.question, wish.otherWords, facts),
    required: true,
  }));
}

/** The wishes that no other item asks anyway. */
function beside(
  items: readonly Pick<StandardItem, 'key' | 'about' | 'only_if'>[],
  found: readonly FoundWish[],
  facts: readonly Fact[],
): ClientItems {
  const known = new Set(facts.flatMap(({ value }) => contentWords(value)));
  const asksFor = new Set<string>();
  const wishes: FoundWish[] = [];
  const taken = items.map(({ key, about }) => ({ key, words: new Set(contentWords(about)) }));
  for (const wish of found) {
    const words = contentWords(withoutLastChoice(wish.question));
    const unknown = words.filter((word) => !known.has(word));
    const rest = unknown.length > 0 ? unknown : words;
    const share = (theirs: ReadonlySet<string>): number =>
      rest.filter((word) => theirs.has(word)).length / rest.length;
    const best = taken.toSorted((a, b) => share(b.words) - share(a.words))[0];
    const isSame =
      best !== undefined &&
      (share(best.words) >= (wish.isOfTask ? sameInTask : sameElsewhere) || asksWhether(rest, best.words));
    if (rest.length === 0) continue;
    if (isSame) asksFor.add(best.key);
    else {
      wishes.push(wish);
      taken.push({ key: '', words: new Set(words) });
    }
  }
  return {
    items: wishes.slice(0, maxWishes).map((wish, index) => wishItem(wish, index, items, facts)),
    asksFor,
  };
}

/** "Whether her claim for the stitches over $310 has been paid": the same subject and verb, however described. */
function asksWhether(words: readonly string[], theirs: ReadonlySet<string>): boolean {
  const shared = words.filter((word) => theirs.has(word));
  return shared.length >= fewestShared && shared.at(-1) === words.at(-1);
}

const fewestShared = 2;

/** "What to bring or arrange": what a last word offers instead is wanted like the rest. */
function withoutLastChoice(question: string): string {
  return question.replace(/ or [\w-]+(?=\W*$)/, '');
}

function wishItem(
  { question, otherWords, condition }: Wish,
  index: number,
  items: readonly Pick<StandardItem, 'only_if'>[],
  facts: readonly Fact[],
): PlanItem {
  // "If it was denied, ask how to appeal": items that others depend on may be named in a condition, too.
  const conditions = items.map(({ only_if }) => only_if).filter((only_if) => only_if !== null);
  const said = contentWords(condition ?? '');
  const only_if = conditions.flatMap(({ key, values }) => {
    const named = values.filter(
      (value) => typeof value === 'string' && contentWords(value).every((word) => said.includes(word)),
    );
    return condition !== null && named.length > 0 ? [{ key, values: [...named], while_open: false }] : [];
  })[0];
  return { ...clientItem(`wish_${index}`, question, otherWords, facts), only_if: only_if ?? null };
}
