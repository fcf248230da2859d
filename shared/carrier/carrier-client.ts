import type * as z from 'zod/mini';
import { utcDay } from '#shared/domain/time.ts';
import { CarrierError, classifyFailure } from './carrier-error.ts';
import {
  accept,
  CallListResponse,
  CallResponse,
  type CarrierCall,
  type CarrierRecording,
  NumberListResponse,
  nextPageUrl,
  plainContentLength,
  RecordingListResponse,
  refusal,
  toCall,
  toRecording,
} from './carrier-responses.ts';
import type { CarrierCredentials } from './credentials.ts';
import { parseJson } from './parse-json.ts';

interface RecordingMedia {
  readonly body: ReadableStream<Uint8Array>;
  /** Length announced for exactly these bytes, or null. */
  readonly contentLength: number | null;
}

interface CallToPlace {
  readonly to: string;
  readonly from: string;
  /** Requested when the call is answered. */
  readonly answerUrl: string;
  /** Requested when the former's document cannot be fetched or executed. */
  readonly fallbackUrl: string;
  /** Receives the progress of the call. */
  readonly statusUrl: string;
  /** Receives the verdict of answering-machine detection. */
  readonly amdUrl: string;
  readonly ringSeconds: number;
  readonly maxTalkSeconds: number;
}

/** The carrier operations we need. Each throws a `CarrierError` on failure. */
export interface CarrierClient {
  /** Not idempotent: after an error of kind `unknown` the phone may be ringing. */
  placeCall(call: CallToPlace): Promise<CarrierCall>;
  /** Hangs up, ringing or answered. Succeeds for a call that has already ended. */
  endCall(callSid: string): Promise<void>;
  /** Deletes the record of an ended call. Succeeds if it is already gone. */
  deleteCall(callSid: string): Promise<void>;
  /** Eventually consistent. */
  getCall(callSid: string): Promise<CarrierCall>;
  /**
   * Calls between these two numbers that are queued at the carrier, or that started on the day (UTC) of `since` or
   * later; eventually consistent.
   */
  listCalls(query: { to: string; from: string; since: Date }): Promise<CarrierCall[]>;
  listRecordings(callSid: string): Promise<CarrierRecording[]>;
  /** The audio as WAV, in two channels if available. `not-found` is normal just after the call. */
  fetchRecordingMedia(recordingSid: string): Promise<RecordingMedia>;
  /** Succeeds if the recording is already gone. */
  deleteRecording(recordingSid: string): Promise<void>;
  /**
   * Whether the account may call with this caller ID: one of its numbers with voice, or a verified one
   * (twilio.com/docs/phone-numbers/api/incomingphonenumber-resource, twilio.com/docs/voice/api/outgoing-caller-ids).
   */
  ownsNumber(phoneNumber: string): Promise<boolean>;
}

export interface CarrierClientOptions {
  /** Origin and optional path before `/2010-04-01`, without trailing slash. */
  readonly baseUrl: string;
  readonly credentials: Pick<CarrierCredentials, 'accountSid' | 'restUser' | 'restPassword'>;
  readonly requestTimeoutMs?: number;
  /** For the whole download of a recording. */
  readonly mediaTimeoutMs?: number;
}

/** The live carrier's; the sandbox phone has its own. */
export const liveCarrierBaseUrl = 'https://api.twilio.com';

const defaultRequestTimeoutMs = 10_000;
/** Three hours of two channels, 345 MB, at half a megabyte per second; ends before the fetching function's timeout. */
const defaultMediaTimeoutMs = 13 * 60 * 1000;
const maxRedirects = 3;
/** Bounds the reading of lists; one destination has far fewer calls in the requested few minutes. */
const maxPages = 10;
const pageSize = 100;

/** For ending a call that has already ended: "call is not in-progress" (twilio.com/docs/api/errors/21220). */
const callNotInProgressCode = 21220;

/** Speaks Twilio's REST API (version 2010-04-01) to the live carrier or to the sandbox phone. */
export function createCarrierClient(options: CarrierClientOptions): CarrierClient {
  const { baseUrl, credentials } = options;
  const requestTimeoutMs = options.requestTimeoutMs ?? defaultRequestTimeoutMs;
  const mediaTimeoutMs = options.mediaTimeoutMs ?? defaultMediaTimeoutMs;
  const account = `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(credentials.accountSid)}`;
  const { restUser, restPassword } = credentials;
  const authorization = `Basic ${Buffer.from(`${restUser}:${restPassword}`).toString('base64')}`;

  async function send(
    operation: string,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    form?: URLSearchParams,
  ): Promise<unknown> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers: { Authorization: authorization, Accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(requestTimeoutMs),
        ...(form === undefined ? {} : { body: form }),
      });
      text = await response.text();
    } catch (error) {
      throw new CarrierError(classifyFailure(error), operation, { cause: error });
    }
    const body = parseJson(text);
    if (!response.ok) throw refusal(operation, response, body);
    return body;
  }

  async function deleteResource(operation: string, url: string): Promise<void> {
    try {
      await send(operation, 'DELETE', url);
    } catch (error) {
      if (!(error instanceof CarrierError) || error.kind !== 'not-found') throw error;
    }
  }

  async function readAll<Page extends { next_page_uri?: string | null | undefined }>(
    operation: string,
    firstUrl: string,
    schema: z.ZodMiniType<Page>,
  ): Promise<Page[]> {
    const pages: Page[] = [];
    let url: string | null = firstUrl;
    while (url !== null && pages.length < maxPages) {
      const page: Page = accept(operation, schema, await send(operation, 'GET', url));
      pages.push(page);
      // The carrier's next-page path starts at its root; our base URL may have a path of its own before it.
      url = page.next_page_uri ? nextPageUrl(operation, baseUrl, page.next_page_uri) : null;
    }
    return pages;
  }

  async function requestMedia(recordingSid: string, channels: 1 | 2): Promise<RecordingMedia> {
    const operation = 'fetch recording';
    const origin = new URL(baseUrl).origin;
    const signal = AbortSignal.timeout(mediaTimeoutMs);
    let url = new URL(
      `${account}/Recordings/${encodeURIComponent(recordingSid)}.wav?RequestedChannels=${channels}`,
    );
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      let response: Response;
      try {
        response = await fetch(url, {
          redirect: 'manual',
          signal,
          // Storage hosts have their own authorization in the URL and must not see ours.
          headers: url.origin === origin ? { Authorization: authorization } : {},
        });
      } catch (error) {
        throw new CarrierError(classifyFailure(error), operation, { cause: error });
      }
      if (response.ok && response.body !== null) {
        return { body: response.body, contentLength: plainContentLength(response) };
      }
      const answer = await response.text().catch(() => '');
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) {
        // A storage host's refusal says nothing about our configuration or the number of channels.
        if (url.origin !== origin) {
          throw new CarrierError(response.status === 404 ? 'not-found' : 'unknown', operation);
        }
        throw refusal(operation, response, parseJson(answer));
      }
      url = new URL(location, url);
      // Never fetches patient audio over plain HTTP because of a redirect.
      if (origin.startsWith('https:') && url.protocol !== 'https:') {
        throw new CarrierError('configuration', operation, { status: response.status });
      }
    }
    throw new CarrierError('unknown', operation);
  }

  return {
    async placeCall(call) {
      const form = new URLSearchParams({
        To: call.to,
        From: call.from,
        Url: call.answerUrl,
        Method: 'POST',
        FallbackUrl: call.fallbackUrl,
        FallbackMethod: 'POST',
        StatusCallback: call.statusUrl,
        StatusCallbackMethod: 'POST',
        // Runs beside the conversation, because detecting first would mean seconds of silence for the person who
        // answers. Keeps the carrier's defaults: 30 s in all, 5 s of silence, 2.4 s of speech without a pause
        // (twilio.com/docs/voice/answering-machine-detection).
        MachineDetection: 'Enable',
        AsyncAmd: 'true',
        AsyncAmdStatusCallback: call.amdUrl,
        AsyncAmdStatusCallbackMethod: 'POST',
        Timeout: String(call.ringSeconds),
        TimeLimit: String(call.maxTalkSeconds),
        // Events before the answer change nothing, and an answered call requests its document.
        StatusCallbackEvent: 'completed',
      });
      const operation = 'place call';
      return toCall(
        accept(operation, CallResponse, await send(operation, 'POST', `${account}/Calls.json`, form)),
      );
    },

    async endCall(callSid) {
      const form = new URLSearchParams({ Status: 'completed' });
      try {
        await send('end call', 'POST', `${account}/Calls/${encodeURIComponent(callSid)}.json`, form);
      } catch (error) {
        if (!(error instanceof CarrierError) || error.code !== callNotInProgressCode) throw error;
      }
    },

    async deleteCall(callSid) {
      const url = `${account}/Calls/${encodeURIComponent(callSid)}.json`;
      await deleteResource('delete call', url);
    },

    async getCall(callSid) {
      const operation = 'get call';
      const url = `${account}/Calls/${encodeURIComponent(callSid)}.json`;
      return toCall(accept(operation, CallResponse, await send(operation, 'GET', url)));
    },

    async listCalls({ to, from, since }) {
      const between = { To: to, From: from, PageSize: String(pageSize) };
      // A start-time filter may miss calls that have not started, so those are listed by status; first, so that one
      // starting in between is in the other list.
      const queries = [
        { ...between, Status: 'queued' },
        // The filter takes only whole days in UTC.
        { ...between, 'StartTime>': utcDay(since) },
      ];
      const found = new Map<string, CarrierCall>();
      for (const query of queries) {
        const url = `${account}/Calls.json?${new URLSearchParams(query)}`;
        for (const { calls } of await readAll('list calls', url, CallListResponse)) {
          for (const call of calls) found.set(call.sid, toCall(call));
        }
      }
      return [...found.values()];
    },

    async listRecordings(callSid) {
      const url = `${account}/Calls/${encodeURIComponent(callSid)}/Recordings.json?PageSize=${pageSize}`;
      const pages = await readAll('list recordings', url, RecordingListResponse);
      return pages.flatMap(({ recordings }) => recordings.map(toRecording));
    },

    async fetchRecordingMedia(recordingSid) {
      try {
        return await requestMedia(recordingSid, 2);
      } catch (error) {
        // The carrier refuses two channels when it recorded only one.
        if (!(error instanceof CarrierError) || error.status !== 400) throw error;
        return requestMedia(recordingSid, 1);
      }
    },

    async deleteRecording(recordingSid) {
      const url = `${account}/Recordings/${encodeURIComponent(recordingSid)}.json`;
      await deleteResource('delete recording', url);
    },

    async ownsNumber(phoneNumber) {
      const query = new URLSearchParams({ PhoneNumber: phoneNumber, PageSize: String(pageSize) });
      for (const resource of ['IncomingPhoneNumbers', 'OutgoingCallerIds']) {
        const url = `${account}/${resource}.json?${query}`;
        const pages = await readAll('list own numbers', url, NumberListResponse);
        const numbers = pages.flatMap((page) => [
          ...(page.incoming_phone_numbers ?? []),
          ...(page.outgoing_caller_ids ?? []),
        ]);
        // The filter also finds numbers that merely contain these digits.
        const isOwn = numbers.some(
          (own) => own.phone_number === phoneNumber && (own.capabilities?.voice ?? true),
        );
        if (isOwn) return true;
      }
      return false;
    },
  };
}
