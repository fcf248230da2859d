import * as z from 'zod/mini';
import { conversationFromItem, TurnItem } from '#shared/table/conversation.ts';
import type { TableChange } from '../cloud/table-watch.ts';

const OfCall = z.object({ call_id: z.string() });

/** Our words that conversations stored, and those stored in an item of a turn. */
export class WordsOfOurs {
  readonly #said = new Map<string, Set<number>>();
  readonly #stored = new Map<string, Set<number>>();

  /** Follows an item of a conversation; returns its call if it contains words, else null. */
  apply({ before, after }: Omit<TableChange, 'record'>): string | null {
    if (after === null) return null;
    const { call_id } = OfCall.parse(after);
    if (after.type === 'turn') {
      const { index, role, content, reply_to } = TurnItem.parse(after);
      for (const one of [index, ...(reply_to === undefined ? [] : [reply_to.index])]) {
        add(this.#stored, call_id, one);
      }
      return role === 'user' && content === '' ? null : call_id;
    }
    const { said } = conversationFromItem(after);
    const known = before === null ? null : conversationFromItem(before).said;
    if (said?.index === known?.index) return null;
    // What is stored now is not lost, and what was stored before must have been saved.
    if (known !== null) add(this.#said, call_id, known.index);
    return said === null ? null : call_id;
  }

  /** Indexes of words that a conversation no longer contains, and no turn holds. */
  lost(callId: string): number[] {
    const stored = this.#stored.get(callId);
    return [...(this.#said.get(callId) ?? [])].filter((index) => stored?.has(index) !== true);
  }
}

function add(indexes: Map<string, Set<number>>, callId: string, index: number): void {
  indexes.set(callId, (indexes.get(callId) ?? new Set()).add(index));
}
