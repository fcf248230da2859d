/** What the promise is rejected with; its value where it is not. */
export const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => error);
