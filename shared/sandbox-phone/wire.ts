import { randomBytes } from 'node:crypto';

/** A carrier's identifier: two letters and 32 hex digits. */
export function newSid(prefix: 'CA' | 'VX'): string {
  return prefix + randomBytes(16).toString('hex');
}

export const callSidPattern = /^CA[0-9a-fA-F]{32}$/;
export const recordingSidPattern = /^RE[0-9a-fA-F]{32}$/;

/** RFC 2822 as the carrier writes it: `Fri, 20 Nov 2026 15:04:05 +0000`. */
export function rfc2822(instant: Date): string {
  return instant.toUTCString().replace(/GMT$/, '+0000');
}

/** Statuses of the REST resource; `initiated` exists in callbacks only. */
export const callStatuses = [
  'queued',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'failed',
  'no-answer',
  'canceled',
] as const;
export type CallStatus = (typeof callStatuses)[number];

const finalStatuses = ['completed', 'busy', 'failed', 'no-answer', 'canceled'] as const;
export type FinalStatus = (typeof finalStatuses)[number];

export function isFinal(status: CallStatus): status is FinalStatus {
  return finalStatuses.some((final) => final === status);
}

/** Placed by the REST API, made to a number of the account, or forwarded by a document. */
export const callDirections = ['outbound-api', 'inbound', 'outbound-dial'] as const;

/** Detection verdicts, in the mode that does not wait for the end of a greeting. */
export const amdVerdicts = ['human', 'machine_start', 'fax', 'unknown'] as const;
export type AmdVerdict = (typeof amdVerdicts)[number];

export const statusEvents = ['initiated', 'ringing', 'answered', 'completed'] as const;
export type StatusEvent = (typeof statusEvents)[number];

/**
 * Whether the sandbox may call this address. It calls only this service: a person who can place a call must not be
 * able to make it fetch other addresses.
 */
export function isAtHome(url: string, publicBaseUrl: string): boolean {
  return url.startsWith(`${publicBaseUrl}/`) && URL.canParse(url) && !/[\s\\]/.test(url);
}
