import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { encodeWav, mixDown } from '../sound/wav.ts';
import { recordingSid, type SandboxRecording, soundKey } from '../store/sandbox-recording.ts';
import { putItem, type SandboxStore } from '../store/sandbox-store.ts';
import { rfc2822 } from '../wire.ts';
import type { LineContext } from './line-context.ts';
import type { StatusReporter } from './status-reporter.ts';
import type { RecordingOrder } from './twiml.ts';

interface Running {
  readonly order: RecordingOrder;
  readonly item: SandboxRecording;
  readonly startMs: number;
}

/** The carrier's code for recordings that are too short. */
const tooShortErrorCode = 16101;
const shortestMs = 100;

/** Makes the recordings of one call. Two people can be heard on it: the person called on channel 1, the agent on 2. */
export class CallRecorder {
  readonly #store: SandboxStore;
  readonly #bucket: { readonly client: S3Client; readonly name: string };
  readonly #context: LineContext;
  readonly #reporter: StatusReporter;
  readonly #running: Running[] = [];

  constructor({
    store,
    bucket,
    context,
    reporter,
  }: {
    store: SandboxStore;
    bucket: { readonly client: S3Client; readonly name: string };
    context: LineContext;
    reporter: StatusReporter;
  }) {
    this.#store = store;
    this.#bucket = bucket;
    this.#context = context;
    this.#reporter = reporter;
  }

  /** When the first recording began, in natural time of the call. */
  get originMs(): number | null {
    return this.#running[0]?.startMs ?? null;
  }

  async start(order: RecordingOrder): Promise<void> {
    const { call, clock } = this.#context;
    const at = new Date().toISOString();
    const item: SandboxRecording = {
      sid: recordingSid(call.sid, this.#running.length),
      type: 'recording',
      account_sid: call.account_sid,
      call_sid: call.sid,
      status: 'in-progress',
      channels: order.channels === 'dual' ? 2 : 1,
      track: order.track,
      source: 'StartCallRecordingTwiML',
      start_time: rfc2822(clock.now()),
      duration_seconds: null,
      error_code: null,
      dual_key: null,
      mono_key: null,
      created_at: at,
      updated_at: at,
    };
    await putItem(this.#store, item);
    this.#running.push({ order, item, startMs: clock.elapsedMs });
    this.#report(order, item);
  }

  /** Stores the audio; returns what to report about each recording once due. */
  async store(): Promise<(() => void)[]> {
    const reports: (() => void)[] = [];
    for (const { order, item, startMs } of this.#running) {
      const finished = await this.#storeOne(order, item, startMs);
      await putItem(this.#store, finished);
      reports.push(() => this.#report(order, finished));
    }
    return reports;
  }

  async #storeOne(order: RecordingOrder, item: SandboxRecording, startMs: number): Promise<SandboxRecording> {
    const { clock, track } = this.#context;
    const whole = { fromMs: startMs, toMs: clock.elapsedMs };
    const { fromMs, toMs } = order.trimsSilence ? track.soundingPart(whole.fromMs, whole.toMs) : whole;
    const updated_at = new Date().toISOString();
    if (toMs - fromMs < shortestMs) {
      return { ...item, status: 'absent', error_code: tooShortErrorCode, duration_seconds: 0, updated_at };
    }
    const channels = [track.channel('person', fromMs, toMs), track.channel('agent', fromMs, toMs)];
    // A two-channel recording is rarely fetched as one channel; that file is made on first request.
    const isDual = order.channels === 'dual';
    const key = soundKey(item.sid, isDual ? 2 : 1);
    await this.#put(key, encodeWav(isDual ? channels : [mixDown(channels)]));
    return {
      ...item,
      status: 'completed',
      duration_seconds: Math.round((toMs - fromMs) / 1000),
      dual_key: isDual ? key : null,
      mono_key: isDual ? null : key,
      updated_at,
    };
  }

  async #put(key: string, body: Buffer): Promise<void> {
    await this.#bucket.client.send(
      new PutObjectCommand({ Bucket: this.#bucket.name, Key: key, Body: body, ContentType: 'audio/x-wav' }),
    );
  }

  #report(order: RecordingOrder, item: SandboxRecording): void {
    const isWanted = order.callbackEvents.some((event) => event === item.status);
    if (order.callback !== null && isWanted) this.#reporter.recording(item, order.callback);
  }
}
