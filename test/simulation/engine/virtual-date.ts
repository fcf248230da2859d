/** `Date` by another clock. */
export function virtualDate(nowMs: () => number, realDate: DateConstructor = Date): DateConstructor {
  const virtual: DateConstructor = new Proxy(realDate, {
    construct: (real, given, target) =>
      Reflect.construct(
        real,
        given.length === 0 ? [Math.floor(nowMs())] : given,
        target === virtual ? real : target,
      ),
    apply: (real) => new real(Math.floor(nowMs())).toString(),
    get: (real, name) => (name === 'now' ? () => Math.floor(nowMs()) : Reflect.get(real, name)),
  });
  return virtual;
}
