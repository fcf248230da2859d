import type * as variables from '#shared/triggers/variables.ts';

/** Every variable that a manifest may name, and that the stack therefore must have a value for. */
export type VariableName = keyof typeof variables;
