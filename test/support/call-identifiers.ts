import type { Call } from '#shared/domain/call.ts';

/** Where the recording of a call is stored. */
export function recordingKeyOf({ project_id, id }: Pick<Call, 'project_id' | 'id'>): string {
  return `recordings/${project_id}/${id}.wav`;
}

/** The carrier's identifier. */
export function sidOf(call: Call): string {
  if (call.carrier_call_sid === null) throw new Error('the carrier has no such call yet');
  return call.carrier_call_sid;
}
