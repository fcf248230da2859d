import * as z from 'zod/mini';
import type { Method, Route } from '#shared/operations/operation.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import {
  PUBLIC_BASE_URL,
  SANDBOX_BUCKET,
  SANDBOX_CARRIER_SECRET_ID,
  SANDBOX_LINE_QUEUE_URL,
  SANDBOX_PHONE_CALLS_PER_SECOND,
  SANDBOX_TABLE_NAME,
} from '#shared/triggers/variables.ts';

/** The carrier's paths under this prefix, which replaces the carrier's host. */
export const sandboxCarrierPrefix = '/sandbox-phone';

export const manifest = {
  name: 'sandbox-phone-api',
  description: 'Sandbox phone: REST API of the simulated carrier',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Sandbox projects cannot place calls or fetch recordings; live projects are unaffected.',
  environment: z.object({
    SANDBOX_TABLE_NAME,
    SANDBOX_BUCKET,
    SANDBOX_LINE_QUEUE_URL,
    SANDBOX_CARRIER_SECRET_ID,
    PUBLIC_BASE_URL,
    SANDBOX_PHONE_CALLS_PER_SECOND,
  }),
  trigger: {
    kind: 'rest',
    routes: [
      route('POST', '/Calls.json', 'place a call.'),
      route('GET', '/Calls.json', 'list calls.'),
      route('GET', '/Calls/{call}', 'read a call.'),
      route('POST', '/Calls/{call}', 'end or cancel a call.'),
      route('DELETE', '/Calls/{call}', 'delete the record of an ended call.'),
      route('GET', '/Calls/{call}/Recordings.json', 'list the recordings of a call.'),
      route('POST', '/Calls/{call}/Recordings.json', 'start a recording; refused for relay calls.'),
      route('GET', '/Calls/{call}/Recordings/{recording}', 'read a recording of a call.'),
      route('DELETE', '/Calls/{call}/Recordings/{recording}', 'delete a recording of a call.'),
      route('GET', '/Recordings.json', 'list recordings.'),
      route('GET', '/Recordings/{recording}', 'read a recording, or its audio.'),
      route('DELETE', '/Recordings/{recording}', 'delete a recording.'),
      route('GET', '/IncomingPhoneNumbers.json', 'list the numbers of the account.'),
      route('GET', '/OutgoingCallerIds.json', 'list the verified caller IDs of the account.'),
    ],
  },
  uses: [
    'sandboxTable.write',
    'sandboxTable.delete',
    'sandboxRecordings.read',
    'sandboxRecordings.write',
    'sandboxRecordings.delete',
    'sandboxLineQueue.send',
    'sandboxCarrierSecret.read',
  ],
} as const satisfies FunctionManifest;

function route(method: Method, path: string, summary: string): Route {
  return {
    method,
    path: `${sandboxCarrierPrefix}/2010-04-01/Accounts/{account_sid}${path}`,
    authentication: 'basic',
    summary: `Sandbox phone: ${summary}`,
  };
}
