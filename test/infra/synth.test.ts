import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { App, Stack } from 'aws-cdk-lib/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifest } from '../../functions/manifests/create-task.ts';
import { builtAssembly } from '../../infra/assembly.ts';
import { bundleFunctions, defaultBundlesDir } from '../../infra/bundle.ts';
import { Alarms } from '../../infra/constructs/alarms.ts';
import { ServiceFunction } from '../../infra/constructs/service-function.ts';
import { stageOf } from '../../infra/constructs/stage.ts';
import { synthesize } from '../../infra/synth.ts';

const temporary = mkdtempSync(join(tmpdir(), 'voice-agent-synth-'));
beforeAll(async () => {
  await bundleFunctions();
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe('synthesis', () => {
  test('breaks none of the rules of CloudFormation, and gives the same template every time', async () => {
    // The rules take most of the time, and are broken by the same template always or never.
    for (const sandboxPhone of ['on', 'off'] as const) {
      const outDir = join(temporary, `validated-${sandboxPhone}`);
      const { templatePath } = synthesize({ outDir, stage: 'prod', sandboxPhone, validate: true });
      const kept = await builtAssembly('prod', sandboxPhone);
      expect(readFileSync(kept.templatePath, 'utf8')).toBe(readFileSync(templatePath, 'utf8'));
    }
  });

  test('refuses a stage it does not know', () => {
    expect(() => synthesize({ outDir: join(temporary, 'typo'), stage: 'production' })).toThrow(
      'Unknown stage "production": choose with -c stage=dev or prod',
    );
  });

  test('names the function whose bundle is missing', () => {
    const bundlesDir = join(temporary, 'no-bundles');
    mkdirSync(bundlesDir);
    expect(() => synthesize({ outDir: join(temporary, 'none'), bundlesDir })).toThrow(
      /No bundle of [a-z-]+: functions\/[a-z-]+\.ts is missing or was not built/,
    );
  });
});

describe('constructs refuse mistakes', () => {
  function stackWithAlarms() {
    const stack = new Stack(new App({ outdir: join(temporary, 'constructs') }), 'Stack');
    return { stack, alarms: new Alarms(stack, 'Alarms') };
  }

  test('an alarm cannot be made without a sentence that says what it means', () => {
    const { stack, alarms } = stackWithAlarms();
    const metric = new Metric({ namespace: 'Test', metricName: 'Faults' });
    for (const meaning of ['', 'errors', 'errors happened in the function somewhere.']) {
      expect(() => alarms.add(stack, 'Alarm', { metric, threshold: 1, meaning })).toThrow(/needs a sentence/);
    }
  });

  test('a function cannot be made without a value for a variable that it reads', () => {
    const { stack, alarms } = stackWithAlarms();
    const context = { stage: stageOf('dev'), alarms, bundlesDir: defaultBundlesDir };
    const fn = new ServiceFunction(stack, context, manifest);
    const values = { TABLE_NAME: 'one', CALL_QUEUE_URL: 'two' };
    expect(() => fn.setEnvironment(values)).toThrow(
      'create-task reads PROJECT_REQUESTS_PER_SECOND, which the stack does not set',
    );
  });
});
