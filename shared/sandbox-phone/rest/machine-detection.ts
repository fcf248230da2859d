import type { MachineDetection } from '../store/sandbox-call.ts';
import { invalidParameter, RestError } from './rest-error.ts';

/**
 * The answering-machine detection that a create request asks for, or null. Validated like at the carrier
 * (twilio.com/docs/api/errors/21234). Also refuses what the simulated network does not play: detection that delays the
 * answer, and detection that waits for the end of a greeting.
 *
 * @param callback receives the verdict; without one it is only on the call
 */
export function readMachineDetection(
  form: URLSearchParams,
  callback: MachineDetection['callback'],
  callbackMethod: MachineDetection['callback_method'],
): MachineDetection | null {
  const kind = form.get('MachineDetection') ?? '';
  if (kind === '') return null;
  if (kind === 'DetectMessageEnd')
    throw invalidParameter('The sandbox phone supports MachineDetection=Enable only');
  if (kind !== 'Enable') throw invalidDetection('MachineDetection must be Enable or DetectMessageEnd');
  if (form.get('AsyncAmd')?.toLowerCase() !== 'true') {
    throw invalidParameter('The sandbox phone supports MachineDetection with AsyncAmd=true only');
  }
  const timeoutSeconds = within(form, 'MachineDetectionTimeout', 30, 3, 59);
  // A declared person has no length of speech to measure, so these two are checked and change nothing.
  within(form, 'MachineDetectionSpeechThreshold', 2400, 1000, 6000);
  within(form, 'MachineDetectionSpeechEndThreshold', 1200, 500, 5000);
  return {
    callback,
    callback_method: callbackMethod,
    timeout_ms: timeoutSeconds * 1000,
    silence_timeout_ms: within(form, 'MachineDetectionSilenceTimeout', 5000, 2000, 10_000),
  };
}

function within(form: URLSearchParams, name: string, standard: number, low: number, high: number): number {
  const text = form.get(name) ?? '';
  if (text === '') return standard;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= low && value <= high)) throw invalidDetection(`${name} must be between ${low} and ${high}`);
  return value;
}

function invalidDetection(message: string): RestError {
  return new RestError(400, 21234, message);
}
