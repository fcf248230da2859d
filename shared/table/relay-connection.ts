import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import { ExpiresAtSeconds, expiresIn, isExpired } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemPut } from './transaction-items.ts';

/** Which call a WebSocket connection of the carrier's relay belongs to. Written once, at `setup`. */
export const RelayConnection = z.object({
  connection_id: z.string(),
  call_id: Uuid,
  task_id: Uuid,
  expires_at_seconds: ExpiresAtSeconds,
});
export type RelayConnection = z.infer<typeof RelayConnection>;

/** API Gateway closes a WebSocket connection after 2 h at the latest. */
const connectionLifetimeSeconds = 2 * 60 * 60;

function relayConnectionKey(connectionId: string): PrimaryKey {
  return { pk: `CONNECTION#${connectionId}`, sk: 'CONNECTION' };
}

export function createRelayConnectionItem(
  table: Table,
  connection: { connection_id: string; call_id: string; task_id: string },
  nowMs: number,
): TransactionItem {
  return itemPut(
    table,
    {
      ...relayConnectionKey(connection.connection_id),
      type: 'relay-connection',
      ...connection,
      ...expiresIn(connectionLifetimeSeconds, nowMs),
    },
    isNew,
  );
}

export async function getRelayConnection(
  table: Table,
  connectionId: string,
  nowMs: number,
): Promise<RelayConnection | null> {
  const connection = await getItem(table, relayConnectionKey(connectionId), RelayConnection.parse);
  return connection === null || isExpired(connection, nowMs) ? null : connection;
}
