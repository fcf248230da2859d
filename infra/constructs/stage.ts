import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';

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
  },
  prod: {
    name: 'prod',
    pointInTimeRecovery: true,
    deletionProtection: true,
    dataRemoval: RemovalPolicy.RETAIN,
    logRetention: RetentionDays.ONE_YEAR,
    auditLock: true,
    requiresSecondFactor: true,
  },
};

/**
 * The stage of that name; `dev` when none is given. A misspelt stage must not deploy something half
 * protected.
 */
export function stageOf(name: unknown = 'dev'): Stage {
  if (name === 'dev' || name === 'prod') {
    return stages[name];
  }
  throw new Error(
    `Unknown stage ${JSON.stringify(name)}: choose with -c stage=${Object.keys(stages).join(' or ')}`,
  );
}
