import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib/core';

/** The predefined stages; every other one is like one of them. */
export type StageName = 'dev' | 'prod';

/** All differences between stages. */
export interface Stage {
  /** Part of the stack's name, so that an account and region may have several. */
  readonly name: string;
  readonly pointInTimeRecovery: boolean;
  readonly deletionProtection: boolean;
  /** What happens to stored data when its resource leaves the template. */
  readonly dataRemoval: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** Whether copies of the audit log cannot be deleted, not even with the stack. */
  readonly auditLock: boolean;
  /** Whether sign-in requires a second factor. */
  readonly requiresSecondFactor: boolean;
  /** Whether the simulated telephone network is deployed, too. */
  readonly sandboxPhone: boolean;
  /** Whether a firewall protects it, unless a parameter says otherwise. */
  readonly webAcl: boolean;
  /** Whether data is backed up daily, unless a parameter says otherwise. */
  readonly backups: boolean;
  /** Provisioned concurrency of `voice-agent`. */
  readonly provisionedAgents: number;
}

/** Choices at synthesis, from the CDK's context. */
export interface StageChoices {
  readonly like?: unknown;
  readonly sandboxPhone?: unknown;
  readonly provisionedAgents?: unknown;
}

const stages: Record<StageName, Omit<Stage, 'name'>> = {
  dev: {
    pointInTimeRecovery: false,
    deletionProtection: false,
    dataRemoval: RemovalPolicy.DESTROY,
    logRetention: RetentionDays.ONE_WEEK,
    auditLock: false,
    requiresSecondFactor: false,
    sandboxPhone: true,
    webAcl: false,
    backups: false,
    provisionedAgents: 0,
  },
  prod: {
    pointInTimeRecovery: true,
    deletionProtection: true,
    // A failed first deployment deletes all but what is protected; afterwards everything is retained: docs/deploy.md.
    dataRemoval: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    logRetention: RetentionDays.ONE_YEAR,
    auditLock: true,
    requiresSecondFactor: true,
    sandboxPhone: false,
    webAcl: true,
    backups: true,
    provisionedAgents: 0,
  },
};

/** Valid in the stack's name and the REST API's path. */
const namePattern = /^[a-z][a-z0-9-]{0,19}$/;

/**
 * The stage of that name, `dev` by default, with the sandbox phone `on` or `off` if given. A stage of another name
 * must say which of the two it is like, so that a typo cannot deploy something half protected.
 */
export function stageOf(
  name: unknown = 'dev',
  { like, sandboxPhone, provisionedAgents = 0 }: StageChoices = {},
): Stage {
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw new Error(`Stage ${JSON.stringify(name)} must match ${namePattern.source}`);
  }
  const kind = isStageName(name) ? name : like;
  if (!isStageName(kind)) {
    throw new Error(`Stage ${JSON.stringify(name)} is like which one? Choose with -c like=dev or prod`);
  }
  if (like !== undefined && like !== kind) throw new Error(`Stage ${name} takes no -c like`);
  const stage = { ...stages[kind], name, provisionedAgents: Number(provisionedAgents) };
  if (!/^\d{1,3}$/.test(String(provisionedAgents))) {
    throw new Error(
      `-c provisionedAgents must be a number from 0 to 999, not ${JSON.stringify(provisionedAgents)}`,
    );
  }
  if (sandboxPhone === undefined) return stage;
  if (sandboxPhone !== 'on' && sandboxPhone !== 'off') {
    throw new Error(`Unknown choice ${JSON.stringify(sandboxPhone)}: choose with -c sandboxPhone=on or off`);
  }
  return { ...stage, sandboxPhone: sandboxPhone === 'on' };
}

function isStageName(name: unknown): name is StageName {
  return name === 'dev' || name === 'prod';
}

/** The first part of the stack's UUID, which distinguishes its names from those of a deleted stack. */
export function stackUuidStart(): string {
  const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return Fn.select(0, Fn.split('-', stackUuid));
}
