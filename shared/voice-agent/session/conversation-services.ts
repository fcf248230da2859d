import type { CarrierName } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import type { DialogueModels } from '../dialogue/choose-model.ts';
import type { NoInputTimer } from './no-input-timer.ts';
import type { RelayConnections } from './relay-connections.ts';

/** The services of a conversation. */
export interface ConversationServices extends DialogueModels {
  readonly table: Table;
  readonly connections: RelayConnections;
  readonly noInputTimer: NoInputTimer;
  readonly now: () => Date;
  /** A model that exceeds this time in a turn is stopped, and the turn is its words until then. */
  readonly longestTurnMs: number;
}

/** Further services for watching a conversation. */
export interface WatchServices extends ConversationServices {
  /** How long a socket may be idle before a keep-alive, in milliseconds. */
  readonly keepAliveMs: number;
}

/** Further services for admitting a carrier session. */
export interface RelayServices extends ConversationServices {
  /** The carrier of ours with an auth token for which `holds` is true, or null. */
  readonly findCarrier: (holds: (authTokens: readonly string[]) => boolean) => Promise<CarrierName | null>;
}
