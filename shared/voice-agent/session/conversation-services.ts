import type { CarrierName } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import type { DialogueModels } from '../dialogue/choose-model.ts';
import type { NoInputTimer } from './no-input-timer.ts';
import type { RelayConnections } from './relay-connections.ts';

/** What a conversation is held with. */
export interface ConversationServices extends DialogueModels {
  readonly table: Table;
  readonly connections: RelayConnections;
  readonly noInputTimer: NoInputTimer;
  readonly now: () => Date;
  /** A model that takes longer for a turn is stopped, and the turn is what was said by then. */
  readonly longestTurnMs: number;
}

/** What else it takes to watch a conversation. */
export interface WatchServices extends ConversationServices {
  /** How long a socket may be idle before something is sent over it, in milliseconds. */
  readonly keepAliveMs: number;
}

/** What else it takes to let a session of the carrier in. */
export interface RelayServices extends ConversationServices {
  /** The carrier of ours that has an auth token for which `holds` is true, or null. */
  readonly findCarrier: (holds: (authTokens: readonly string[]) => boolean) => Promise<CarrierName | null>;
}
