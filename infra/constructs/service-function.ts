import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  Effect,
  type IGrantable,
  type IPrincipal,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnFunction,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { alarmPeriod } from './alarms.ts';
import type { ServiceContext } from './service-context.ts';

export interface ServiceFunctionProps {
  /** File in `functions/` without `.ts`; also the folder of its bundle. */
  readonly name: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** One sentence for the alarm on failing invocations: what users notice. */
  readonly failureMeans: string;
  /**
   * True for a function that sends to the queue it works from. Lambda would stop such a chain after about sixteen
   * rounds; here the state of the work item bounds it instead.
   */
  readonly feedsItself?: boolean;
}

/** A Lambda function from its bundle, with its own role, log group and alarm; its environment grows with what it may use. */
export class ServiceFunction extends Construct implements IGrantable {
  readonly name: string;
  readonly lambda: LambdaFunction;
  readonly role: Role;
  readonly timeoutSeconds: number;
  private readonly environment = new Map<string, string>();

  constructor(scope: Construct, context: ServiceContext, props: ServiceFunctionProps) {
    const logicalId = pascalCase(props.name);
    super(scope, logicalId);
    this.name = props.name;
    this.timeoutSeconds = props.timeoutSeconds;

    const bundle = join(context.bundlesDir, props.name);
    if (!existsSync(join(bundle, 'index.js'))) {
      throw new Error(`No bundle of ${props.name}: functions/${props.name}.ts is missing or was not built`);
    }

    const logGroup = new LogGroup(this, 'Logs', {
      retention: context.stage.logRetention,
      removalPolicy: context.stage.dataRemoval,
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(this.role);
    context.alarms.watch(this, logGroup);

    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundle),
      handler: 'index.handler',
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      role: this.role,
      logGroup,
      ...(props.feedsItself === true ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    });
    if (this.lambda.node.defaultChild instanceof CfnFunction) {
      this.lambda.node.defaultChild.overrideLogicalId(logicalId);
    }

    context.alarms.add(this, 'Failures', {
      metric: this.lambda.metricErrors({ period: alarmPeriod }),
      threshold: 1,
      meaning: props.failureMeans,
    });
  }

  get grantPrincipal(): IPrincipal {
    return this.role;
  }

  /** Adds a variable. Giving one a second value is a mistake in the stack, not an update. */
  setEnvironment(name: string, value: string): void {
    const present = this.environment.get(name);
    if (present !== undefined && present !== value) {
      throw new Error(`${this.name} already has another value for ${name}`);
    }
    this.environment.set(name, value);
    this.lambda.addEnvironment(name, value);
  }

  /** Lets the function do exactly these actions on exactly these resources. */
  allow(actions: readonly string[], resources: readonly string[], viaService?: string): void {
    this.role.addToPolicy(
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

/** `create-task` → `CreateTask`, so that a function is found in the template by its name. */
export function pascalCase(name: string): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
