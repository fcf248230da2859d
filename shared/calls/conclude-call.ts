import type { Call, CallStatus } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';

/** What an ended call comes to. */
export interface CallConclusion {
  readonly status: Exclude<CallStatus, 'IN_PROGRESS'>;
  /** Readable and complete sentences; becomes `call_outcome`. */
  readonly outcome: string;
  readonly result: CallResult | null;
  /** The number can never be reached, so calling it again is pointless. */
  readonly numberUnusable: boolean;
}

/** SIP answers of a network that knows that nobody has the number: not found, gone, incomplete, nowhere. */
const unusableNumberSipCodes: ReadonlySet<string> = new Set(['404', '410', '484', '604']);

/** True when the conversation decided the task, for good or ill. */
export function isDecisive(result: CallResult | null): boolean {
  return result !== null && (result.goal_reached || result.definite);
}

/**
 * Judges an ended call by the carrier's account of it and by what the conversation, if there was one, came to.
 *
 * @param heard whether the person called said anything
 */
export function concludeCall(call: Call, result: CallResult | null, heard: boolean): CallConclusion {
  if (result === null) return { ...concludeWithoutConversation(call), result: null };
  const { summary: outcome } = result;
  // What was found out counts, however the line ended.
  if (isDecisive(result)) return { status: 'SUCCESS', outcome, result, numberUnusable: false };
  // A machine takes messages whether or not its words were understood.
  if (result.ending === 'voicemail') return { status: 'VOICEMAIL', outcome, result, numberUnusable: false };
  if (!heard) return { ...failure(outcome), result };
  return brokeOff(call)
    ? { ...failure(`${outcome} The connection broke off before the conversation was over.`), result }
    : { status: 'SUCCESS', outcome, result, numberUnusable: false };
}

/** The line was lost in the middle, which is neither side's hanging up. */
function brokeOff(call: Call): boolean {
  return call.session_status === 'failed' || call.carrier_progress === 'failed';
}

function concludeWithoutConversation(call: Call): Omit<CallConclusion, 'result'> {
  if (call.submission === 'abandoned') {
    return call.closed_by === 'carrier'
      ? failure('The telephone carrier refused the number as one that cannot be called.', true)
      : failure('The call was not placed: the telephone carrier knows nothing of it.');
  }
  switch (call.carrier_progress) {
    case 'busy':
      return { status: 'BUSY', outcome: 'The line was busy.', numberUnusable: false };
    case 'no_answer':
      return { status: 'NO_ANSWER', outcome: 'Nobody answered.', numberUnusable: false };
    case 'canceled':
      return {
        status: 'CANCELLED',
        outcome: 'The call was cancelled before anybody answered.',
        numberUnusable: false,
      };
    case 'failed':
      return call.sip_response_code !== null && unusableNumberSipCodes.has(call.sip_response_code)
        ? failure('The number is not in service.', true)
        : failure('The call could not be connected.');
    case 'completed':
      return failure('The call was answered, but no conversation took place.');
    case 'answered':
      return failure('The call was answered, but the telephone carrier never reported how it went on.');
    case 'queued':
    case 'initiated':
    case 'ringing':
      return failure('The telephone carrier never reported how the call went on.');
  }
}

function failure(outcome: string, numberUnusable = false): Omit<CallConclusion, 'result'> {
  return { status: 'FAILED', outcome, numberUnusable };
}
