import type { CallResult } from '#shared/domain/call-result.ts';
import type { Line, TaskInput } from '../../../support/conversation.ts';

/** A call as it could go: who says what, and what must come of it. */
export interface Dialogue {
  readonly name: string;
  readonly task: TaskInput;
  /** What the person says or does, one line a turn. */
  readonly lines: readonly Line[];
  /** Whether the agent has ended the call after the last line. */
  readonly isOver: boolean;
  readonly goal: boolean;
  readonly definite: boolean;
  /** Every answer that the result holds, machine-readable. */
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
  /** Answers in words, by key. */
  readonly answers?: Record<string, string>;
  /** Every fact that was told, and no other. */
  readonly discloses: readonly string[];
  /** Keys pressed in menus. */
  readonly pressed?: readonly string[];
  /** Why the call ended, where that matters. */
  readonly ending?: CallResult['ending'];
}
