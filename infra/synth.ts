import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { defaultBundlesDir } from './bundle.ts';
import { stageOf } from './constructs/stage.ts';
import { ServiceStack } from './service-stack.ts';

export interface SynthesisOptions {
  /** Where to write the cloud assembly; default: where the CDK command line asks for it, or a temporary folder. */
  readonly outDir?: string;
  /** The stage's name; default: `-c stage=…`, or `dev`. */
  readonly stage?: string;
  /** Which of `dev` and `prod` a stage of another name is like; default: `-c like=…`. */
  readonly like?: string;
  /** `on` or `off`; default: `-c sandboxPhone=…`, or the stage's default. */
  readonly sandboxPhone?: string;
  /** A number; default: `-c provisionedAgents=…`, or none. */
  readonly provisionedAgents?: string;
  /** Directory of the bundled functions. */
  readonly bundlesDir?: string;
  /** Whether to validate the template against CloudFormation's own rules, which takes most of the time. */
  readonly validate?: boolean;
}

export interface Synthesis {
  readonly assemblyDir: string;
  readonly templatePath: string;
}

/** Writes the template and its assets from existing bundles, without access to an AWS account. */
export function synthesize({
  outDir,
  stage,
  like,
  sandboxPhone,
  provisionedAgents,
  bundlesDir = defaultBundlesDir,
  validate = false,
}: SynthesisOptions = {}): Synthesis & { readonly stack: ServiceStack } {
  // The CDK reads this switch only from the environment.
  process.env.CDK_VALIDATION = String(validate);
  const app = new App({
    ...(outDir === undefined ? {} : { outdir: outDir }),
    analyticsReporting: false,
    treeMetadata: false,
    context: {
      ...CURRENTLY_RECOMMENDED_FLAGS,
      // Fails the synthesis on a broken rule instead of printing a warning.
      '@aws-cdk/core:validateAgainstDefaultRules': true,
    },
  });
  const chosen = stageOf(stage ?? app.node.tryGetContext('stage') ?? undefined, {
    like: like ?? app.node.tryGetContext('like') ?? undefined,
    sandboxPhone: sandboxPhone ?? app.node.tryGetContext('sandboxPhone') ?? undefined,
    provisionedAgents: provisionedAgents ?? app.node.tryGetContext('provisionedAgents') ?? undefined,
  });
  const stack = new ServiceStack(app, `VoiceAgentTasks-${chosen.name}`, { stage: chosen, bundlesDir });
  const assembly = app.synth();
  return {
    stack,
    assemblyDir: assembly.directory,
    templatePath: join(assembly.directory, stack.templateFile),
  };
}
