/** Something wrong with a person's file: where in it, the rule, and what to do. */
export interface PersonaProblem {
  /** Members from the outside in, joined by dots; empty for the file as a whole. */
  readonly path: string;
  readonly rule: string;
  readonly remedy: string;
}
