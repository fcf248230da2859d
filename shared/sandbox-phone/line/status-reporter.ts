import { log } from '#shared/observability/log.ts';
import type { MachineDetection, SandboxCall } from '../store/sandbox-call.ts';
import type { SandboxRecording } from '../store/sandbox-recording.ts';
import { type AmdVerdict, type FinalStatus, isFinal, rfc2822, type StatusEvent } from '../wire.ts';
import { sendSigned } from './outgoing-request.ts';

/** Parameters of every request about a call; the places are often empty, but signed. */
export function callParameters(call: SandboxCall, callStatus: string): Record<string, string> {
  return {
    AccountSid: call.account_sid,
    ApiVersion: '2010-04-01',
    CallSid: call.sid,
    CallStatus: callStatus,
    Called: call.to,
    CalledCity: '',
    CalledCountry: 'US',
    CalledState: '',
    CalledZip: '',
    Caller: call.from,
    CallerCity: '',
    CallerCountry: 'US',
    CallerState: '',
    CallerZip: '',
    Direction: call.direction,
    From: call.from,
    FromCity: '',
    FromCountry: 'US',
    FromState: '',
    FromZip: '',
    To: call.to,
    ToCity: '',
    ToCountry: 'US',
    ToState: '',
    ToZip: '',
  };
}

export interface FinalReport {
  readonly status: FinalStatus;
  readonly talkSeconds: number;
  readonly sipResponseCode: number | null;
}

/**
 * Reports the call's progress to the application. Callbacks are sent in order without blocking the call, so a slow
 * receiver does not change the conversation.
 */
export class StatusReporter {
  readonly #call: SandboxCall;
  readonly #authToken: string;
  readonly #publicBaseUrl: string;
  #sequence = 0;
  #sent: Promise<void> = Promise.resolve();

  constructor(call: SandboxCall, authToken: string, publicBaseUrl: string) {
    this.#call = call;
    this.#authToken = authToken;
    this.#publicBaseUrl = publicBaseUrl;
  }

  progress(event: Exclude<StatusEvent, 'completed'>, at: Date): void {
    const status = event === 'answered' ? 'in-progress' : event;
    const stir = event === 'initiated' ? {} : { StirStatus: 'B' };
    this.#report(event, status, at, stir);
  }

  final({ status, talkSeconds, sipResponseCode }: FinalReport, at: Date): void {
    this.#report('completed', status, at, {
      CallDuration: String(talkSeconds),
      Duration: String(Math.ceil(talkSeconds / 60)),
      ...(sipResponseCode === null ? {} : { SipResponseCode: String(sipResponseCode) }),
    });
  }

  /**
   * The verdict of detection has these four members and no others
   * (twilio.com/docs/voice/answering-machine-detection).
   */
  answeredBy({ callback, callback_method }: MachineDetection, answeredBy: AmdVerdict, tookMs: number): void {
    if (callback === null) return;
    this.#post(callback, callback_method, {
      AccountSid: this.#call.account_sid,
      CallSid: this.#call.sid,
      AnsweredBy: answeredBy,
      MachineDetectionDuration: String(tookMs),
    });
  }

  recording(recording: SandboxRecording, callback: string): void {
    const account = `${this.#publicBaseUrl}/sandbox-phone/2010-04-01/Accounts/${recording.account_sid}`;
    this.#post(callback, 'POST', {
      AccountSid: recording.account_sid,
      CallSid: recording.call_sid,
      RecordingSid: recording.sid,
      RecordingUrl: `${account}/Recordings/${recording.sid}`,
      RecordingStatus: recording.status,
      RecordingChannels: String(recording.channels),
      RecordingStartTime: recording.start_time,
      RecordingSource: recording.source,
      RecordingTrack: recording.track,
      ErrorCode: String(recording.error_code ?? 0),
      ...(recording.duration_seconds === null
        ? {}
        : { RecordingDuration: String(recording.duration_seconds) }),
    });
  }

  /** Leaves out a number, for an event that another run of the same call reported. */
  skip(): void {
    this.#sequence += 1;
  }

  /** Resolves when everything reported so far was received or given up. */
  settled(): Promise<void> {
    return this.#sent;
  }

  #report(event: StatusEvent, callStatus: string, at: Date, more: Record<string, string>): void {
    const { status_callback, status_callback_method, status_callback_events } = this.#call;
    if (status_callback === null || !status_callback_events.includes(event)) return;
    this.#post(status_callback, status_callback_method, {
      ...callParameters(this.#call, callStatus),
      ...more,
      Timestamp: rfc2822(at),
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(this.#sequence),
    });
    this.#sequence += 1;
  }

  #post(url: string, method: 'GET' | 'POST', form: Record<string, string>): void {
    this.#sent = this.#sent.then(async () => {
      const outcome = await sendSigned({ url, method, form, authToken: this.#authToken });
      if (outcome.kind === 'answered' && outcome.status < 300) return;
      log('sandbox-callback-failed', {
        call_sid: this.#call.sid,
        call_status: form.CallStatus ?? form.RecordingStatus ?? form.AnsweredBy ?? '',
        status: outcome.kind === 'answered' ? outcome.status : outcome.kind,
      });
    });
  }
}

/** Sequence of the final event of a call whose line died, after everything it may have reported before. */
export async function reportLostCall(
  call: SandboxCall,
  authToken: string,
  publicBaseUrl: string,
): Promise<void> {
  if (!isFinal(call.status)) throw new Error('the call has not ended');
  const reporter = new StatusReporter(call, authToken, publicBaseUrl);
  for (const event of ['initiated', 'ringing', 'answered'] as const) {
    if (call.status_callback_events.includes(event)) reporter.skip();
  }
  reporter.final(
    {
      status: call.status,
      talkSeconds: call.duration_seconds ?? 0,
      sipResponseCode: call.sip_response_code,
    },
    new Date(call.end_time ?? call.updated_at),
  );
  await reporter.settled();
}
