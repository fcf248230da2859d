import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { configuredDialogueModels } from '#shared/voice-agent/dialogue/configured-model.ts';
import { checkNoInput } from '#shared/voice-agent/session/check-no-input.ts';
import { NoInputMessage, openNoInputTimer } from '#shared/voice-agent/session/no-input-timer.ts';
import { openRelayConnections } from '#shared/voice-agent/session/relay-connections.ts';
import { manifest } from './manifests/no-input-timer.ts';

const env = readEnvironment(manifest.environment);
const services = {
  table: openTable(env.TABLE_NAME),
  ...configuredDialogueModels(env),
  connections: openRelayConnections(env.RELAY_MANAGEMENT_URL),
  noInputTimer: openNoInputTimer(env.WATCH_QUEUE_URL, env.SILENCE_SECONDS),
  now: () => new Date(),
  // Leaves time to store the turn within the function's timeout.
  longestTurnMs: 18_000,
  keepAliveMs: env.RELAY_KEEP_ALIVE_SECONDS * 1000,
};

/** Detects silence on a call, and holds that take too long. */
export const handler = queueWorker(NoInputMessage, (message) => checkNoInput(services, message));
