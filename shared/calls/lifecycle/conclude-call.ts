import type { AnsweredBy, Call, CallStatus } from '#shared/domain/call.ts';
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

/** SIP responses for an unassigned number: 404, 410, 484, 604. */
const unusableNumberSipCodes: ReadonlySet<string> = new Set(['404', '410', '484', '604']);

/** True when the conversation decided the task, for good or ill. */
export function isDecisive(result: CallResult | null): boolean {
  return result !== null && (result.goal_reached || result.definite);
}

/**
 * Judges an ended call by the carrier's account of it and by what the conversation, if there was one, came to. What was
 * decided counts, however the line ended; a call that decided nothing and was to be ended for the client is canceled.
 */
export function concludeCall(call: Call, result: CallResult | null): CallConclusion {
  const conclusion = judgeByWhatWasHeard(call, result);
  return call.end_requested_at === null || isDecisive(result) ? conclusion : cancelled(conclusion);
}

/** How much of a conversation there was, by the agent's account. */
type Heard =
  /** It decided the task. */
  | 'decision'
  /** The agent found itself speaking with a machine that takes messages. */
  | 'mailbox'
  /** A person or a machine spoke. */
  | 'words'
  /** The line was open, and nothing was heard on it. */
  | 'silence'
  /** The call was answered, but the agent was never on the line. */
  | 'no-conversation'
  /** By the carrier's report the call cannot have been answered. */
  | 'no-answer';

/** Which account of the call counts. */
type Judgement = 'as-decided' | 'as-held' | 'voicemail' | 'fax' | 'unheard' | 'as-reported';

/**
 * What the agent heard comes first. The verdict of answering-machine detection, which is wrong about one call
 * in ten and takes most menus for machines, only completes it: it counts where nothing was heard.
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
  const judgement = judgements[heardIn(call, result)][call.answered_by ?? 'no-verdict'];
  const summary = result?.summary ?? '';
  switch (judgement) {
    case 'as-decided':
      return { status: 'SUCCESS', outcome: summary, result, numberUnusable: false };
    case 'as-held':
      return brokeOff(call)
        ? { ...failure(`${summary} The connection broke off before the conversation was over.`), result }
        : { status: 'SUCCESS', outcome: summary, result, numberUnusable: false };
    case 'voicemail':
      return voicemail(result);
    case 'fax':
      // Nobody was spoken with, and a result would count as a conversation.
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

/** Whether the call can have been answered, so that a detection verdict means something. */
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

/** What the agent made of the mailbox, or the verdict when it was not aware of one. */
function voicemail(result: CallResult | null): CallConclusion {
  const outcome =
    result?.ending === 'voicemail'
      ? result.summary
      : 'An answering machine took the call, as far as the telephone carrier can tell.';
  return {
    status: 'VOICEMAIL',
    outcome,
    result: result === null ? null : { ...result, ending: 'voicemail', summary: outcome },
    numberUnusable: false,
  };
}

/** The client does not want the call any more, and it brought no decision. What it did bring is kept. */
function cancelled({ outcome, result }: CallConclusion): CallConclusion {
  return {
    status: 'CANCELLED',
    outcome: `The task was cancelled before this call had decided it. ${outcome}`,
    result,
    numberUnusable: false,
  };
}

/** The line was lost in the middle, which is neither side's hanging up. */
function brokeOff(call: Call): boolean {
  return call.session_status === 'failed' || call.carrier_progress === 'failed';
}

function asReported(call: Call): Omit<CallConclusion, 'result'> {
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
        outcome: 'The call was canceled before anybody answered.',
        numberUnusable: false,
      };
    case 'failed':
      return isNumberUnusable(call)
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
