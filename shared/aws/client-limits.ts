/** Limits of AWS clients, so that an unresponsive service does not hold a function until its timeout. */
export interface ClientLimits {
  /** Attempts per request, including the first. */
  readonly maxAttempts: number;
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly socketTimeout: number;
    readonly throwOnRequestTimeout: true;
  };
}

/** Long enough for a handshake; an unreachable host is given up sooner than a slow response. */
const connectWithinMs = 1_000;

/**
 * Three tries leave a ten-second function, the shortest, time to report its failure. The SDK repeats requests that
 * timed out, so a write may find itself applied by an earlier try: transactions carry a token, and
 * `recognizeOwnWrites` handles other writes.
 *
 * @param requestMs until the response begins, and for each pause in its body
 */
export function clientLimits(requestMs = 2_500, tries = 3): ClientLimits {
  return {
    maxAttempts: tries,
    requestHandler: {
      connectionTimeout: Math.min(connectWithinMs, requestMs),
      requestTimeout: requestMs,
      socketTimeout: requestMs,
      throwOnRequestTimeout: true,
    },
  };
}

/** For a message that must not delay a response: its content is already in the table. */
export const failFastLimits = (): ClientLimits => clientLimits(1_500, 2);

/** For objects: eight megabytes take a while, and only functions that run for at least a minute move them. */
export const objectLimits = (): ClientLimits => clientLimits(10_000);
