import type { CallPlan, PlanItem } from '../call-plan/call-plan.ts';
import { isRelevant } from '../call-plan/progress.ts';
import type { ConversationView } from '../core/conversation-view.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import type { EndReason, ObstacleReason, RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { FarewellId } from '../dialogue/farewells.ts';
import type { Memory, SaidPiece } from './memory.ts';

/** Spoken words, with their effect and the facts they tell. */
interface Words {
  readonly fields?: readonly string[];
  readonly kind?: SaidPiece['kind'];
}

const sentenceStart = /(?<=[.?!]) (?=[A-Z])/;

/**
 * A turn of the agent under decision: the state before it, and its actions so far. Only the actions and
 * the memory outlive the turn.
 */
export class TurnDraft {
  readonly plan: CallPlan;
  readonly memory: Memory;
  readonly view: ConversationView;
  readonly #answers: Map<string, RecordedAnswer>;
  readonly #pieces: SaidPiece[] = [];
  readonly #actions: DialogueAction[] = [];
  readonly #pendingBefore: string | null;
  #isOver = false;

  constructor(plan: CallPlan, view: ConversationView, memory: Memory) {
    this.plan = plan;
    this.view = view;
    this.memory = structuredClone(memory);
    this.#pendingBefore = memory.pending;
    this.#answers = new Map(view.answers.map((answer) => [answer.key, answer]));
  }

  /** The day at the called place, `YYYY-MM-DD`. */
  get today(): string {
    return this.view.today;
  }

  get answers(): ReadonlyMap<string, RecordedAnswer> {
    return this.#answers;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get hasSpoken(): boolean {
    return this.#pieces.length > 0;
  }

  /** The words of this turn so far. */
  get words(): readonly SaidPiece[] {
    return this.#pieces;
  }

  /** How often they have heard words of ours, by the last sentence: what leads to a question is no other question. */
  timesSaid(text: string): number {
    const [question = text] = text.split(sentenceStart).slice(-1);
    return this.view.ours.filter((turn) => turn.toLowerCase().includes(question.toLowerCase())).length;
  }

  say(text: string, { fields = [], kind = 'other' }: Words = {}): void {
    if (text === '') return;
    this.#pieces.push({ text, fields: [...fields], kind });
    for (const field of fields) this.#actions.push({ type: 'disclose', field });
    // A person who requests another fact is still looking for a way.
    if (kind === 'other' && fields.some((field) => !this.view.told.includes(field)))
      this.memory.obstacles = {};
  }

  /** Says the wording that they have heard least often, the first of several. */
  sayFresh(wordings: readonly string[]): void {
    const heard = wordings.map((text) => this.timesSaid(text));
    this.say(wordings[heard.indexOf(Math.min(...heard))] ?? '');
  }

  press(digits: string, fields: readonly string[] = []): void {
    this.#actions.push({ type: 'press', digits });
    for (const field of fields) this.#actions.push({ type: 'disclose', field });
  }

  /** Stays silent until the next words, however long that takes. */
  wait(): void {
    this.#actions.push({ type: 'wait' });
  }

  record(answer: RecordedAnswer): void {
    this.#answers.set(answer.key, answer);
    this.#actions.push({ type: 'record', answer });
  }

  retract(key: string): void {
    if (this.#answers.delete(key)) this.#actions.push({ type: 'retract', key });
  }

  followUp(text: string): void {
    this.#actions.push({ type: 'follow-up', text });
  }

  /** Why the goal cannot be reached this way, in the person's words. */
  obstacle(reason: ObstacleReason, quote: string, turn: number, callBackAt: string | null = null): void {
    this.memory.obstacles[reason] = (this.memory.obstacles[reason] ?? 0) + 1;
    this.#actions.push({ type: 'obstacle', obstacle: { reason, quote, turn, call_back_at: callBackAt } });
  }

  /** Ends the call; the farewell replaces all other words of the turn. */
  end(reason: EndReason, farewell: FarewellId): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pieces.length = 0;
    this.#actions.push({ type: 'end', reason, farewell });
  }

  item(key: string): PlanItem | undefined {
    return this.plan.items.find((item) => item.key === key);
  }

  /** The item of our last question. */
  get pendingItem(): PlanItem | null {
    return this.memory.pending === null ? null : (this.item(this.memory.pending) ?? null);
  }

  /** The open items, in the plan's order. */
  openItems(): PlanItem[] {
    return this.plan.items.filter(
      (item) =>
        item.asked &&
        !this.#answers.has(item.key) &&
        !this.memory.closed.includes(item.key) &&
        isRelevant(item, this.#answers, this.plan) &&
        !(item.key === 'person_name' && this.view.party.person !== null) &&
        // A deductible of nothing cannot be met.
        !(item.key === 'deductible_met' && this.#answers.get('deductible')?.value === 0),
    );
  }

  /** The actions of the turn, speech first so that a listener never waits. */
  finish(): DialogueAction[] {
    this.memory.turns += 1;
    if (this.#pieces.length > 0) {
      this.memory.last_words = [...this.#pieces];
      this.memory.pending_before = this.#pendingBefore;
    }
    const text = this.#pieces.map((piece) => piece.text).join(' ');
    const said: DialogueAction[] = text === '' ? [] : [{ type: 'say', text }];
    return [...said, ...this.#actions, { type: 'remember', memory: this.memory }];
  }
}
