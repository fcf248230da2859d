import type { Call, CarrierProgress } from '#shared/domain/call.ts';
import { type AnotherCall, type CodeKind, type CodeMeaning, carrierCodes } from './carrier-codes.ts';

const anotherCallSentences: Record<AnotherCall, string> = {
  helps: 'Another call may get through.',
  'helps after that': 'Another call helps once that is done.',
  'does not help': 'Another call does not help.',
};

/** The meaning of a code, or null for an unknown one. */
export function meaningOf(kind: CodeKind, code: string): CodeMeaning | null {
  const codes = carrierCodes[kind];
  return Object.hasOwn(codes, code) ? (codes[code] ?? null) : null;
}

/** What the operator must do before further calls can succeed; null if nothing. */
export function operatorsRemedy({ carrier_error_code, session_error_code }: Call): CodeMeaning | null {
  for (const code of [carrier_error_code, session_error_code]) {
    const known = code === null ? null : meaningOf('error', code);
    if (known?.fails !== undefined) return known;
  }
  return null;
}

/** A code in plain words: what it means, what to do, and whether to call again. An unknown one stands alone. */
export function explainCode(kind: CodeKind, code: string): string {
  const known = meaningOf(kind, code);
  const name = `Carrier ${kind} ${code}`;
  if (known === null) return name;
  const { meaning, remedy, anotherCall } = known;
  return `${name}: ${[meaning, remedy, anotherCallSentences[anotherCall]].filter((part) => part !== null).join(' ')}`;
}

/** The unsuccessful final states, in the carrier's words. */
const failedAs: Partial<Record<CarrierProgress, string>> = {
  busy: 'busy',
  no_answer: 'no-answer',
  canceled: 'canceled',
  failed: 'failed',
};

/** Why an ended call failed by the carrier's account, one line each; empty if it did not. */
export function explainCall(call: Call): string[] {
  return codesOf(call).map(([kind, code]) => explainCode(kind, code));
}

/** Whether, by the carrier's account, another call to the number would fail as well. */
export function isFutile(call: Call): boolean {
  return codesOf(call).some(([kind, code]) => meaningOf(kind, code)?.anotherCall === 'does not help');
}

/** The carrier's codes for the failure of an ended call; its final state only when no code says more. */
function codesOf(call: Call): (readonly [CodeKind, string])[] {
  if (call.ended_at === null || call.status === 'SUCCESS' || call.status === 'VOICEMAIL') return [];
  const status = failedAs[call.carrier_progress];
  const { sip_response_code, carrier_error_code, session_error_code } = call;
  const codes = [
    ['SIP', status === undefined ? null : sip_response_code],
    ['error', carrier_error_code],
    ['error', session_error_code],
  ] as const;
  const known = codes.flatMap(([kind, code]) => (code === null ? [] : [[kind, code] as const]));
  return known.length > 0 || status === undefined ? known : [['status', status]];
}
