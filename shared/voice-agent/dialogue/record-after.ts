import type { DialogueAction } from './dialogue-model.ts';
import {
  type DialogueRecord,
  withAnswer,
  withDisclosures,
  withFollowUp,
  withoutAnswer,
} from './dialogue-record.ts';

/**
 * The record as it will stand after an action of a turn that is still going on, for a model that must know it already.
 *
 * @param turn position that the words of the turn will have in the transcript
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
