import type { ContentBlock } from '@aws-sdk/client-bedrock-runtime';
import type { DialogueAction, DialogueInput } from '../dialogue/dialogue-model.ts';
import type { DialogueRecord } from '../dialogue/dialogue-record.ts';
import { recordAfter } from '../dialogue/record-after.ts';
import { localDay } from '../language/calendar.ts';
import type { HeardWords } from './quotes.ts';
import { SpokenText } from './spoken-text.ts';
import { toldFacts } from './told-facts.ts';
import { useTool } from './tools.ts';
import { NumberGuard } from './unknown-numbers.ts';

/** One turn of the model while its replies come in: what was said in it so far, and what its tools have changed. */
export class TurnInProgress {
  readonly #input: DialogueInput;
  readonly #heard: readonly HeardWords[];
  readonly #today: string;
  readonly #guard: NumberGuard;
  readonly #told = new Set<string>();
  #record: DialogueRecord;
  #text: SpokenText | null = null;
  #words: string[] = [];
  #decided = false;
  #isMuted = false;

  constructor(input: DialogueInput) {
    const { plan, record, history, event, now } = input;
    this.#input = input;
    this.#record = record;
    this.#today = localDay(now, plan.time_zone);
    this.#heard = [
      ...history.filter(({ role }) => role === 'user'),
      ...(event.type === 'heard' ? [{ index: event.turn, content: event.text }] : []),
    ];
    this.#guard = new NumberGuard([
      ...plan.facts.flatMap(({ value, spoken }) => [value, spoken]),
      ...plan.items.map(({ question }) => question),
      plan.purpose.text,
      plan.time_wishes.text ?? '',
      ...history.map(({ content }) => content),
      ...(event.type === 'heard' ? [event.text] : []),
      ...record.answers.map(({ answer }) => answer),
    ]);
  }

  get hasSpoken(): boolean {
    return this.#words.length > 0;
  }

  /** It is the other side's turn: they were asked something, or have the answer to what they asked. */
  get isAnswered(): boolean {
    const { event } = this.#input;
    return (
      this.hasSpoken && (this.#hasAsked || (event.type === 'heard' && event.text.trimEnd().endsWith('?')))
    );
  }

  get #hasAsked(): boolean {
    return /\?["')]*$/.test(this.#words.at(-1) ?? '');
  }

  /** A tool has decided what happens next: nothing is left to say. */
  get isDecided(): boolean {
    return this.#decided;
  }

  /** The model is asked again. Once a question is put, it can only set right what its tools got wrong. */
  beginNextReply(): void {
    this.#isMuted = this.#hasAsked;
  }

  /** Speaks what a piece of the model's text completes. */
  write(piece: string): DialogueAction[] {
    this.#text ??= new SpokenText();
    return this.#speak(this.#guard.pass(this.#text.push(piece)));
  }

  /** Speaks the rest of a text that has ended. */
  finishText(): DialogueAction[] {
    if (this.#text === null) return [];
    const rest = this.#guard.pass(this.#text.finish());
    this.#text = null;
    return this.#speak([...rest, ...this.#guard.release()]);
  }

  /** Uses a tool. Only the first that decides the turn counts; what is noted after it is noted all the same. */
  use({ id, name, input }: { id: string; name: string; input: unknown }): {
    readonly actions: readonly DialogueAction[];
    readonly result: ContentBlock;
    readonly isProblem: boolean;
  } {
    const outcome = useTool(name, input, {
      plan: this.#input.plan,
      record: this.#record,
      heard: this.#heard,
      today: this.#today,
    });
    const isTooLate = this.#decided && outcome.isDecisive;
    const problem = isTooLate ? 'the turn is decided' : outcome.problem;
    const actions = isTooLate ? [] : outcome.actions;
    for (const action of actions) this.#record = recordAfter(this.#record, action, this.#heard.length);
    this.#decided ||= outcome.isDecisive;
    return {
      actions,
      isProblem: problem !== null,
      result: {
        toolResult: {
          toolUseId: id,
          content: [{ text: problem ?? 'ok' }],
          status: problem === null ? 'success' : 'error',
        },
      },
    };
  }

  #speak(words: readonly string[]): DialogueAction[] {
    if (words.length === 0 || this.#decided || this.#isMuted) return [];
    this.#words.push(...words);
    return [{ type: 'say', text: words.join(' ') }, ...this.#disclose(words)];
  }

  /** Facts told by the words so far, looked for at the ends of sentences. */
  #disclose(latest: readonly string[]): DialogueAction[] {
    if (!latest.some((word) => /[.?!,]["')]*$/.test(word)) && this.#text !== null) return [];
    return toldFacts(this.#input.plan.facts, this.#words.join(' '), this.#today)
      .filter((field) => !this.#told.has(field))
      .map((field) => {
        this.#told.add(field);
        return { type: 'disclose', field };
      });
  }
}
