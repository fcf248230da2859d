import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  Effect,
  type IGrantable,
  type IPrincipal,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnFunction,
  CfnVersion,
  Code,
  EventInvokeConfig,
  type IFunction,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, type IResolvable, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { acknowledge, acknowledgeWildcard, type Reasons } from './acknowledge.ts';
import { alarmPeriod } from './alarms.ts';
import type { ServiceContext } from './service-context.ts';

/** Why a policy is inlined in a role, or shared by several. */
export const inlinePolicyReason: Reasons = {
  'HIPAA.Security-IAMNoInlinePolicy':
    'The policy belongs to this stack, is reviewed line by line in tests, and is deleted with what it grants.',
};

const lambdaReasons: Reasons = {
  'HIPAA.Security-LambdaConcurrency':
    'Gateway throttles and event source concurrency limit it; reserved concurrency would be taken from live calls.',
  'HIPAA.Security-LambdaDLQ':
    'The gateway waits for it; event sources have dead-letter queues if events can be lost; schedules rerun it.',
  'HIPAA.Security-LambdaInsideVPC':
    'It accepts no connections, and calls only public TLS endpoints of AWS, the carrier and clients.',
};

/** A Lambda function built from its bundle and manifest, with its own role, log group and alarm. */
export class ServiceFunction extends Construct implements IGrantable {
  readonly manifest: FunctionManifest;
  readonly lambda: LambdaFunction;
  readonly role: Role;
  /** Inlined in the role, because a separate policy would be another resource. */
  readonly #grants = new PolicyDocument();

  constructor(scope: Construct, context: ServiceContext, manifest: FunctionManifest) {
    const logicalId = pascalCase(manifest.name);
    super(scope, logicalId);
    this.manifest = manifest;

    const bundle = join(context.bundlesDir, manifest.name);
    if (!existsSync(join(bundle, 'index.js'))) {
      throw new Error(
        `No bundle of ${manifest.name}: functions/${manifest.name}.ts is missing or was not built`,
      );
    }

    const logGroup = new LogGroup(this, 'Logs', {
      encryptionKey: context.operationsKey,
      retention: context.stage.logRetention,
      removalPolicy: context.stage.dataRemoval,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Grants: this.#grants },
    });
    this.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);
    acknowledge(this.role, inlinePolicyReason);

    this.lambda = new LambdaFunction(this, 'Function', {
      description: manifest.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundle),
      handler: 'index.handler',
      // Separates metrics from the functions' logs by stage.
      environment: { STAGE: Stack.of(this).stackName },
      memorySize: manifest.memoryMb,
      timeout: Duration.seconds(manifest.timeoutSeconds),
      // Event sources would give it a second policy beside the role's.
      role: this.role.withoutPolicyUpdates(),
      logGroup,
      ...(manifest.allowsRecursion === true ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    });
    acknowledge(this.lambda, lambdaReasons);
    if (this.lambda.node.defaultChild instanceof CfnFunction) {
      this.lambda.node.defaultChild.overrideLogicalId(logicalId);
      // For the local stack; AWS ignores it.
      for (const [name, value] of [
        ['RequestsPerWorker', manifest.requestsPerWorker],
        ['OneRequestPerWorkerIf', manifest.oneRequestPerWorkerIf],
      ] as const) {
        if (value !== undefined) this.lambda.node.defaultChild.addMetadata(name, value);
      }
    }

    context.alarms.add(this, 'Failures', {
      metric: this.lambda.metricErrors({ period: alarmPeriod }),
      threshold: 1,
      meaning: manifest.failureMeans,
      stopsCalls: manifest.failureStopsCalls ?? false,
    });
  }

  get grantPrincipal(): IPrincipal {
    return this.role;
  }

  /** Sets the variables in the function's manifest. Throws if one has no value. */
  setEnvironment(values: Readonly<Record<string, string>>): void {
    for (const name of Object.keys(this.manifest.environment.shape)) {
      const value = values[name];
      if (value === undefined)
        throw new Error(`${this.manifest.name} reads ${name}, which the stack does not set`);
      this.lambda.addEnvironment(name, value);
    }
  }

  /** Reserves executions of the account. @param executions a number, or `AWS::NoValue` */
  reserve(executions: IResolvable): void {
    if (this.lambda.node.defaultChild instanceof CfnFunction) {
      this.lambda.node.defaultChild.addPropertyOverride('ReservedConcurrentExecutions', executions);
    }
  }

  /**
   * Publishes the function with provisioned concurrency; without any, callers invoke it directly. Every synthesis
   * makes a new version, because a version freezes parameter values even if nothing else has changed.
   */
  publish(provisioned: number, now = new Date()): IFunction {
    if (provisioned === 0) return this.lambda;
    const revision = now.toISOString().replaceAll(/\D/g, '');
    this.lambda.addEnvironment('REVISION', revision);
    const version = new CfnVersion(this, `Version${revision}`, {
      functionName: this.lambda.functionName,
      provisionedConcurrencyConfig: { provisionedConcurrentExecutions: provisioned },
    });
    // A retained version would keep costing.
    version.applyRemovalPolicy(RemovalPolicy.DESTROY);
    return LambdaFunction.fromFunctionAttributes(this, 'Published', {
      functionArn: version.ref,
      sameEnvironment: true,
    });
  }

  /** Drops an asynchronous invocation that fails, or that is throttled for a minute. */
  invokeAtMostOnce(): void {
    new EventInvokeConfig(this, 'Asynchronous', {
      function: this.lambda,
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
    });
  }

  /** @param mode `Active` or `PassThrough`: whether X-Ray samples requests without a caller's decision */
  trace(mode: IResolvable): void {
    if (this.lambda.node.defaultChild instanceof CfnFunction) {
      this.lambda.node.defaultChild.addPropertyOverride('TracingConfig', { Mode: mode });
    }
  }

  /** States why it may act on every resource that the pattern matches. */
  explainWildcard(resource: string, reason: string): void {
    acknowledgeWildcard(this.role, resource, reason);
  }

  grant(statement: PolicyStatement): void {
    this.#grants.addStatements(statement);
  }

  /** Allows exactly these actions on exactly these resources. */
  allow(actions: readonly string[], resources: readonly string[], viaService?: string): void {
    this.grant(
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: [...actions],
        resources: [...resources],
        ...(viaService === undefined
          ? {}
          : { conditions: { StringEquals: { 'kms:ViaService': viaService } } }),
      }),
    );
  }
}

/** `create-task` → `CreateTask`, the function's logical ID in the template. */
export function pascalCase(name: string): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
