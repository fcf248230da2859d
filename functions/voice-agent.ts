import { findCarrier } from '#shared/carrier/carriers.ts';
import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { warmable } from '#shared/triggers/warmable.ts';
import { relaySocket } from '#shared/triggers/websocket.ts';
import { configuredDialogueModels } from '#shared/voice-agent/dialogue/configured-model.ts';
import { openNoInputTimer } from '#shared/voice-agent/session/no-input-timer.ts';
import { openRelayConnections } from '#shared/voice-agent/session/relay-connections.ts';
import { relaySession } from '#shared/voice-agent/session/relay-session.ts';
import { manifest } from './manifests/voice-agent.ts';

const env = readEnvironment(manifest.environment);
const secretIds = {
  sandbox: env.SANDBOX_CARRIER_SECRET_ID,
  live: env.LIVE_CARRIER_SECRET_ID,
};

const models = configuredDialogueModels(env);

/** Holds the conversation: one invocation per frame of the carrier's relay. */
export const handler = warmable(
  relaySocket(
    relaySession(
      {
        table: openTable(env.TABLE_NAME),
        ...models,
        connections: openRelayConnections(env.RELAY_MANAGEMENT_URL),
        noInputTimer: openNoInputTimer(env.WATCH_QUEUE_URL, env.SILENCE_SECONDS),
        findCarrier: (holds) => findCarrier(secretIds, holds),
        now: () => new Date(),
        // Leaves time to store the turn within the function's timeout.
        longestTurnMs: 18_000,
      },
      env.RELAY_URL,
    ),
  ),
);
