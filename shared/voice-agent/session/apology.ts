import type { DialogueAction, DialogueInput } from '../dialogue/dialogue-model.ts';

/** Said if a turn failed before its first word. */
export const apologyWords = 'I am sorry, I did not get that. Could you say it again, please?';

/** The agent's actions after its model failed. Asking twice in a row is useless: then it ends the call. */
export function apologize({ event, history }: Pick<DialogueInput, 'event' | 'history'>): DialogueAction[] {
  const hasJustApologized =
    history.findLast(({ role }) => role === 'assistant')?.content.endsWith(apologyWords) === true;
  switch (event.type) {
    case 'heard':
      return hasJustApologized ? endForFault : [{ type: 'say', text: apologyWords }];
    case 'opened':
      return endForFault;
    case 'interrupted':
    case 'key-pressed':
    case 'silence':
      return [];
  }
}

const endForFault: DialogueAction[] = [{ type: 'end', reason: 'gave-up', farewell: 'fault' }];
