import type { Fact } from '../call-plan/call-plan.ts';
import type { GovernedInput } from '../core/conversation-core.ts';
import { endMark } from '../core/spoken-guard.ts';
import { refusalToTell } from '../core/wording.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import { recordAfter } from '../dialogue/record-after.ts';
import { localDay } from '../language/calendar.ts';
import { toldFacts } from '../result/told-facts.ts';
import { NumberGuard } from './number-guard.ts';
import { SpokenText } from './spoken-text.ts';
import { type ToolContext, useTool } from './tools.ts';
import type { Block, Message, ReplyEvent } from './transport.ts';

/** After these nothing is left to say. */
const decisive: ReadonlySet<DialogueAction['type']> = new Set(['press', 'wait', 'end']);

/** One turn of the model while its replies arrive: its words so far, and the effects of its tools. */
export class TurnInProgress {
  readonly #input: GovernedInput;
  readonly #guard: NumberGuard;
  readonly #told = new Set<string>();
  #context: ToolContext;
  #text: SpokenText | null = null;
  #words: string[] = [];
  #isDecided = false;
  #isMuted = false;
  /** The last reply had problems. */
  #isCorrecting = false;
  /** The reply as the model sees it when asked again, and the results of its tools. */
  #written = '';
  #calls: Block[] = [];
  #results: (Block & { type: 'result' })[] = [];
  readonly #counts = { tool_uses: 0, tool_problems: 0 };

  /** @param facts what may be disclosed to the person on the line */
  constructor(input: GovernedInput, facts: readonly Fact[]) {
    const { plan, record, history, event, now, view } = input;
    const heardNow = event.type === 'heard' ? [{ index: event.turn, content: event.text }] : [];
    const heard = [...history.filter(({ role }) => role === 'user'), ...heardNow];
    this.#input = input;
    const ours = history.filter(({ role }) => role === 'assistant');
    this.#context = { plan, facts, record, heard, ours, today: localDay(now, plan.time_zone) };
    this.#guard = new NumberGuard(
      [
        ...facts.flatMap(({ value, spoken }) => [value, spoken]),
        ...plan.items.map(({ question }) => question),
        plan.purpose.text,
        plan.details.text,
        plan.availability.text ?? '',
        ...[...history, ...heardNow].map(({ content }) => content),
        ...record.answers.map(({ answer }) => answer),
      ],
      refusalToTell(view.party.status === 'verified'),
    );
  }

  /** For the log. */
  get counts(): { tool_uses: number; tool_problems: number; withheld_numbers: number } {
    return { ...this.#counts, withheld_numbers: this.#guard.withheld };
  }

  get hasSpoken(): boolean {
    return this.#words.length > 0;
  }

  /** A tool has decided the next action: nothing is left to say. */
  get isDecided(): boolean {
    return this.#isDecided;
  }

  /**
   * Whether the turn can end with this reply: it is the other side's turn, because they were asked or
   * answered, and there is nothing to tell the model.
   */
  get isOver(): boolean {
    if (!this.hasSpoken || this.#isDecided) return this.#isDecided;
    const isAnswered = this.#hasAsked || this.#isAsked;
    return this.#results.length === 0 || (isAnswered && !this.#hasProblem);
  }

  get #hasProblem(): boolean {
    return this.#results.some(({ isProblem }) => isProblem);
  }

  /** Speech recognition often has no question marks. */
  get #isAsked(): boolean {
    const moves = this.#input.view.heard?.moves ?? [];
    return moves.some(({ act, isQuestion }) => isQuestion || act === 'asks-fact');
  }

  get #hasAsked(): boolean {
    return endMark(this.#words.at(-1) ?? '') === '?';
  }

  /** The effects of a part of the reply. */
  take(part: ReplyEvent): readonly DialogueAction[] {
    switch (part.type) {
      case 'text':
        this.#written += part.piece;
        this.#text ??= new SpokenText();
        return this.#speak(this.#guard.pass(this.#text.push(part.piece)));
      case 'text-end':
      case 'done':
        return this.#finishText();
      case 'call':
        return this.#use(part);
    }
  }

  /**
   * The messages for asking the model again, with its tools' results; none if it used none.
   * After a question, it can only correct the errors of its tools.
   */
  nextMessages(): Message[] {
    if (this.#results.length === 0) return [];
    const text: Block[] = this.#written.trim() === '' ? [] : [{ type: 'text', text: this.#written }];
    const ours: Message = { role: 'assistant', blocks: [...text, ...this.#calls.splice(0)] };
    this.#isMuted = this.#hasAsked;
    this.#isCorrecting = this.#hasProblem;
    this.#written = '';
    return [ours, { role: 'user', blocks: this.#results.splice(0) }];
  }

  #finishText(): DialogueAction[] {
    if (this.#text === null) return [];
    const rest = this.#guard.pass(this.#text.finish());
    this.#text = null;
    return this.#speak([...rest, ...this.#guard.release()]);
  }

  /** Uses a tool. Only the first decision about the turn counts; later notes are still recorded. */
  #use({ id, name, input }: ReplyEvent & { type: 'call' }): readonly DialogueAction[] {
    const outcome = useTool(name, input, this.#context);
    const isDecisive = 'actions' in outcome && outcome.actions.some(({ type }) => decisive.has(type));
    const checked = (isDecisive ? this.#problemOfDeciding(name) : null) ?? outcome;
    const { actions, problem } = { actions: [], problem: null, ...checked };
    this.#isDecided ||= actions.some(({ type }) => decisive.has(type));
    this.#counts.tool_uses += 1;
    if (problem !== null) this.#counts.tool_problems += 1;
    // Services refuse a tool input that is not an object.
    const shown = typeof input === 'object' && !Array.isArray(input) ? (input ?? {}) : {};
    this.#calls.push({ type: 'call', id, name, input: shown });
    this.#results.push({ type: 'result', id, text: problem ?? 'ok', isProblem: problem !== null });
    for (const action of actions) {
      const { record, heard } = this.#context;
      this.#context = { ...this.#context, record: recordAfter(record, action, heard.length) };
    }
    return actions;
  }

  /** A refused note postpones the end once, because it cannot be corrected afterward. */
  #problemOfDeciding(name: string): { problem: string } | null {
    if (this.#isDecided) return { problem: 'the turn is decided' };
    const isPostponed = name === 'end_call' && !this.#isCorrecting && this.#hasProblem;
    return isPostponed ? { problem: 'correct the refused notes, then end the call; say nothing more' } : null;
  }

  /** Speaks words, and reports the facts told so far: checked at the end of each part of a sentence. */
  #speak(words: readonly string[]): DialogueAction[] {
    if (words.length === 0 || this.#isDecided || this.#isMuted) return [];
    this.#words.push(...words);
    const isPartEnd = this.#text === null || words.some((word) => '.?!,'.includes(endMark(word)));
    const { plan, today } = this.#context;
    const told = isPartEnd ? toldFacts(plan.facts, this.#words.join(' '), today) : [];
    const added = told.filter((field) => !this.#told.has(field));
    for (const field of added) this.#told.add(field);
    return [
      { type: 'say', text: words.join(' ') },
      ...added.map((field): DialogueAction => ({ type: 'disclose', field })),
    ];
  }
}
