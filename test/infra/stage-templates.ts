import type { StageName } from '../../infra/constructs/stage.ts';
import {
  type Resource,
  readableName,
  resourcesOfType,
  statementsOf,
  synthesized,
  type Template,
} from './synthesized.ts';

const templates = new Map<StageName, Template>();

/** Synthesizes both stages, for `templateOf` and `propertiesOfType`. */
export async function synthesizeStages(): Promise<void> {
  templates.set('dev', await synthesized('dev'));
  templates.set('prod', await synthesized('prod'));
}

export function templateOf(stage: StageName): Template {
  const template = templates.get(stage);
  if (template === undefined) throw new Error(`${stage} was not synthesized`);
  return template;
}

/** Readable name and properties of each resource of a type. */
export function propertiesOfType(
  type: string,
  stage: StageName = 'prod',
): [string, Resource['Properties']][] {
  return resourcesOfType(templateOf(stage), type).map(([id, { Properties }]) => [
    readableName(id),
    Properties,
  ]);
}

/** Whether a statement denies requests without TLS. */
export function refusesPlaintext(policyDocument: unknown): boolean {
  return statementsOf(policyDocument).some(
    ({ Effect, Condition }) => Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false',
  );
}
