import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import type { DialogueRecord, EndReason, RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { FarewellId } from '../dialogue/farewells.ts';
import type { LikelyListener } from '../dialogue/likely-listener.ts';
import type { CallPlan, PlanItem } from '../plan/call-plan.ts';
import { isRelevant } from '../plan/progress.ts';
import type { Memory, SaidPiece } from './memory.ts';

/** Words that came in two turns: `lead` broke off, and `text` finished them. */
interface JoinedWords {
  readonly lead: string;
  readonly leadTurn: number;
  readonly text: string;
  readonly turn: number;
}

/** An answer's words stand in one turn, also when they were spoken over two: the turn that finished them, if it can be. */
function anchored(answer: RecordedAnswer, { lead, leadTurn, text, turn }: JoinedWords): RecordedAnswer {
  if (answer.turn !== turn || text.includes(answer.quote)) return answer;
  const start = `${lead} ${text}`.indexOf(answer.quote);
  const tail = answer.quote.slice(Math.max(0, lead.length + 1 - start)).trim();
  return tail === '' ? { ...answer, turn: leadTurn } : { ...answer, quote: tail };
}

/**
 * One turn of the agent while it is being decided: what was known before, and the actions so far. The rules read and
 * extend it; nothing outlives the turn but the actions and the memory.
 */
export class TurnDraft {
  readonly plan: CallPlan;
  readonly memory: Memory;
  readonly today: string;
  /** Who picked up, as far as detection and nothing that was heard tells it. */
  readonly listener: LikelyListener | null;
  private readonly answered: Map<string, RecordedAnswer>;
  private readonly spoken: (SaidPiece & { isAside: boolean })[] = [];
  private readonly before: Memory['before'];
  private readonly actions: DialogueAction[] = [];
  private personName: string | null;
  private over = false;
  /** Words of an earlier turn that this one goes on from. */
  joined: JoinedWords | null = null;
  /** Who was on the line before this turn. */
  readonly personBefore: string | null;

  constructor(
    plan: CallPlan,
    record: DialogueRecord,
    memory: Memory,
    { today, listener }: { today: string; listener: LikelyListener | null },
  ) {
    this.plan = plan;
    this.memory = structuredClone(memory);
    this.today = today;
    this.listener = listener;
    const { notice_heard, purpose_said, reach_asked, told, last_told } = memory;
    this.before = { notice_heard, purpose_said, reach_asked, told: [...told], last_told: [...last_told] };
    this.answered = new Map(record.answers.map((answer) => [answer.key, answer]));
    this.personName = record.person_name;
    this.personBefore = record.person_name;
  }

  get answers(): ReadonlyMap<string, RecordedAnswer> {
    return this.answered;
  }

  get person(): string | null {
    return this.personName;
  }

  get isOver(): boolean {
    return this.over;
  }

  get hasSpoken(): boolean {
    return this.spoken.length > 0;
  }

  say(text: string, discloses: readonly string[] = [], kind: SaidPiece['kind'] = 'other'): void {
    if (text === '') return;
    this.spoken.push({ text, fields: [...discloses], kind, isAside: false });
    this.disclose(discloses);
  }

  /** Words that are not worth repeating: "Sure, take your time." */
  aside(text: string): void {
    this.spoken.push({ text, fields: [], kind: 'other', isAside: true });
  }

  disclose(fields: readonly string[]): void {
    for (const field of fields) {
      this.actions.push({ type: 'disclose', field });
      if (!this.memory.told.includes(field)) this.memory.told.push(field);
    }
  }

  press(digits: string): void {
    this.actions.push({ type: 'press', digits });
  }

  /** Nothing is said until somebody speaks again. */
  wait(): void {
    this.actions.push({ type: 'wait' });
  }

  record(found: RecordedAnswer): void {
    const answer = this.joined === null ? found : anchored(found, this.joined);
    this.answered.set(answer.key, answer);
    this.actions.push({ type: 'record', answer });
  }

  retract(key: string): void {
    if (this.answered.delete(key)) this.actions.push({ type: 'retract', key });
  }

  meet(name: string): void {
    if (name === this.personName) return;
    this.personName = name;
    this.actions.push({ type: 'meet', name });
  }

  followUp(text: string): void {
    this.actions.push({ type: 'follow-up', text });
  }

  /** Ends the call; whatever was going to be said is left out, because the farewell stands for the whole turn. */
  end(reason: EndReason, farewell: FarewellId): void {
    if (this.over) return;
    this.over = true;
    this.spoken.length = 0;
    this.actions.push({ type: 'end', reason, farewell });
  }

  item(key: string): PlanItem | undefined {
    return this.plan.items.find((item) => item.key === key);
  }

  get pendingItem(): PlanItem | null {
    return this.memory.pending === null ? null : (this.item(this.memory.pending) ?? null);
  }

  /** What is still to be asked, in the plan's order. */
  openItems(): PlanItem[] {
    return this.plan.items.filter(
      (item) =>
        item.asked &&
        !this.answered.has(item.key) &&
        !this.memory.closed.includes(item.key) &&
        isRelevant(item, this.answered) &&
        !(item.key === 'person_name' && this.personName !== null) &&
        // Of nothing, nothing can be met.
        !(item.key === 'deductible_met' && this.answered.get('deductible')?.value === 0),
    );
  }

  /** The actions of the turn, speech first so that a listener waits for nothing else. */
  finish(): DialogueAction[] {
    const text = this.spoken.map((words) => words.text).join(' ');
    const worthRepeating = this.spoken.filter(({ isAside }) => !isAside);
    this.memory.turns += 1;
    if (worthRepeating.length > 0) {
      this.memory.last_said = worthRepeating.map((words) => words.text).join(' ');
      this.memory.cut = null;
    }
    if (this.spoken.length > 0) {
      this.memory.last_words = this.spoken.map((words) => ({
        text: words.text,
        fields: words.fields,
        kind: words.kind,
      }));
      this.memory.before = this.before;
    }
    const said: DialogueAction[] = text === '' ? [] : [{ type: 'say', text }];
    return [...said, ...this.actions, { type: 'remember', memory: this.memory }];
  }
}
