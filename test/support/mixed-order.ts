import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * They wait for most of their time, and a run would end by waiting for them alone. No more than the workers beside the
 * processors' own, or the processors wait, too.
 */
const longest = ['bench/measure-calls', 'end-to-end/long-hold'];

/**
 * Begins with the files that wait longest. Other integration tests wait, too: sorted by their durations they would all
 * wait at once, so they come in the order of a hash.
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(`test/${name}.test.ts`));
    const isIntegration = ({ project }: TestSpecification) => project.name === 'integration';
    const mixed = sorted
      .filter((file) => isIntegration(file) && !isLong(file))
      .map((file) => ({ file, place: this.hash(file) }))
      .toSorted((a, b) => a.place.localeCompare(b.place))
      .map(({ file }) => file);
    return [
      ...sorted.filter(isLong),
      ...mixed,
      ...sorted.filter((file) => !isLong(file) && !isIntegration(file)),
    ];
  }

  private hash({ moduleId }: TestSpecification): string {
    return createHash('sha256').update(relative(this.ctx.config.root, moduleId)).digest('hex');
  }
}
