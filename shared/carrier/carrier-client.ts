import type * as z from 'zod/mini';
import {
  accept,
  CallListResponse,
  CallResponse,
  type CarrierCall,
  type CarrierRecording,
  NumberListResponse,
  nextPageUrl,
  parseJson,
  plainContentLength,
  RecordingListResponse,
  refusal,
  toCall,
  toRecording,
} from './carrier-answers.ts';
import { CarrierError, classifyFailure } from './carrier-error.ts';
import type { CarrierCredentials } from './credentials.ts';

interface RecordingMedia {
  readonly body: ReadableStream<Uint8Array>;
  /** Length announced for exactly these bytes, or null. */
  readonly contentLength: number | null;
}

interface CallToPlace {
  readonly to: string;
  readonly from: string;
  /** Asked when the call is answered. */
  readonly answerUrl: string;
  /** Asked when the document of the former does not come or cannot be carried out. */
  readonly fallbackUrl: string;
  /** Receives the progress of the call. */
  readonly statusUrl: string;
  /** Receives the verdict of answering-machine detection. */
  readonly amdUrl: string;
  readonly ringSeconds: number;
  readonly maxTalkSeconds: number;
}

/** The operations of the carrier that we need. Each one throws a `CarrierError` when it does not succeed. */
export interface CarrierClient {
  /** Not idempotent: after an error of kind `unknown` the telephone may be ringing. */
  placeCall(call: CallToPlace): Promise<CarrierCall>;
  /** Hangs up, whether it rings or talks. A call that has ended already is a success. */
  endCall(callSid: string): Promise<void>;
  /** Deletes the record of a call that has ended. One that is gone already is a success. */
  deleteCall(callSid: string): Promise<void>;
  /** Eventually consistent. */
  getCall(callSid: string): Promise<CarrierCall>;
  /**
   * Calls between these two numbers that wait at the carrier, or that it started on the day (UTC) of `since` or later;
   * eventually consistent.
   */
  listCalls(query: { to: string; from: string; since: Date }): Promise<CarrierCall[]>;
  listRecordings(callSid: string): Promise<CarrierRecording[]>;
  /** The audio as WAV, two channels where the carrier has them. `not-found` is normal just after the call. */
  fetchRecordingMedia(recordingSid: string): Promise<RecordingMedia>;
  /** A recording that is gone already is a success. */
  deleteRecording(recordingSid: string): Promise<void>;
  /**
   * Whether the account may call with this caller ID: a number that it has at the carrier for voice, or one that it has
   * verified (twilio.com/docs/phone-numbers/api/incomingphonenumber-resource,
   * twilio.com/docs/voice/api/outgoing-caller-ids).
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

/** Of the live carrier; the sandbox phone has its own. */
export const liveCarrierBaseUrl = 'https://api.twilio.com';

const defaultRequestTimeoutMs = 10_000;
/** Three hours of two channels, 345 MB, at half a megabyte a second; ends before the function that fetches it must. */
const defaultMediaTimeoutMs = 13 * 60 * 1000;
const maxRedirects = 3;
/** Bounds the reading of lists; one destination has far fewer calls in the few minutes that are asked for. */
const maxPages = 10;
const pageSize = 100;

/** Ends a call that has ended already: "call is not in-progress" (twilio.com/docs/api/errors/21220). */
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
      // The carrier gives the next page as a path from its root; our base may have a path of its own before it.
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
          // Storage hosts have their own authorization in the address; ours must not be shown to them.
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
        // What a storage host refuses says nothing about how we are configured, nor about how many channels there are.
        if (url.origin !== origin) {
          throw new CarrierError(response.status === 404 ? 'not-found' : 'unknown', operation);
        }
        throw refusal(operation, response, parseJson(answer));
      }
      url = new URL(location, url);
      // Audio of patients is never fetched in the clear because a redirect says so.
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
        // Beside the conversation, because detecting first means seconds of silence for the person who answers. How
        // long it may listen is left at what the carrier sets: 30 s in all, 5 s of silence, 2.4 s of speech without a
        // pause (twilio.com/docs/voice/answering-machine-detection).
        MachineDetection: 'Enable',
        AsyncAmd: 'true',
        AsyncAmdStatusCallback: call.amdUrl,
        AsyncAmdStatusCallbackMethod: 'POST',
        Timeout: String(call.ringSeconds),
        TimeLimit: String(call.maxTalkSeconds),
        // What comes before the answer changes nothing for anybody, and a call that is answered asks what to say.
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
      // Nothing says that a filter by start time finds a call that has not started, so those are asked for by their
      // status; and first, so that one that starts in between is in the other list.
      const queries = [
        { ...between, Status: 'queued' },
        // The filter knows whole days of UTC only.
        { ...between, 'StartTime>': since.toISOString().slice(0, 10) },
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
        // The filter also finds numbers that only contain these digits.
        const isOwn = numbers.some(
          (own) => own.phone_number === phoneNumber && (own.capabilities?.voice ?? true),
        );
        if (isOwn) return true;
      }
      return false;
    },
  };
}
