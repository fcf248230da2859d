import { meaningOf } from '#shared/carrier/explain-call.ts';
import type { AnsweredBy, Call, CallStatus } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';

/** The conclusion of an ended call. */
export interface CallConclusion {
  readonly status: Exclude<CallStatus, 'IN_PROGRESS'>;
  /** Readable, complete sentences; becomes `call_outcome`. */
  readonly outcome: string;
  readonly result: CallResult | null;
  /** Another call would fail like this one: the number can never be reached, or the carrier refuses our settings. */
  readonly isFutile: boolean;
}

/** SIP responses for an unassigned number: 404, 410, 484, 604. */
const unusableNumberSipCodes: ReadonlySet<string> = new Set(['404', '410', '484', '604']);

/** The relay's codes for settings that it refuses: 64101 and 64106 (twilio.com/docs/api/errors). */
const refusedSettingsCodes: ReadonlySet<string> = new Set(['64101', '64106']);

/** True when the conversation decided the task, for better or worse. */
export function isDecisive(result: CallResult | null): boolean {
  return result !== null && (result.goal_reached || result.definite);
}

/**
 * Judges an ended call by the carrier's report and the conversation's result, if any. A decision counts however the
 * line ended; an undecided call that the client canceled is canceled.
 */
export function concludeCall(call: Call, result: CallResult | null): CallConclusion {
  const conclusion = judgeByWhatWasHeard(call, result);
  return call.end_requested_at === null || isDecisive(result) ? conclusion : cancelled(conclusion);
}

const neverHeld = 'The call was answered, but no conversation took place.';

/** What the relay refuses, and the remedy; null if it refused nothing. */
function settingsRefusal({ session_error_code: code }: Call): string | null {
  if (code === null || !refusedSettingsCodes.has(code)) return null;
  const known = meaningOf('error', code);
  return known === null ? null : [known.meaning, known.remedy ?? ''].join(' ').trim();
}

/** How much of a conversation there was, by the agent's account. */
type Heard =
  /** It decided the task. */
  | 'decision'
  /** The agent recognized a machine that takes messages. */
  | 'mailbox'
  /** A person or a machine spoke. */
  | 'words'
  /** The line was open, and nothing was heard on it. */
  | 'silence'
  /** The call was answered, but the agent was never on the line. */
  | 'no-conversation'
  /** By the carrier's report, the call cannot have been answered. */
  | 'no-answer';

/** Which account of the call counts. */
type Judgement = 'as-decided' | 'as-held' | 'voicemail' | 'fax' | 'unheard' | 'as-reported';

/**
 * The agent's account comes first. Answering-machine detection, which is wrong about one call in ten and takes most
 * menus for machines, counts only where nothing was heard.
 */
const judgements: Record<Heard, Record<AnsweredBy | 'no-verdict', Judgement>> = {
  decision: every('as-decided'),
  mailbox: every('voicemail'),
  words: every('as-held'),
  silence: { ...every('unheard'), machine: 'voicemail', fax: 'fax' },
  'no-conversation': { ...every('as-reported'), machine: 'voicemail', fax: 'fax' },
  'no-answer': every('as-reported'),
};

function every(judgement: Judgement): Record<AnsweredBy | 'no-verdict', Judgement> {
  return {
    human: judgement,
    machine: judgement,
    fax: judgement,
    unknown: judgement,
    'no-verdict': judgement,
  };
}

function judgeByWhatWasHeard(call: Call, result: CallResult | null): CallConclusion {
  const heard = heardIn(call, result);
  if (heard === 'silence' || heard === 'no-conversation') {
    const refusal = settingsRefusal(call);
    // Each call would ring only to be broken off.
    if (refusal !== null) return { ...failure(`${neverHeld} ${refusal}`, true), result: null };
  }
  const judgement = judgements[heard][call.answered_by ?? 'no-verdict'];
  const summary = result?.summary ?? '';
  switch (judgement) {
    case 'as-decided':
      return { status: 'SUCCESS', outcome: summary, result, isFutile: false };
    case 'as-held':
      return brokeOff(call)
        ? { ...failure(`${summary} The connection dropped before the conversation was over.`), result }
        : { status: 'SUCCESS', outcome: summary, result, isFutile: false };
    case 'voicemail':
      return voicemail(result);
    case 'fax':
      // Without a person there is no result, which would count as a conversation.
      return { ...failure('A fax machine answered.'), result: null };
    case 'unheard':
      return { ...failure(summary), result };
    case 'as-reported':
      return { ...asReported(call), result: null };
  }
}

function heardIn(call: Call, result: CallResult | null): Heard {
  if (result === null) return isReached(call) ? 'no-conversation' : 'no-answer';
  if (isDecisive(result)) return 'decision';
  // A machine takes messages whether or not its words were understood.
  if (result.ending === 'voicemail') return 'mailbox';
  return result.ending === 'no-speech' ? 'silence' : 'words';
}

/** Whether the call can have been answered, so that a detection verdict is meaningful. */
function isReached(call: Call): boolean {
  switch (call.carrier_progress) {
    case 'busy':
    case 'no_answer':
    case 'canceled':
      return false;
    case 'failed':
      return !isNumberUnusable(call);
    case 'queued':
    case 'initiated':
    case 'ringing':
    case 'answered':
    case 'completed':
      return call.submission !== 'abandoned';
  }
}

function isNumberUnusable({ sip_response_code }: Call): boolean {
  return sip_response_code !== null && unusableNumberSipCodes.has(sip_response_code);
}

/** The agent's account of the mailbox, or the verdict when it noticed none. */
function voicemail(result: CallResult | null): CallConclusion {
  const outcome =
    result?.ending === 'voicemail'
      ? result.summary
      : 'According to the telephone carrier, an answering machine took the call.';
  return {
    status: 'VOICEMAIL',
    outcome,
    result: result === null ? null : { ...result, ending: 'voicemail', summary: outcome },
    isFutile: false,
  };
}

/** The client no longer wants the call, and it brought no decision. Its findings are kept. */
function cancelled({ outcome, result }: CallConclusion): CallConclusion {
  return {
    status: 'CANCELLED',
    outcome: `The task was canceled before this call decided it. ${outcome}`,
    result,
    isFutile: false,
  };
}

/** The line was lost midway, without either side hanging up. */
function brokeOff(call: Call): boolean {
  return call.session_status === 'failed' || call.carrier_progress === 'failed';
}

function asReported(call: Call): Omit<CallConclusion, 'result'> {
  if (call.submission === 'abandoned') {
    return call.closed_by === 'carrier'
      ? failure('The telephone carrier refused the number as uncallable.', true)
      : failure('The call was not placed: the telephone carrier has no record of it.');
  }
  switch (call.carrier_progress) {
    case 'busy':
      return { status: 'BUSY', outcome: 'The line was busy.', isFutile: false };
    case 'no_answer':
      return { status: 'NO_ANSWER', outcome: 'Nobody answered.', isFutile: false };
    case 'canceled':
      return {
        status: 'CANCELLED',
        outcome: 'The call was canceled before anyone answered.',
        isFutile: false,
      };
    case 'failed':
      return isNumberUnusable(call)
        ? failure('The number is not in service.', true)
        : failure('The call could not be connected.');
    case 'completed':
      return failure(neverHeld);
    case 'answered':
      return failure('The call was answered, but the telephone carrier never reported its outcome.');
    case 'queued':
    case 'initiated':
    case 'ringing':
      return failure('The telephone carrier never reported the outcome of the call.');
  }
}

function failure(outcome: string, isFutile = false): Omit<CallConclusion, 'result'> {
  return { status: 'FAILED', outcome, isFutile };
}
