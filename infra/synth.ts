import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { defaultBundlesDir } from './bundle.ts';
import { stageOf } from './constructs/stage.ts';
import { ServiceStack } from './service-stack.ts';

export interface SynthesisOptions {
  /** Where the cloud assembly is written; without it, where the CDK command line asks for it, or a temporary folder. */
  readonly outDir?: string;
  /** Its name; without it, what `-c stage=…` says, or `dev`. */
  readonly stage?: string;
  /** Which of `dev` and `prod` a stage of another name is like; without it, what `-c like=…` says. */
  readonly like?: string;
  /** `on` or `off`; without it, what `-c sandboxPhone=…` says, or as usual on the stage. */
  readonly sandboxPhone?: string;
  /** A number; without it, what `-c provisionedAgents=…` says, or none. */
  readonly provisionedAgents?: string;
  /** Where the bundled functions are. */
  readonly bundlesDir?: string;
  /** Whether the template is also held against CloudFormation's own rules, which takes most of the time. */
  readonly validate?: boolean;
}

export interface Synthesis {
  readonly assemblyDir: string;
  readonly templatePath: string;
}

/** Writes the template and its assets. Bundles must have been built; no AWS account is asked. */
export function synthesize({
  outDir,
  stage,
  like,
  sandboxPhone,
  provisionedAgents,
  bundlesDir = defaultBundlesDir,
  validate = false,
}: SynthesisOptions = {}): Synthesis & { readonly stack: ServiceStack } {
  // The CDK reads this switch from the environment only.
  process.env.CDK_VALIDATION = String(validate);
  const app = new App({
    ...(outDir === undefined ? {} : { outdir: outDir }),
    analyticsReporting: false,
    treeMetadata: false,
    context: {
      ...CURRENTLY_RECOMMENDED_FLAGS,
      // A rule that is broken fails the synthesis instead of being printed as a warning.
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
