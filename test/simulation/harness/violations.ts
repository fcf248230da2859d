/** A promise of the service that a run has shown to be broken. */
export interface Violation {
  readonly invariant: string;
  readonly detail: string;
  readonly taskIds: readonly string[];
  readonly at: string;
  /** The last things that happened to the task. */
  readonly history: readonly string[];
}
