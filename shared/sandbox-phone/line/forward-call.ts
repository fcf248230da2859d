import type { PersonaFile, Reach } from '../person/person-file.ts';
import { chanceBetween } from '../person/seeded.ts';
import { type Directory, personaAt } from '../personas/directory.ts';
import type { SandboxCall } from '../store/sandbox-call.ts';
import { countCallsBefore, putItem, type SandboxStore } from '../store/sandbox-store.ts';
import { type FinalStatus, newSid, rfc2822 } from '../wire.ts';
import type { LineContext } from './line-context.ts';
import type { DialOrder } from './twiml.ts';

/** Duration of a conversation that the service does not listen to. */
const talkMs = 20_000;

/** A person with varying reachability takes each caller's calls in turn. */
export async function reachOf(
  store: SandboxStore,
  { reach }: PersonaFile,
  call: SandboxCall,
): Promise<Reach> {
  if (typeof reach === 'string') return reach;
  const earlier = await countCallsBefore(store, call);
  return reach[earlier % reach.length] ?? 'answers';
}

/**
 * Rings the number of a `Dial`, lets the two talk if the call is answered, and stores it as a call of its own, like
 * the carrier. Returns the action callback's parameters (twilio.com/docs/voice/twiml/dial#request-parameters).
 */
export async function forwardCall(
  {
    store,
    directory,
    context,
  }: { readonly store: SandboxStore; readonly directory: Directory; readonly context: LineContext },
  { number, ringTimeoutSeconds }: DialOrder,
): Promise<Record<string, string>> {
  const { clock, passTime } = context;
  const beganAt = clock.now();
  const call: SandboxCall = {
    ...context.call,
    sid: newSid('CA'),
    parent_sid: context.call.sid,
    direction: 'outbound-dial',
    to: number,
    created_at: beganAt.toISOString(),
  };
  const file = personaAt(directory, number);
  const reach = await reachOf(store, file, call);
  const status = await ring(context, file, reach, { number, ringTimeoutSeconds });
  const answeredMs = clock.elapsedMs;
  if (status === 'completed') await passTime(talkMs);
  const talkSeconds = Math.round((clock.elapsedMs - answeredMs) / 1000);
  await putItem(store, {
    ...call,
    status,
    url: null,
    fallback_url: null,
    start_time: rfc2822(beganAt),
    end_time: rfc2822(clock.now()),
    duration_seconds: talkSeconds,
    is_final_reported: true,
    updated_at: clock.now().toISOString(),
  });
  return {
    DialCallSid: call.sid,
    DialCallStatus: status,
    ...(status === 'completed' ? { DialCallDuration: String(talkSeconds), DialBridged: 'true' } : {}),
  };
}

async function ring(
  { call, passTime }: LineContext,
  { ring_ms: [shortest, longest] }: PersonaFile,
  reach: Reach,
  { number, ringTimeoutSeconds }: DialOrder,
): Promise<FinalStatus> {
  await passTime(900);
  if (reach === 'not-in-service') return 'failed';
  if (reach === 'busy') return 'busy';
  const timeoutMs = ringTimeoutSeconds * 1000;
  const ringMs =
    reach === 'no-answer'
      ? Number.POSITIVE_INFINITY
      : chanceBetween(`${number} ${call.from}`, 'ring', shortest, longest);
  await passTime(Math.min(timeoutMs, ringMs));
  return ringMs > timeoutMs ? 'no-answer' : 'completed';
}
