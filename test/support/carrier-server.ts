import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type CarrierClient, createCarrierClient } from '#shared/carrier/carrier-client.ts';
import { respondJson, type SeenRequest, startTestServer } from './http-server.ts';

const accountSid = `AC${'0'.repeat(31)}1`;

interface CallAtCarrier {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly answerUrl: string;
  readonly createdAt: Date;
  status: string;
  duration: string | null;
}

interface RecordingAtCarrier {
  readonly sid: string;
  readonly callSid: string;
  status: string;
  /** Whole seconds as text, as the carrier writes them; null while unknown. */
  duration: string | null;
  /** Null while the carrier responds 404 for it. */
  media: Buffer | null;
}

/**
 * The REST side of a carrier whose calls do nothing by themselves: tests set their state and failures. For
 * what the sandbox phone, which behaves, cannot show.
 */
export interface CarrierServer {
  readonly origin: string;
  readonly client: CarrierClient;
  readonly requests: SeenRequest[];
  readonly calls: CallAtCarrier[];
  readonly recordings: RecordingAtCarrier[];
  /** Caller numbers that the account may use. */
  readonly ownNumbers: string[];
  /** Handles the next requests: returns true for those that it has answered, or broken, itself. */
  interfere: (request: SeenRequest, response: ServerResponse) => boolean;
  /** Lets `act` answer, or break, the next requests to place a call. */
  onPlacement(act: (request: SeenRequest, response: ServerResponse) => void): void;
  /** The requests to place a call so far. */
  placements(): SeenRequest[];
  /** Accepts a call without answering its request, like a carrier whose response is lost. */
  acceptCall(request: SeenRequest): CallAtCarrier;
  addRecording(
    callSid: string,
    media: Buffer | null,
    status?: string,
    duration?: string | null,
  ): RecordingAtCarrier;
  stop(): Promise<void>;
}

export async function startCarrierServer(now: () => Date): Promise<CarrierServer> {
  const calls: CallAtCarrier[] = [];
  const recordings: RecordingAtCarrier[] = [];

  function acceptCall(request: SeenRequest): CallAtCarrier {
    const form = new URLSearchParams(request.body);
    const call = {
      sid: `CA${randomBytes(16).toString('hex')}`,
      to: form.get('To') ?? '',
      from: form.get('From') ?? '',
      answerUrl: form.get('Url') ?? '',
      createdAt: now(),
      status: 'queued',
      duration: null,
    };
    calls.unshift(call);
    return call;
  }

  function respond(request: SeenRequest, response: ServerResponse): void {
    if (carrier.interfere(request, response)) return;
    const url = new URL(request.url, 'http://carrier.test');
    const [resource = '', id = '', sub] = url.pathname.split('/').slice(4);
    const sid = id.replace(/\.(json|wav)$/, '');
    if (resource === 'Calls.json') {
      if (request.method === 'POST') respondJson(response, 201, shown(acceptCall(request)));
      else respondJson(response, 200, { calls: calls.filter((call) => isListed(call, url)).map(shown) });
      return;
    }
    if (resource === 'IncomingPhoneNumbers.json') {
      const numbers = carrier.ownNumbers.map((phone_number) => ({ phone_number }));
      respondJson(response, 200, { incoming_phone_numbers: numbers });
      return;
    }
    if (resource === 'OutgoingCallerIds.json') {
      respondJson(response, 200, { outgoing_caller_ids: [] });
      return;
    }
    if (resource === 'Calls' && sub === 'Recordings.json') {
      const ofCall = recordings.filter(({ callSid }) => callSid === sid);
      respondJson(response, 200, { recordings: ofCall.map(({ media: _, ...shownMembers }) => shownMembers) });
      return;
    }
    if (resource === 'Calls') {
      const call = calls.find((candidate) => candidate.sid === sid);
      if (call === undefined) {
        respondJson(response, 404, { code: 20404 });
        return;
      }
      if (request.method === 'DELETE') {
        calls.splice(calls.indexOf(call), 1);
        response.writeHead(204).end();
        return;
      }
      if (request.method === 'POST') call.status = 'completed';
      respondJson(response, 200, shown(call));
      return;
    }
    const position = recordings.findIndex((candidate) => candidate.sid === sid);
    const recording = recordings[position];
    if (recording === undefined) respondJson(response, 404, { code: 20404 });
    else if (request.method === 'DELETE') {
      recordings.splice(position, 1);
      response.writeHead(204).end();
    } else if (recording.media === null) respondJson(response, 404, { code: 20404 });
    else response.writeHead(200, { 'Content-Type': 'audio/x-wav' }).end(recording.media);
  }

  const server = await startTestServer(respond);
  const carrier: CarrierServer = {
    origin: server.origin,
    client: createCarrierClient({
      baseUrl: server.origin,
      credentials: { accountSid, restUser: accountSid, restPassword: 'token' },
      requestTimeoutMs: 5_000,
    }),
    requests: server.requests,
    calls,
    recordings,
    ownNumbers: [],
    interfere: () => false,
    onPlacement(act) {
      carrier.interfere = (request, response) => {
        if (!placesCall(request)) return false;
        act(request, response);
        return true;
      };
    },
    placements: () => server.requests.filter(placesCall),
    acceptCall,
    addRecording(callSid, media, status = 'completed', duration = null) {
      const recording = { sid: `RE${randomBytes(16).toString('hex')}`, callSid, status, duration, media };
      recordings.push(recording);
      return recording;
    },
    stop: server.stop,
  };
  return carrier;
}

function placesCall({ method, url }: SeenRequest): boolean {
  return method === 'POST' && url.endsWith('/Calls.json');
}

function isListed(call: CallAtCarrier, url: URL): boolean {
  const since = url.searchParams.get('StartTime>') ?? '';
  const status = url.searchParams.get('Status') ?? call.status;
  return (
    call.to === url.searchParams.get('To') &&
    call.from === url.searchParams.get('From') &&
    call.status === status &&
    // A waiting call has no start that a filter could find.
    (since === '' || (call.status !== 'queued' && call.createdAt.toISOString().slice(0, 10) >= since))
  );
}

function shown(call: CallAtCarrier): Record<string, unknown> {
  return {
    sid: call.sid,
    account_sid: accountSid,
    to: call.to,
    from: call.from,
    status: call.status,
    duration: call.duration,
    date_created: call.createdAt.toUTCString().replace('GMT', '+0000'),
    start_time: null,
  };
}
