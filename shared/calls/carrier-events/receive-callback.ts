import { type CallQueue, enqueueCallMessage } from '#shared/calls/call-queue.ts';
import { isEnded } from '#shared/calls/lifecycle/reduce-call.ts';
import {
  conversationDocument,
  farewellDocument,
  hangUpDocument,
  type SpeechSettings,
} from '#shared/carrier/answer-document.ts';
import { CallbackKind, inboundCallPath, parseCallback } from '#shared/carrier/callbacks.ts';
import { type CarrierSecretIds, findCarrier, loadNewestAuthToken } from '#shared/carrier/carriers.ts';
import { relayToken } from '#shared/carrier/relay-token.ts';
import { verifySignature } from '#shared/carrier/signature.ts';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import type { Call } from '#shared/domain/call.ts';
import type { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, log, logError } from '#shared/observability/log.ts';
import { followTrace } from '#shared/observability/trace.ts';
import { getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { getProject } from '#shared/table/project.ts';
import {
  type Farewell,
  farewellWords,
  parseFarewellHandoff,
} from '#shared/voice-agent/dialogue/farewells.ts';
import { answerInboundCall } from './answer-inbound-call.ts';

export interface CallbackServices {
  readonly table: Table;
  readonly queue: CallQueue;
  readonly secretIds: CarrierSecretIds;
  readonly publicBaseUrl: string;
  /** WebSocket address of the voice agent. */
  readonly relayUrl: string;
}

/** A callback as received; untrusted until its signature is verified. */
export interface ReceivedCallback {
  /** Below the public address, such as `/carrier/inbound`. */
  readonly path: string;
  readonly signature: string | undefined;
  readonly form: URLSearchParams;
}

/**
 * Handles a carrier callback: verifies that the call's carrier signed it, enqueues its report, and returns the
 * requested document, or null. Changes no call itself. Throws a `ServiceError`: 403 for an invalid signature, 404 for
 * an unknown path.
 */
export async function receiveCallback(
  services: CallbackServices,
  callback: ReceivedCallback,
): Promise<string | null> {
  const { path, signature, form } = callback;
  const url = `${services.publicBaseUrl}${path}`;
  const signer = await findCarrier(services.secretIds, (authTokens) =>
    verifySignature(authTokens, signature, url, form),
  );
  const source = sourceOf(path);
  if (signer === null) {
    if (signature !== undefined && source !== null) await noteRefusal(services, source, url);
    throw forbidden('refused');
  }
  if (path === inboundCallPath) return answerInboundCall(services, signer, form);
  if (source === null) throw new ServiceError('not_found', 'Not found');
  const { kind, taskId, callId } = source;
  annotateLog({ callback: kind, task_id: taskId, call_id: callId });
  const call = await getCall(services.table, taskId, callId);
  // A signature of the sandbox phone must never count for the live carrier.
  if (call !== null && call.carrier !== signer) throw forbidden('of-another-carrier');
  if (call !== null) followTrace(call);
  const event = parseCallback(kind, form);
  if (event === null) annotateLog({ callback_form: 'not-understood' });
  const report = { taskId, callId, event };
  switch (kind) {
    case 'status':
    case 'amd':
    case 'recording':
      // When the queue is unreachable, the carrier gets 500 and repeats the callback.
      await enqueueReport(services, report);
      return null;
    case 'answer': {
      const [document] = await Promise.all([
        answerCall(services, call, report),
        tryToEnqueueReport(services, report),
      ]);
      return document;
    }
    case 'relay-end':
      await tryToEnqueueReport(services, report);
      return sayAndHangUp(services, call, lastWords(event, form.get('HandoffData') ?? undefined));
  }
}

interface CallbackSource {
  readonly kind: CallbackKind;
  readonly taskId: string;
  readonly callId: string;
}

/** What a callback is about, by its path; null for an unknown path. */
function sourceOf(path: string): CallbackSource | null {
  const [, , kindText, taskText, callText, ...more] = path.split('/');
  const kind = CallbackKind.safeParse(kindText);
  const taskId = Uuid.safeParse(taskText);
  const callId = Uuid.safeParse(callText);
  if (!kind.success || !taskId.success || !callId.success || more.length > 0) return null;
  return { kind: kind.data, taskId: taskId.data, callId: callId.data };
}

/**
 * Strangers do not know the path of a call in progress, so an invalid signature there means that our address or token
 * differs from the carrier's.
 */
async function noteRefusal(
  { table }: CallbackServices,
  { kind, taskId, callId }: CallbackSource,
  url: string,
): Promise<void> {
  const call = await getCall(table, taskId, callId);
  if (call === null || isEnded(call)) return;
  annotateLog({ callback: kind, task_id: taskId, call_id: callId });
  log(alarmingEvents.carrierSignatureRefused, { addresses: url });
}

function forbidden(signature: string): ServiceError {
  annotateLog({ signature });
  return new ServiceError('forbidden', 'Forbidden');
}

interface Report {
  readonly taskId: string;
  readonly callId: string;
  readonly event: CarrierEvent | null;
}

async function enqueueReport(services: CallbackServices, { taskId, callId, event }: Report): Promise<void> {
  if (event === null) return;
  await enqueueCallMessage(services.queue, {
    kind: 'carrier-event',
    task_id: taskId,
    call_id: callId,
    event,
  });
}

/** For a callback that requests a document: a person is on the line, so the document does not depend on the queue. */
async function tryToEnqueueReport(services: CallbackServices, report: Report): Promise<void> {
  try {
    await enqueueReport(services, report);
  } catch (error) {
    logError('callback-not-passed-on', error);
  }
}

/**
 * Connects an answered call to the voice agent. Hangs up a call that is unknown, abandoned, placed twice by the
 * carrier, or whose task was canceled, because nothing would follow it.
 */
async function answerCall(
  services: CallbackServices,
  call: Call | null,
  { taskId, callId, event }: Report,
): Promise<string> {
  const isOurs =
    call !== null &&
    !isEnded(call) &&
    call.end_requested_at === null &&
    (call.carrier_call_sid === null || call.carrier_call_sid === event?.carrier_call_sid);
  const [authToken, speech] = isOurs
    ? await Promise.all([loadNewestAuthToken(services.secretIds, call.carrier), speechOf(services, call)])
    : [null, null];
  if (authToken === null || speech === null) {
    annotateLog({ answer: 'hung-up' });
    return hangUpDocument();
  }
  return conversationDocument({
    publicBaseUrl: services.publicBaseUrl,
    relayUrl: services.relayUrl,
    taskId,
    callId,
    token: relayToken(authToken, callId),
    speech,
  });
}

/** The project's voice settings; the defaults when they cannot be read, because a person is on the line. */
async function speechOf({ table }: CallbackServices, { project_id }: Call): Promise<SpeechSettings> {
  try {
    return (await getProject(table, project_id))?.agent ?? defaultAgentSettings;
  } catch (error) {
    logError('project-not-read', error);
    return defaultAgentSettings;
  }
}

/** What to say after the conversation; null for nothing. */
function lastWords(event: CarrierEvent | null, handoffData: string | undefined): Farewell | null {
  const session = event?.type === 'session-ended' ? event.session_status : null;
  switch (session) {
    case 'ended':
      return parseFarewellHandoff(handoffData);
    case 'failed':
      return { farewell: 'fault' };
    case 'completed':
    case null:
      return null;
  }
}

async function sayAndHangUp(
  services: CallbackServices,
  call: Call | null,
  farewell: Farewell | null,
): Promise<string> {
  const words = farewell === null ? null : farewellWords(farewell);
  if (words === null) return hangUpDocument();
  const speech = call === null ? defaultAgentSettings : await speechOf(services, call);
  return farewellDocument(words, speech, farewell?.farewell === 'voicemail' ? untilToneSeconds : 0);
}

/** From the last words of a mailbox's greeting to its tone. */
const untilToneSeconds = 2;
