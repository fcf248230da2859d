import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const file = fileURLToPath(new URL('../../shared/voice-agent/language/en-US/accuracy.json', import.meta.url));

const Share = z.number().min(0).max(1);
const Accuracy = z.record(
  z.string(),
  z.object({
    examples: z.number(),
    accuracy: Share,
    calibration_error: Share,
    labels: z.record(z.string(), z.object({ recall: Share, precision: Share })),
  }),
);
export type UnderstandingAccuracy = z.infer<typeof Accuracy>;

/**
 * How well the built-in model judges examples of families that it was not trained on, as measured by
 * `npm run train`.
 */
export async function readUnderstandingAccuracy(): Promise<UnderstandingAccuracy> {
  return Accuracy.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** One line for each head of the model, and one for each dialogue act. */
export function understandingTable(accuracy: UnderstandingAccuracy): string {
  const heads = Object.entries(accuracy).map(
    ([head, { examples, accuracy: share, calibration_error }]) =>
      `  ${head.padEnd(26)} ${percent(share)}  ${examples} examples, calibration error ${calibration_error.toFixed(3)}`,
  );
  const acts = Object.entries(accuracy.acts?.labels ?? {}).map(
    ([act, { recall, precision }]) =>
      `  ${act.padEnd(26)} ${percent(recall)} recall  ${percent(precision)} precision`,
  );
  return ['Understanding of unseen families of examples', ...heads, 'Dialogue acts', ...acts].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`.padStart(7);
}
