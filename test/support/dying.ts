import type { Table } from '#shared/table/client.ts';

/** Ends a function before one of its steps, leaving what a crash after the previous step leaves. */
export class Crash extends Error {}

/** Runs work until a step. */
export type Step = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets all steps before this one finish; 1 is the first. */
export function dyingAt(step: number): Step {
  let steps = 0;
  return (work) => {
    steps += 1;
    return steps < step ? work() : Promise.reject(new Crash());
  };
}

/** A table that counts each request as a step. */
export function dyingTable(table: Table, run: Step): Table {
  const { client } = table;
  return {
    ...table,
    client: new Proxy(client, {
      get: (target, name) =>
        name === 'send'
          ? (...args: Parameters<typeof client.send>) => run(async () => target.send(...args))
          : Reflect.get(target, name),
    }),
  };
}
