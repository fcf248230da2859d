/*
 * A sandbox call runs faster than real time, so API Gateway's idle timeout of ten minutes must be scaled as well, or
 * it would never occur before a deployment.
 */

const idleSeconds = 600;
/** Real response times are not scaled, however fast calls run. */
const shortestIdleSeconds = 30;
/** The share of the idle time after which the service sends something: that of its default, 480 of 600 s. */
const keepAliveShare = 0.8;

export interface PacedIdle {
  /** Idle time after which the local gateway closes a socket. */
  readonly idleMs: number;
  /** Value of the template's parameter `RelayKeepAliveSeconds` to go with it. */
  readonly keepAliveSeconds: string;
}

/** @param pace real seconds per second of a sandbox call, from 0 to 1; text as a template parameter has it */
export function pacedIdle(pace: string | number | undefined): PacedIdle {
  const seconds = Math.max(shortestIdleSeconds, idleSeconds * Number(pace ?? 1));
  return { idleMs: seconds * 1000, keepAliveSeconds: String(Math.floor(seconds * keepAliveShare)) };
}
