/**
 * What an AWS client is opened with, so that a service that does not answer holds no function until its time is over.
 */
export interface ClientLimits {
  /** Of each request, the first one included. */
  readonly maxAttempts: number;
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly socketTimeout: number;
    readonly throwOnRequestTimeout: true;
  };
}

/** Long enough for a handshake; a host that is gone is given up sooner than a slow answer. */
const connectWithinMs = 1_000;

/**
 * Three tries leave a function of ten seconds, the shortest there is, time to say that it failed. The SDK repeats
 * requests that timed out, so writes are found applied by an earlier try: transactions carry a token, and
 * `recognizeOwnWrites` knows the others.
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

/** For a message that must not hold up whoever waits for an answer: what it tells is already safe in the table. */
export const failFastLimits = (): ClientLimits => clientLimits(1_500, 2);

/** For objects: eight megabytes take a while, and only functions that run for a minute and more move them. */
export const objectLimits = (): ClientLimits => clientLimits(10_000);
