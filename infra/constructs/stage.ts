import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib/core';

/** The stages that there are without saying more; every other one is like one of them. */
export type StageName = 'dev' | 'prod';

/** Everything in which the stages differ. */
export interface Stage {
  /** Part of the stack's name, so that an account and region may have several. */
  readonly name: string;
  readonly pointInTimeRecovery: boolean;
  readonly deletionProtection: boolean;
  /** What becomes of stored data when its resource leaves the template. */
  readonly dataRemoval: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** Whether copies of the audit log cannot be deleted, not even with the stack. */
  readonly auditLock: boolean;
  /** Whether people must have a second factor to sign in. */
  readonly requiresSecondFactor: boolean;
  /** Whether the simulated telephone network is deployed, too. */
  readonly sandboxPhone: boolean;
  /** Whether a firewall stands before it, unless a parameter says otherwise. */
  readonly webAcl: boolean;
  /** Whether data is backed up every day, unless a parameter says otherwise. */
  readonly backups: boolean;
  /** How many environments of `voice-agent` are kept started (provisioned concurrency). */
  readonly provisionedAgents: number;
}

/** What is chosen at synthesis, as the CDK's context has it. */
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
    // A first deployment that fails leaves nothing behind; afterwards everything stays.
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

/** As the stack's name and the REST API's path take it. */
const namePattern = /^[a-z][a-z0-9-]{0,19}$/;

/**
 * The stage of that name, `dev` when none is given, with the sandbox phone `on` or `off` where that is chosen. A
 * misspelt stage must not deploy something half protected, so one of another name says which of the two it is like.
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
  if (like !== undefined && like !== kind) throw new Error(`Stage ${name} is like no other one`);
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

/** The first part of the stack's own UUID, which tells names of one stack from those of another that was deleted. */
export function stackUuidStart(): string {
  const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return Fn.select(0, Fn.split('-', stackUuid));
}
