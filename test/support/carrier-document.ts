import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * The carrier's own machine-readable description of its REST API is not ours to copy. It may lie beside the repository,
 * or `TWILIO_OPENAPI` names it; without it the checks against it say that they are skipped.
 */
const repository = fileURLToPath(new URL('../..', import.meta.url));
const documentPath =
  process.env.TWILIO_OPENAPI ?? resolve(repository, '..', 'shared', 'twilio-openapi-subset.json');

export const hasCarrierDocument = existsSync(documentPath);
export const skippedReason = hasCarrierDocument
  ? ''
  : '(skipped: TWILIO_OPENAPI names no description of the API)';

export function readCarrierDocument(): unknown {
  return JSON.parse(readFileSync(documentPath, 'utf8'));
}
