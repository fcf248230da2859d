/** The reason of the promise's rejection; its value if it is fulfilled. */
export const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => error);
