/** Something that invokes a function with what comes up: a poller of a queue or of a stream. */
export interface EventSource {
  /** Takes nothing new. */
  stop(): void;
  /** Resolves when the functions that are at work have ended. */
  settled(): Promise<void>;
  /** Resolves when no request to the source is open any more. */
  ended(): Promise<void>;
}
