import { computeSignature } from '#shared/carrier/signature.ts';
import {
  parseTwiml,
  type RecordingOrder,
  type RelayOrder,
  type Verb,
} from '#shared/sandbox-phone/line/twiml.ts';
import type { RelayGateway } from '../cloud/relay-gateway.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { Appointment, VirtualClock } from '../engine/virtual-clock.ts';
import type { Journal } from '../harness/journal.ts';
import type { CallbackSender } from './callback-sender.ts';
import type { CarrierRecording, CarrierStatus } from './carrier-resources.ts';
import { type Person, somebody } from './person.ts';
import { msPerCharacter, RelaySession, type SessionEnd } from './relay-session.ts';

/** What happens to a call when it is dialed. */
const outcomes = {
  answered: 60,
  busy: 12,
  'no-answer': 12,
  'not-in-service': 2,
  unreachable: 2,
  'fails-at-once': 2,
  'stays-queued': 1,
} as const;

export interface CallFixture {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly callbacks: CallbackSender;
  readonly relay: RelayGateway;
  readonly accountSid: string;
  /** The token that it currently signs with. */
  readonly authToken: () => string;
  readonly onRinging: (call: CarrierCall) => void;
  readonly onEnded: (call: CarrierCall) => void;
  readonly onViolation: (invariant: string, detail: string, taskIds: readonly string[]) => void;
  /** Creates a recording and remembers it. */
  readonly newRecording: (call: CarrierCall, channels: 1 | 2, seconds: number) => CarrierRecording;
}

/** One call at the carrier, from the request that places it to its last callback. */
export class CarrierCall {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly createdAtMs: number;
  readonly taskIds: readonly string[];
  /** When it appears in the carrier's list. */
  readonly listedAtMs: number;
  readonly answerUrl: string;
  readonly queueMs: number;
  status: CarrierStatus = 'queued';
  answeredAtMs: number | null = null;
  endedAtMs: number | null = null;
  answeredBy: string | null = null;
  readonly #form: URLSearchParams;
  readonly #world: CallFixture;
  readonly #random: SeededRandom;
  #sequence = 0;
  #session: RelaySession | null = null;
  #recordingOrder: RecordingOrder | null = null;
  #timeLimit: Appointment | null = null;

  constructor(form: URLSearchParams, harness: CallFixture) {
    const { clock, random, journal, faults } = harness;
    this.sid = `CA${random.hex(32)}`;
    this.#form = form;
    this.#world = harness;
    this.#random = random.fork(this.sid);
    this.to = form.get('To') ?? '';
    this.from = form.get('From') ?? '';
    this.answerUrl = form.get('Url') ?? '';
    this.createdAtMs = clock.nowMs;
    this.taskIds = journal.tasksIn(this.answerUrl);
    this.listedAtMs =
      clock.nowMs + (faults.strikes('carrier: list lags behind', 0.3) ? random.between(1_000, 180_000) : 0);
    this.queueMs = faults.strikes('carrier: call waits in its queue', 0.02)
      ? random.between(5_000, 400_000)
      : 0;
    clock.after(this.queueMs + this.#random.between(100, 2_000), () => this.#dial());
  }

  get isOver(): boolean {
    return this.endedAtMs !== null;
  }

  /** Seconds from answer to hang-up. */
  get talkSeconds(): number {
    return this.answeredAtMs === null || this.endedAtMs === null
      ? 0
      : Math.round((this.endedAtMs - this.answeredAtMs) / 1000);
  }

  /** Ends it at the account's request. */
  hangUp(): void {
    if (this.isOver) return;
    if (this.status === 'in-progress') this.#leaveRelay('completed');
    else this.#end('canceled', '');
  }

  #dial(): void {
    if (this.isOver) return;
    const { clock } = this.#world;
    const outcome = this.#random.weighted(outcomes);
    if (outcome === 'fails-at-once') {
      this.#end('failed', '503');
      return;
    }
    if (outcome === 'stays-queued') {
      clock.after(this.#random.between(3_600_000, 24 * 3_600_000), () => this.#end('canceled', ''));
      return;
    }
    this.status = 'initiated';
    this.#report('initiated', 'initiated');
    clock.after(this.#random.between(200, 3_000), () => this.#ring(outcome));
  }

  #ring(outcome: keyof typeof outcomes): void {
    if (this.isOver) return;
    const { clock } = this.#world;
    if (outcome === 'not-in-service') {
      this.#end('failed', '404');
      return;
    }
    this.#world.onRinging(this);
    if (outcome === 'busy') {
      clock.after(this.#random.between(300, 2_000), () => this.#end('busy', '486'));
      return;
    }
    this.status = 'ringing';
    this.#report('ringing', 'ringing');
    const ringMs = Number(this.#form.get('Timeout') ?? '60') * 1000;
    if (outcome === 'no-answer') {
      clock.after(ringMs + this.#random.between(0, 5_000), () => this.#end('no-answer', '487'));
    } else if (outcome === 'unreachable') {
      clock.after(this.#random.between(500, 20_000), () => this.#end('failed', '480'));
    } else {
      clock.after(this.#random.between(500, ringMs * 0.9), () => this.#answer());
    }
  }

  #answer(): void {
    if (this.isOver) return;
    const { clock, callbacks } = this.#world;
    this.status = 'in-progress';
    this.answeredAtMs = clock.nowMs;
    this.#report('answered', 'in-progress');
    const limitMs = Number(this.#form.get('TimeLimit') ?? '14400') * 1000;
    this.#timeLimit = clock.after(limitMs, () => this.#leaveRelay('completed'));
    const person = somebody(this.#random);
    this.#detect(person);
    callbacks.ask(this.answerUrl, this.#members('in-progress'), (document) => this.#follow(document, person));
  }

  #detect(person: Person): void {
    const url = this.#form.get('AsyncAmdStatusCallback');
    if (url === null || this.#form.get('MachineDetection') === null) return;
    const { clock, callbacks, accountSid } = this.#world;
    const afterMs = this.#random.between(1_500, 8_000);
    clock.after(afterMs, () => {
      this.answeredBy = person.answeredBy;
      callbacks.tell(url, {
        CallSid: this.sid,
        AccountSid: accountSid,
        AnsweredBy: person.answeredBy,
        MachineDetectionDuration: String(Math.round(afterMs)),
      });
    });
  }

  /** Follows a document; without one, the carrier announces an error and hangs up. */
  #follow(document: string | null, person: Person): void {
    if (this.isOver) return;
    let verbs: Verb[];
    try {
      verbs = document === null ? [] : parseTwiml(document);
    } catch {
      this.#world.onViolation(
        'the carrier can read every document',
        'a document could not be read',
        this.taskIds,
      );
      verbs = [];
    }
    let afterMs = 500;
    for (const verb of verbs) {
      switch (verb.verb) {
        case 'start-recording':
          this.#startRecording(verb.recording);
          break;
        case 'connect':
          this.#connect(verb.relay, verb.action, person);
          return;
        case 'say':
          afterMs += verb.text.length * msPerCharacter;
          break;
        case 'pause':
          afterMs += verb.seconds * 1000;
          break;
        case 'hangup':
          break;
      }
    }
    this.#world.clock.after(afterMs, () => this.#end('completed', ''));
  }

  #startRecording(order: RecordingOrder): void {
    if (this.#recordingOrder !== null) return;
    this.#recordingOrder = order;
  }

  #connect(order: RelayOrder, action: string | null, person: Person): void {
    const { relay, callbacks } = this.#world;
    const afterwards = (status: SessionEnd, handoffData: string | null): void => {
      this.#session = null;
      if (action === null) {
        this.#end('completed', '');
        return;
      }
      const form = {
        ...this.#members(status === 'completed' ? 'completed' : 'in-progress'),
        SessionId: `VX${this.#random.hex(32)}`,
        SessionStatus: status,
        SessionDuration: '30',
        ...(handoffData === null ? {} : { HandoffData: handoffData }),
      };
      if (status === 'completed') {
        // The person is gone: the call is over whatever we respond.
        callbacks.ask(action, form, () => {});
        this.#end('completed', '');
      } else callbacks.ask(action, form, (document) => this.#follow(document, person));
    };
    this.#session = new RelaySession({
      relay,
      order,
      person,
      setup: {
        type: 'setup',
        sessionId: `VX${this.#random.hex(32)}`,
        accountSid: this.#world.accountSid,
        callSid: this.sid,
        from: this.from,
        to: this.to,
        direction: 'outbound-api',
        callStatus: 'IN-PROGRESS',
        customParameters: order.parameters,
      },
      signature: computeSignature(this.#world.authToken(), order.url, []),
      random: this.#random,
      clock: this.#world.clock,
      faults: this.#world.faults,
      onEnd: afterwards,
      onViolation: (invariant, detail) => this.#world.onViolation(invariant, detail, this.taskIds),
    });
  }

  #leaveRelay(status: SessionEnd): void {
    if (this.isOver) return;
    if (this.#session === null) this.#end('completed', '');
    else this.#session.end(status, null);
  }

  #end(status: CarrierStatus, sipResponseCode: string): void {
    if (this.isOver) return;
    const { clock } = this.#world;
    this.status = status;
    this.endedAtMs = clock.nowMs;
    this.#timeLimit?.cancel();
    this.#session?.abandon();
    this.#report('completed', status, {
      CallDuration: String(this.talkSeconds),
      Duration: String(Math.ceil(this.talkSeconds / 60)),
      SipResponseCode: sipResponseCode,
    });
    if (this.#recordingOrder !== null) this.#finishRecording(this.#recordingOrder);
    this.#world.onEnded(this);
  }

  #finishRecording(order: RecordingOrder): void {
    const { faults, clock, callbacks } = this.#world;
    const isAbsent = this.talkSeconds < 1 || faults.strikes('recording: absent', 0.03);
    const channels = order.channels === 'dual' && !faults.strikes('recording: one channel', 0.05) ? 2 : 1;
    const recording = this.#world.newRecording(this, channels, Math.min(this.talkSeconds, 2));
    const processingMs = this.#random.between(
      500,
      faults.strikes('recording: slow', 0.05) ? 900_000 : 20_000,
    );
    clock.after(processingMs, () => {
      recording.status = isAbsent ? 'absent' : 'completed';
      recording.availableAtMs =
        clock.nowMs +
        (faults.strikes('recording: audio later', 0.1) ? this.#random.between(500, 600_000) : 0);
      if (order.callback === null) return;
      callbacks.tell(order.callback, {
        AccountSid: this.#world.accountSid,
        CallSid: this.sid,
        RecordingSid: recording.sid,
        RecordingUrl: `https://carrier.example.test/Recordings/${recording.sid}`,
        RecordingStatus: isAbsent ? 'absent' : 'completed',
        RecordingDuration: isAbsent ? '-1' : String(this.talkSeconds),
        RecordingChannels: String(channels),
        RecordingSource: 'StartCallRecordingTwiML',
        RecordingTrack: 'both',
        ErrorCode: isAbsent ? '16101' : '0',
      });
    });
  }

  #report(event: string, status: CarrierStatus, more: Readonly<Record<string, string>> = {}): void {
    const url = this.#form.get('StatusCallback');
    const sequence = this.#sequence;
    this.#sequence += 1;
    if (url === null || !this.#form.getAll('StatusCallbackEvent').includes(event)) return;
    this.#world.callbacks.tell(url, {
      ...this.#members(status),
      ...more,
      Timestamp: new Date(this.#world.clock.nowMs).toUTCString().replace('GMT', '+0000'),
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(sequence),
    });
  }

  #members(status: CarrierStatus): Record<string, string> {
    return {
      CallSid: this.sid,
      AccountSid: this.#world.accountSid,
      From: this.from,
      To: this.to,
      CallStatus: status,
      ApiVersion: '2010-04-01',
      Direction: 'outbound-api',
    };
  }
}
