import { log } from '#shared/observability/log.ts';
import type { ProposingModel } from '../core/conversation-core.ts';
import { failureCauseOf, failureReasonOf } from './dialogue-failure.ts';
import type { DialogueAction } from './dialogue-model.ts';

/**
 * Two models of the same kind as one: the second takes a turn if the first fails, or stays silent too long,
 * without any result. Both share the same memory. After a first result a failure is passed on.
 *
 * @param patienceMs how long the first may take until its first result
 */
export function withSecondModel(
  first: ProposingModel,
  second: ProposingModel,
  patienceMs: number,
): ProposingModel {
  return {
    name: first.name,
    isImmediate: false,
    async *takeTurn(input, signal) {
      const giveUp = new AbortController();
      const timer = setTimeout(() => giveUp.abort(), patienceMs);
      const stop = AbortSignal.any([signal, giveUp.signal]);
      const actions = first.takeTurn(input, stop)[Symbol.asyncIterator]();
      try {
        const begun = await beginning(actions, stop);
        clearTimeout(timer);
        if (signal.aborted) return;
        if ('reason' in begun) {
          log('dialogue-second-model', { model: second.name, ...begun });
          yield* second.takeTurn(input, signal);
        } else if (begun.done !== true) {
          yield begun.value;
          yield* { [Symbol.asyncIterator]: () => actions };
        }
      } finally {
        clearTimeout(timer);
        giveUp.abort();
      }
    },
  };
}

/** Why a model had no result. */
type Failed = { readonly reason: string; readonly cause: string | null };

async function beginning(
  actions: AsyncIterator<DialogueAction>,
  stop: AbortSignal,
): Promise<IteratorResult<DialogueAction> | Failed> {
  const late = new Promise<Failed>((resolve) => {
    stop.addEventListener('abort', () => resolve({ reason: 'too-slow', cause: null }), { once: true });
  });
  const next = actions.next().catch((error: unknown): Failed => {
    return { reason: failureReasonOf(error), cause: failureCauseOf(error) };
  });
  return Promise.race([late, next]);
}
