import type { SimulationReport } from './simulation.ts';

/** A request to a worker process. */
export interface RunMessage {
  readonly seed: number;
  readonly tasks: number;
  readonly intensity: number;
  readonly lineLimit: number | null;
  readonly streamOutageHours: number;
  readonly isVerbose: boolean;
  /** Where the functions were built. */
  readonly stackDirectory: string;
  /** Where the embedded servers keep their data. */
  readonly dataDirectory: string;
}

/** Its response. */
export type RunResult =
  | { readonly kind: 'report'; readonly report: SimulationReport }
  /** The simulation itself has failed. */
  | { readonly kind: 'broken'; readonly seed: number; readonly error: string };
