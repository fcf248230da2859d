import { expect } from 'vitest';
import { type Conversation, disclosedFields, transcriptOf } from '../../../support/conversation.ts';

/** Nothing of the patient was told. */
export function expectNothingTold(conversation: Conversation): void {
  const patientFields = disclosedFields(conversation).filter((field) => !field.startsWith('project.'));
  expect(patientFields, transcriptOf(conversation)).toEqual([]);
  expect(transcriptOf(conversation)).not.toMatch(/A: .*(Elena|Marsh|1979|5 5 1, 2 0 9)/);
}
