import { log, logError } from '#shared/observability/log.ts';
import { calendarDay } from '../person/calendar-day.ts';
import { calledPerson } from '../person/called-person.ts';
import { castCharacter } from '../person/character.ts';
import type { PersonaFile, Reach } from '../person/person-file.ts';
import type { PersonState } from '../person/person-state.ts';
import { chanceBetween } from '../person/seeded.ts';
import { speechOf } from '../sound/speech.ts';
import type { SandboxCall } from '../store/sandbox-call.ts';
import { updateItem } from '../store/sandbox-store.ts';
import { type FinalStatus, rfc2822 } from '../wire.ts';
import { CallClock } from './call-clock.ts';
import { CallDocuments } from './call-documents.ts';
import { CallRecorder } from './call-recorder.ts';
import { ConversationCut, converse, type Session } from './converse.ts';
import { forwardCall } from './forward-call.ts';
import { CallCut, type LineContext } from './line-context.ts';
import type { LineServices } from './line-services.ts';
import { judgeAnswer, type Verdict } from './machine-detection.ts';
import { SoundTrack } from './sound-track.ts';
import { speak } from './speak.ts';
import { callParameters, StatusReporter } from './status-reporter.ts';
import { TwimlError, type Verb } from './twiml.ts';
import { agentVoice } from './voices.ts';

/** A function may run for 15 minutes; the remainder is for closing the call properly. */
const longestRunMs = 13 * 60_000;
/** How often a call in progress checks whether to end, and records that it is alive. */
const lookEveryMs = 4_000;
/** A call queued for longer is canceled (twilio.com/docs/voice/api/call-resource). */
const longestQueueMs = 24 * 3600 * 1000;

interface Ending {
  readonly status: FinalStatus;
  readonly sipResponseCode: number | null;
  readonly failure: string | null;
}

const hungUp: Ending = { status: 'completed', sipResponseCode: 200, failure: null };

export class Line {
  readonly #services: LineServices;
  readonly #documents: CallDocuments;
  readonly #call: SandboxCall;
  readonly #context: LineContext;
  readonly #reporter: StatusReporter;
  readonly #recorder: CallRecorder;
  readonly #clock: CallClock;
  readonly #file: PersonaFile;
  readonly #reach: Reach;
  readonly #seed: string;
  readonly #realStart = performance.now();
  #answeredMs: number | null = null;
  /** The verdict that detection will give while it still listens. */
  #verdict: Verdict | null = null;
  #polledAt = 0;
  #person: PersonState | null = null;
  #lastSession: Session | null = null;
  readonly #responseTimesMs: number[] = [];

  constructor(services: LineServices, call: SandboxCall, startedAt: Date, file: PersonaFile, reach: Reach) {
    const { store, bucket, authToken, publicBaseUrl, relayUrl, pace, speech, directory } = services;
    this.#services = services;
    this.#documents = new CallDocuments(services);
    this.#call = call;
    this.#clock = new CallClock(startedAt, pace);
    this.#file = file;
    this.#reach = reach;
    // Calls between the same two numbers go alike, so that conversations are reproducible.
    this.#seed = `${call.to} ${call.from}`;
    const track = new SoundTrack();
    this.#reporter = new StatusReporter(call, authToken, publicBaseUrl);
    this.#context = {
      call,
      authToken,
      publicBaseUrl,
      relayUrl,
      clock: this.#clock,
      track,
      personVoice: this.#file.voice,
      speech: speechOf[speech],
      character: castCharacter({
        file: this.#file,
        personas: directory.personas,
        defaults: directory.defaults,
        today: calendarDay(call.to, startedAt),
        seed: this.#seed,
        callSid: call.sid,
        reach,
      }),
      passTime: (naturalMs) => this.#passTime(naturalMs),
      noteResponseTime: (realMs) => {
        this.#responseTimesMs.push(Math.round(realMs * 100) / 100);
      },
    };
    this.#recorder = new CallRecorder({ store, bucket, context: this.#context, reporter: this.#reporter });
  }

  async run(): Promise<void> {
    // Also while nothing passes on the line: a slow one must not be taken for dead.
    const heartbeat = setInterval(() => {
      if (performance.now() - this.#polledAt > lookEveryMs) void this.#poll().catch(() => {});
    }, lookEveryMs);
    try {
      const ending = await this.#play();
      await this.#finish(ending);
    } finally {
      clearInterval(heartbeat);
    }
  }

  async #play(): Promise<Ending> {
    try {
      const unreached = await this.#dial();
      if (unreached !== null) return unreached;
      this.#answeredMs = this.#clock.elapsedMs;
      const { machine_detection: detection } = this.#call;
      this.#verdict = detection === null ? null : judgeAnswer(this.#context.character, detection);
      await this.#change({ status: 'in-progress' });
      this.#reporter.progress('answered', this.#clock.now());
      return await this.#execute(await this.#documents.answer(this.#call));
    } catch (error) {
      if (error instanceof CallCut) {
        if (error instanceof ConversationCut) this.#person = error.session.person;
        return this.#answeredMs === null
          ? { status: 'canceled', sipResponseCode: 487, failure: null }
          : hungUp;
      }
      const failure = error instanceof TwimlError ? error.message : 'internal';
      if (error instanceof TwimlError)
        log('sandbox-document-refused', { call_sid: this.#call.sid, reason: failure });
      else logError('sandbox-call-broken', error, { call_sid: this.#call.sid });
      return { status: 'failed', sipResponseCode: null, failure };
    }
  }

  /** Null when the call was picked up, by a person or voicemail. */
  async #dial(): Promise<Ending | null> {
    const waitedMs = this.#clock.now().getTime() - Date.parse(this.#call.created_at);
    if (this.#call.end_requested !== null || waitedMs > longestQueueMs) throw new CallCut();
    if (this.#call.direction === 'inbound') {
      await this.#passTime(900);
      await this.#change({ status: 'ringing' });
      return null;
    }
    this.#reporter.progress('initiated', this.#clock.now());
    const reach = this.#reach;
    const [shortest, longest] = this.#file.ring_ms;
    await this.#passTime(900);
    if (reach === 'not-in-service') {
      return { status: 'failed', sipResponseCode: 404, failure: 'number-not-in-service' };
    }
    if (reach === 'busy') return { status: 'busy', sipResponseCode: 486, failure: null };
    await this.#change({ status: 'ringing' });
    this.#reporter.progress('ringing', this.#clock.now());
    const timeoutMs = this.#call.ring_timeout_seconds * 1000;
    const ringMs =
      reach === 'no-answer' ? Number.POSITIVE_INFINITY : chanceBetween(this.#seed, 'ring', shortest, longest);
    await this.#passTime(Math.min(timeoutMs, ringMs));
    return ringMs > timeoutMs ? { status: 'no-answer', sipResponseCode: 487, failure: null } : null;
  }

  /** Runs a document and its successors; the end of a document ends the call. */
  async #execute(document: readonly Verb[]): Promise<Ending> {
    let verbs: readonly Verb[] = document;
    // Reconnecting is allowed, but not forever.
    for (let documents = 0; documents < 5; documents += 1) {
      const next = await this.#executeOne(verbs);
      if (next === null) break;
      verbs = next;
    }
    const failedRelay = this.#lastSession?.end.status === 'failed';
    const statusAfterFailure = this.#context.character.network.final_status_after_relay_failure;
    return failedRelay && statusAfterFailure === 'failed'
      ? { status: 'failed', sipResponseCode: null, failure: 'relay-failed' }
      : hungUp;
  }

  /** The document returned by an action callback; null when the call is over. */
  async #executeOne(verbs: readonly Verb[]): Promise<Verb[] | null> {
    for (const verb of verbs) {
      switch (verb.verb) {
        case 'start-recording':
          await this.#recorder.start(verb.recording);
          break;
        case 'say':
          await this.#passTime(350);
          await speak(this.#context, 'agent', verb.text, agentVoice(verb.voice, this.#file.voice));
          break;
        case 'pause':
          await this.#passTime(verb.seconds * 1000);
          break;
        case 'hangup':
          await this.#passTime(300);
          return null;
        case 'dial': {
          const { store, directory } = this.#services;
          const outcome = await forwardCall({ store, directory, context: this.#context }, verb.dial);
          if (verb.action === null) break;
          const form = { ...callParameters(this.#call, 'in-progress'), ...outcome };
          return this.#documents.fetch(verb.action, 'POST', form);
        }
        case 'connect': {
          const session = await this.#connect(verb);
          if (verb.action !== null) {
            const next = await this.#afterSession(verb.action, session);
            return session.end.status === 'completed' ? null : next;
          }
          if (session.end.status === 'completed') return null;
          break;
        }
        default:
          verb satisfies never;
      }
    }
    return null;
  }

  async #connect(verb: Extract<Verb, { verb: 'connect' }>): Promise<Session> {
    try {
      const session = await converse(this.#context, verb.relay, this.#person);
      this.#person = session.person;
      this.#lastSession = session;
      return session;
    } catch (error) {
      // A call ended from outside also reports the end of the session to the application.
      if (error instanceof ConversationCut && verb.action !== null) {
        await this.#afterSession(verb.action, error.session).catch(() => []);
      }
      throw error;
    }
  }

  /** Reports the session's end to the application, whose answer says how the call continues. */
  async #afterSession(action: string, { sessionId, end, durationMs }: Session): Promise<Verb[]> {
    const form = {
      ...callParameters(this.#call, end.status === 'completed' ? 'completed' : 'in-progress'),
      SessionId: sessionId,
      SessionStatus: end.status,
      SessionDuration: String(Math.ceil(durationMs / 1000)),
      ...(end.status === 'ended' && end.handoffData !== null ? { HandoffData: end.handoffData } : {}),
      ...(end.status === 'failed' ? { ErrorCode: end.errorCode, ErrorMessage: end.errorMessage } : {}),
    };
    return this.#documents.fetch(action, 'POST', form);
  }

  async #finish(ending: Ending): Promise<void> {
    const { store } = this.#services;
    const { network } = this.#context.character;
    const endedAt = this.#clock.now();
    const talkSeconds =
      this.#answeredMs === null ? 0 : Math.round((this.#clock.elapsedMs - this.#answeredMs) / 1000);
    const recordings = await this.#recorder.store();
    // The call ended before detection had heard enough.
    if (this.#verdict !== null) await this.#tellVerdict('unknown');
    await updateItem(store, 'call', this.#call.sid, {
      status: ending.status,
      sip_response_code: ending.sipResponseCode,
      failure: ending.failure,
      end_time: rfc2822(endedAt),
      duration_seconds: talkSeconds,
      transcript: this.#context.track.linesFrom(this.#recorder.originMs ?? this.#answeredMs ?? 0),
      response_times_ms: this.#responseTimesMs,
      person: calledPerson(this.#context.character, this.#person),
      updated_at: new Date().toISOString(),
    });
    const reportRecordings = async (): Promise<void> => {
      await this.#clock.advance(network.recording_callback_delay_ms);
      for (const report of recordings) report();
    };
    if (network.recording_callback === 'before-final') await reportRecordings();
    this.#reporter.final({ ...ending, talkSeconds }, endedAt);
    if (network.amd_callback === 'after-final') this.#lateVerdict?.();
    if (network.recording_callback === 'after-final') await reportRecordings();
    await this.#reporter.settled();
    await updateItem(store, 'call', this.#call.sid, { is_final_reported: true });
    log('sandbox-call-ended', {
      call_sid: this.#call.sid,
      person: this.#file.id,
      status: ending.status,
      failure: ending.failure,
      natural_seconds: Math.round(this.#clock.elapsedMs / 1000),
      real_ms: Math.round(performance.now() - this.#realStart),
    });
  }

  async #change(changes: Partial<SandboxCall>): Promise<void> {
    const at = new Date().toISOString();
    await updateItem(this.#services.store, 'call', this.#call.sid, {
      ...changes,
      line_seen_at: at,
      updated_at: at,
    });
  }

  /** In steps of about a second at most, so that a call ended from outside ends soon. */
  async #passTime(naturalMs: number): Promise<void> {
    const stepMs = Math.max(250, 1000 / Math.max(this.#clock.pace, 0.001));
    let leftMs = naturalMs;
    while (leftMs > 0) {
      const passingMs = Math.min(leftMs, stepMs, Math.max(1, this.#untilVerdictMs()));
      await this.#clock.advance(passingMs);
      leftMs -= passingMs;
      if (this.#verdict !== null && this.#untilVerdictMs() <= 0)
        await this.#tellVerdict(this.#verdict.answeredBy);
      if (performance.now() - this.#polledAt > lookEveryMs) await this.#poll();
      const talkedMs = this.#answeredMs === null ? 0 : this.#clock.elapsedMs - this.#answeredMs;
      const isOver =
        this.#isEndRequested ||
        talkedMs > this.#call.time_limit_seconds * 1000 ||
        performance.now() - this.#realStart > longestRunMs;
      if (isOver) throw new CallCut();
    }
  }

  #untilVerdictMs(): number {
    return this.#verdict === null || this.#answeredMs === null
      ? Number.POSITIVE_INFINITY
      : this.#answeredMs + this.#verdict.afterMs - this.#clock.elapsedMs;
  }

  /** Reports the verdict now, later or never, depending on the person. */
  async #tellVerdict(answeredBy: Verdict['answeredBy']): Promise<void> {
    const { machine_detection: detection } = this.#call;
    this.#verdict = null;
    if (detection === null) return;
    await this.#change({ answered_by: answeredBy });
    const tookMs = this.#clock.elapsedMs - (this.#answeredMs ?? 0);
    const tell = (): void => this.#reporter.answeredBy(detection, answeredBy, tookMs);
    if (this.#context.character.network.amd_callback === 'in-call') tell();
    else this.#lateVerdict = tell;
  }

  #lateVerdict: (() => void) | null = null;

  #isEndRequested = false;

  async #poll(): Promise<void> {
    this.#polledAt = performance.now();
    const call = await updateItem(this.#services.store, 'call', this.#call.sid, {
      line_seen_at: new Date().toISOString(),
    });
    const requested = call?.end_requested ?? null;
    // An answered call can no longer be canceled.
    if (requested === 'completed' || (requested === 'canceled' && this.#answeredMs === null)) {
      this.#isEndRequested = true;
    }
  }
}
