import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * They wait for most of their time, and a run would end by waiting for them alone. No more than the workers beside the
 * processors' own, or the processors wait, too.
 */
const longest = ['bench/measure-calls', 'end-to-end/long-hold'];

/** Begins with the longest files also where no earlier run has left how long each takes. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(`test/${name}.test.ts`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
