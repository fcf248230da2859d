import type { DialogueAction } from './dialogue-model.ts';
import {
  type DialogueRecord,
  withAnswer,
  withDisclosures,
  withFollowUp,
  withoutAnswer,
} from './dialogue-record.ts';

/**
 * The record after an action of an unfinished turn, for a model that needs it already.
 *
 * @param turn future position of the turn's words in the transcript
 */
export function recordAfter(record: DialogueRecord, action: DialogueAction, turn: number): DialogueRecord {
  switch (action.type) {
    case 'record':
      return withAnswer(record, action.answer);
    case 'retract':
      return withoutAnswer(record, action.key);
    case 'disclose':
      return withDisclosures(record, [action.field], turn);
    case 'meet':
      return { ...record, person_name: action.name };
    case 'obstacle':
      return { ...record, obstacle: action.obstacle };
    case 'follow-up':
      return withFollowUp(record, action.text);
    case 'end':
      return { ...record, ending: { reason: action.reason, farewell: action.farewell } };
    case 'say':
    case 'press':
    case 'wait':
    case 'remember':
      return record;
  }
}
