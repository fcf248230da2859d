import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib/core';

export type StageName = 'dev' | 'prod';

/** Everything in which the stages differ. */
export interface Stage {
  readonly name: StageName;
  readonly pointInTimeRecovery: boolean;
  readonly deletionProtection: boolean;
  /** What becomes of stored data when its resource leaves the template. */
  readonly dataRemoval: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** Whether copies of the audit log can be deleted by nobody, not even with the stack. */
  readonly auditLock: boolean;
  /** Whether people must have a second factor to sign in. */
  readonly requiresSecondFactor: boolean;
  /** Whether the simulated telephone network is deployed, too. */
  readonly sandboxPhone: boolean;
  /** Whether a firewall stands before it, unless a parameter says otherwise. */
  readonly webAcl: boolean;
  /** Whether data is backed up every day, unless a parameter says otherwise. */
  readonly backups: boolean;
}

const stages: Record<StageName, Stage> = {
  dev: {
    name: 'dev',
    pointInTimeRecovery: false,
    deletionProtection: false,
    dataRemoval: RemovalPolicy.DESTROY,
    logRetention: RetentionDays.ONE_WEEK,
    auditLock: false,
    requiresSecondFactor: false,
    sandboxPhone: true,
    webAcl: false,
    backups: false,
  },
  prod: {
    name: 'prod',
    pointInTimeRecovery: true,
    deletionProtection: true,
    // A first deployment that fails leaves nothing behind; afterwards everything stays.
    dataRemoval: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    logRetention: RetentionDays.ONE_YEAR,
    auditLock: true,
    requiresSecondFactor: true,
    sandboxPhone: false,
    webAcl: true,
    backups: true,
  },
};

/**
 * The stage of that name, `dev` when none is given, with the sandbox phone `on` or `off` where that is chosen. A misspelt
 * stage must not deploy something half protected.
 */
export function stageOf(name: unknown = 'dev', sandboxPhone?: unknown): Stage {
  if (name !== 'dev' && name !== 'prod') {
    throw new Error(
      `Unknown stage ${JSON.stringify(name)}: choose with -c stage=${Object.keys(stages).join(' or ')}`,
    );
  }
  if (sandboxPhone === undefined) return stages[name];
  if (sandboxPhone !== 'on' && sandboxPhone !== 'off') {
    throw new Error(`Unknown choice ${JSON.stringify(sandboxPhone)}: choose with -c sandboxPhone=on or off`);
  }
  return { ...stages[name], sandboxPhone: sandboxPhone === 'on' };
}

/** The first part of the stack's own UUID, which tells names of one stack from those of another that was deleted. */
export function stackUuidStart(): string {
  const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return Fn.select(0, Fn.split('-', stackUuid));
}
