/** Invokes a function with events: a poller of a queue or of a stream. */
export interface EventSource {
  /** Takes no more events. */
  stop(): void;
  /** Resolves when the running functions have ended. */
  settled(): Promise<void>;
  /** Resolves when no request to the source is open. */
  ended(): Promise<void>;
}
