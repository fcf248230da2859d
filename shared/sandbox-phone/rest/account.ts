import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { closeAbandonedCall } from '../line/abandoned-call.ts';
import { enqueueLine, enqueueTurn } from '../line/line-queue.ts';
import { decodeWav, encodeWav, mixDown } from '../sound/wav.ts';
import { takeTurn } from '../store/calling-rate.ts';
import { isAbandoned, isForgotten, type SandboxCall } from '../store/sandbox-call.ts';
import { type SandboxRecording, soundKey } from '../store/sandbox-recording.ts';
import { deleteItem, getItem, listItems, putItem, recordingsOf, updateItem } from '../store/sandbox-store.ts';
import { callSidPattern, isFinal, recordingSidPattern } from '../wire.ts';
import { type OwnNumberResource, ownNumbersPage } from './own-numbers.ts';
import { isWithin, pageObject, pageOf, readPageRequest } from './paging.ts';
import { readCallToPlace } from './place-call.ts';
import { accountPath, callRecordingResource, callResource, recordingResource } from './resources.ts';
import { invalidParameter, notFound, RestError } from './rest-error.ts';
import type { RestRequest, RestResponse } from './rest-exchange.ts';
import { json } from './rest-exchange.ts';
import type { RestServices } from './rest-services.ts';

/** How long the URL of a recording's media is valid. */
const mediaLifetimeSeconds = 300;

/** What a request may do within the account in its path. */
export class Account {
  readonly #services: RestServices;
  readonly #request: RestRequest;
  readonly #sid: string;

  constructor(services: RestServices, request: RestRequest, sid: string) {
    this.#services = services;
    this.#request = request;
    this.#sid = sid;
  }

  answer(): Promise<RestResponse> {
    const { method, resource, pathParameters } = this.#request;
    const route = `${method} ${resource.slice(resource.indexOf('{account_sid}') + '{account_sid}'.length)}`;
    const { call = '', recording = '' } = pathParameters;
    switch (route) {
      case 'POST /Calls.json':
        return this.#createCall();
      case 'GET /Calls.json':
        return this.#listCalls();
      case 'GET /Calls/{call}':
        return this.#fetchCall(readSid(call, callSidPattern));
      case 'POST /Calls/{call}':
        return this.#updateCall(readSid(call, callSidPattern));
      case 'DELETE /Calls/{call}':
        return this.#deleteCall(readSid(call, callSidPattern));
      case 'GET /Calls/{call}/Recordings.json':
        return this.#listRecordings(readSid(`${call}.json`, callSidPattern));
      case 'POST /Calls/{call}/Recordings.json':
        return this.#startRecording(readSid(`${call}.json`, callSidPattern));
      case 'GET /Calls/{call}/Recordings/{recording}':
        return this.#fetchRecordingOfCall(
          readSid(`${call}.json`, callSidPattern),
          readSid(recording, recordingSidPattern),
        );
      case 'DELETE /Calls/{call}/Recordings/{recording}':
        return this.#deleteRecordingOfCall(
          readSid(`${call}.json`, callSidPattern),
          readSid(recording, recordingSidPattern),
        );
      case 'GET /Recordings.json':
        return this.#listRecordings(this.#request.query.get('CallSid'));
      case 'GET /Recordings/{recording}':
        return recording.endsWith('.json')
          ? this.#fetchRecording(readSid(recording, recordingSidPattern))
          : this.#fetchMedia(recording);
      case 'DELETE /Recordings/{recording}':
        return this.#deleteRecording(readSid(recording.replace(/(\.json)?$/, '.json'), recordingSidPattern));
      case 'GET /IncomingPhoneNumbers.json':
        return this.#listOwnNumbers('IncomingPhoneNumbers');
      case 'GET /OutgoingCallerIds.json':
        return this.#listOwnNumbers('OutgoingCallerIds');
      default:
        throw notFound();
    }
  }

  async #listOwnNumbers(resource: OwnNumberResource): Promise<RestResponse> {
    const { query } = this.#request;
    return json(
      200,
      ownNumbersPage(resource, {
        accountSid: this.#sid,
        voiceUrl: this.#services.voiceUrl,
        query,
        request: readPageRequest(query),
      }),
    );
  }

  async #createCall(): Promise<RestResponse> {
    const { store, lineQueue, publicBaseUrl, voiceUrl } = this.#services;
    const now = this.#now();
    const wanted = readCallToPlace(this.#form(), { accountSid: this.#sid, publicBaseUrl, voiceUrl, now });
    const turn = await this.#nextTurn(now);
    const call = { ...wanted, queue_ms: turn.getTime() - now.getTime() };
    await putItem(store, call);
    await (call.queue_ms === 0
      ? enqueueLine(lineQueue, { call_sid: call.sid })
      : enqueueTurn(lineQueue, call.sid, turn, now));
    return json(201, callResource(call));
  }

  async #nextTurn(now: Date): Promise<Date> {
    const { store, callsPerSecond = null } = this.#services;
    return callsPerSecond === null ? now : takeTurn(store, this.#sid, callsPerSecond, now);
  }

  async #listCalls(): Promise<RestResponse> {
    const { query } = this.#request;
    const request = readPageRequest(query);
    const isEqual = (name: string, value: string): boolean => (query.get(name) ?? value) === value;
    const found = await listItems(this.#services.store, 'call', {
      accountSid: this.#sid,
      after: request.after,
      limit: request.pageSize,
      matches: (call) =>
        isEqual('To', call.to) &&
        isEqual('From', call.from) &&
        isEqual('Status', call.status) &&
        isEqual('ParentCallSid', call.parent_sid ?? '') &&
        // A queued call has no start, one in progress no end.
        isWithin(query, 'StartTime', call.start_time) &&
        isWithin(query, 'EndTime', call.end_time),
    });
    const path = `${accountPath(this.#sid)}/Calls.json`;
    return json(200, pageObject({ name: 'calls', path, query, request, found, toResource: callResource }));
  }

  async #fetchCall(sid: string): Promise<RestResponse> {
    return json(200, callResource(await this.#call(sid)));
  }

  async #updateCall(sid: string): Promise<RestResponse> {
    const form = this.#form();
    const status = form.get('Status');
    if (status !== 'completed' && status !== 'canceled') {
      throw invalidParameter('The sandbox phone updates calls by Status=completed or Status=canceled only');
    }
    await this.#call(sid);
    const changed = await updateItem(
      this.#services.store,
      'call',
      sid,
      { end_requested: status, updated_at: this.#now().toISOString() },
      { status: status === 'completed' ? ['queued', 'ringing', 'in-progress'] : ['queued', 'ringing'] },
    );
    if (changed === null) {
      throw new RestError(400, 21220, 'Call is not in-progress. Cannot redirect.');
    }
    // A queued call ends at once, without waiting for its turn.
    if (changed.line_seen_at === null && changed.queue_ms > 0) {
      await enqueueLine(this.#services.lineQueue, { call_sid: sid });
    }
    return json(200, callResource(changed));
  }

  async #deleteCall(sid: string): Promise<RestResponse> {
    const call = await this.#call(sid);
    if (!isFinal(call.status)) throw new RestError(400, 21220, 'A call that has not ended cannot be deleted');
    await deleteItem(this.#services.store, sid);
    return { status: 204 };
  }

  /** The carrier records calls with a relay only by their answer document. */
  async #startRecording(sid: string): Promise<RestResponse> {
    await this.#call(sid);
    throw new RestError(400, 21220, 'Requested resource is not eligible for recording');
  }

  async #listRecordings(callSid: string | null): Promise<RestResponse> {
    const { query, resource } = this.#request;
    const isOfCall = resource.includes('{call}');
    if (isOfCall && callSid !== null) await this.#call(callSid);
    const { store } = this.#services;
    const request = readPageRequest(query);
    const matches = (recording: SandboxRecording): boolean =>
      recording.account_sid === this.#sid &&
      (recording.status !== 'deleted' || query.get('IncludeSoftDeleted') === 'true') &&
      !query.has('ConferenceSid') &&
      isWithin(query, 'DateCreated', recording.created_at);
    const found =
      callSid === null
        ? await listItems(store, 'recording', {
            accountSid: this.#sid,
            after: request.after,
            limit: request.pageSize,
            matches,
          })
        : pageOf((await recordingsOf(store, callSid)).filter(matches), request);
    const path = isOfCall
      ? `${accountPath(this.#sid)}/Calls/${callSid}/Recordings.json`
      : `${accountPath(this.#sid)}/Recordings.json`;
    const toResource = isOfCall ? callRecordingResource : recordingResource;
    return json(200, pageObject({ name: 'recordings', path, query, request, found, toResource }));
  }

  async #fetchRecording(sid: string): Promise<RestResponse> {
    const recording = await this.#recording(sid, this.#request.query.get('IncludeSoftDeleted') === 'true');
    return json(200, recordingResource(recording));
  }

  async #fetchRecordingOfCall(callSid: string, sid: string): Promise<RestResponse> {
    return json(200, callRecordingResource(await this.#recordingOfCall(callSid, sid)));
  }

  async #deleteRecordingOfCall(callSid: string, sid: string): Promise<RestResponse> {
    await this.#recordingOfCall(callSid, sid);
    return this.#deleteRecording(sid);
  }

  /** Redirects to the media's storage host. One channel unless two are requested. */
  async #fetchMedia(path: string): Promise<RestResponse> {
    const recording = await this.#recording(
      readSid(path.replace(/(\.wav)?$/, '.json'), recordingSidPattern),
      false,
    );
    const channels = this.#request.query.get('RequestedChannels') ?? '1';
    if (channels !== '1' && channels !== '2') throw invalidParameter('RequestedChannels must be 1 or 2');
    if (recording.status !== 'completed') throw notFound();
    const key = channels === '2' ? recording.dual_key : await this.#monoKey(recording);
    if (key === null)
      throw invalidParameter('The recording has no media with the requested number of channels');
    const { client, name } = this.#services.bucket;
    const location = await getSignedUrl(
      client,
      new GetObjectCommand({ Bucket: name, Key: key, ResponseContentType: 'audio/x-wav' }),
      { expiresIn: mediaLifetimeSeconds },
    );
    return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' } };
  }

  /** The file with one channel, mixed down from two on the first request. */
  async #monoKey({ sid, dual_key, mono_key }: SandboxRecording): Promise<string | null> {
    if (mono_key !== null || dual_key === null) return mono_key;
    const { store, bucket } = this.#services;
    const { Body } = await bucket.client.send(new GetObjectCommand({ Bucket: bucket.name, Key: dual_key }));
    if (Body === undefined) throw notFound();
    const { channels } = decodeWav(Buffer.from(await Body.transformToByteArray()));
    const key = soundKey(sid, 1);
    await bucket.client.send(
      new PutObjectCommand({
        Bucket: bucket.name,
        Key: key,
        Body: encodeWav([mixDown(channels)]),
        ContentType: 'audio/x-wav',
      }),
    );
    await updateItem(store, 'recording', sid, { mono_key: key });
    return key;
  }

  async #deleteRecording(sid: string): Promise<RestResponse> {
    const recording = await this.#recording(sid, false);
    const { client, name } = this.#services.bucket;
    for (const key of [recording.dual_key, recording.mono_key]) {
      if (key !== null) await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }));
    }
    await updateItem(this.#services.store, 'recording', sid, {
      status: 'deleted',
      dual_key: null,
      mono_key: null,
      updated_at: this.#now().toISOString(),
    });
    return { status: 204 };
  }

  async #call(sid: string): Promise<SandboxCall> {
    const { store, lineQueue } = this.#services;
    const call = await getItem(store, 'call', sid);
    if (call === null || call.account_sid !== this.#sid) throw notFound();
    // The function that accepted the call may have died before enqueueing it.
    if (isForgotten(call, this.#now().getTime())) await enqueueLine(lineQueue, { call_sid: sid });
    if (isFinal(call.status) || !isAbandoned(call, this.#now().getTime())) return call;
    return (await closeAbandonedCall(store, call, this.#now())) ?? call;
  }

  async #recording(sid: string, includesDeleted: boolean): Promise<SandboxRecording> {
    const recording = await getItem(this.#services.store, 'recording', sid);
    if (recording === null || recording.account_sid !== this.#sid) throw notFound();
    if (recording.status === 'deleted' && !includesDeleted) throw notFound();
    return recording;
  }

  async #recordingOfCall(callSid: string, sid: string): Promise<SandboxRecording> {
    const recording = await this.#recording(sid, false);
    if (recording.call_sid !== callSid) throw notFound();
    return recording;
  }

  #form(): URLSearchParams {
    return new URLSearchParams(this.#request.body.toString('utf8'));
  }

  #now(): Date {
    return this.#services.now?.() ?? new Date();
  }
}

/** The sid of `CA….json`; anything else is not a resource. */
function readSid(name: string, pattern: RegExp): string {
  const [, sid = ''] = /^(.*)\.json$/.exec(name) ?? [];
  if (!pattern.test(sid)) throw notFound();
  return sid;
}
