import * as z from 'zod/mini';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import { invalidField, ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { liveHours, mostAttempts } from '#shared/domain/live-bounds.ts';
import { formatPath } from '#shared/domain/member-path.ts';
import { givenName } from '#shared/domain/names.ts';
import {
  alwaysOpen,
  CallingHours,
  CallPolicy,
  CountryCode,
  defaultCallPolicy,
  defaultMaxConcurrentCalls,
  defaultRedialPolicy,
  longestCallSeconds,
  type Project,
  RedialledResult,
  usualCountry,
} from '#shared/domain/project.ts';
import { TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import { AgentChanges, AgentProjectSettings, changeAgentSettings } from './agent-settings.ts';
import { CountryCodes, TimeZone, wholeNumber } from './setting-values.ts';

/** Maximum values of a project; beyond them, a number is taken for a typo. */
export const projectLimits = {
  nameCharacters: 100,
  attempts: mostAttempts,
  redialDelaySeconds: 30 * 24 * 60 * 60,
  concurrentCalls: 1000,
  recordingRetentionDays: 3650,
  retentionDays: 36_500,
  /** A minimum, so that retention cannot hide recent actions. */
  leastAuditRetentionDays: 365,
} as const;

const RedialPolicySettings = z.object({
  max_attempts: wholeNumber(1, projectLimits.attempts),
  delays_seconds: z
    .array(wholeNumber(0, projectLimits.redialDelaySeconds))
    .check(z.maxLength(projectLimits.attempts)),
  redialled_results: z.array(RedialledResult),
});

/** A shorter call achieves nothing. */
const leastCallSeconds = 60;

function secondsOfCall(least: number) {
  return wholeNumber(least, longestCallSeconds, `must be from ${least} to ${longestCallSeconds} seconds`);
}

const CallPolicySettings = z.extend(CallPolicy, {
  max_hold_seconds: secondsOfCall(1),
  shared_line_max_hold_seconds: secondsOfCall(1),
  max_call_seconds: secondsOfCall(leastCallSeconds),
});

/** The settings that the owner of a project controls. */
export const ProjectSettings = z.object({
  name: givenName(projectLimits.nameCharacters),
  enabled_task_types: z.array(TaskType),
  /** Caller ID of the project's calls. */
  caller_number: PhoneNumber,
  redial_policy: RedialPolicySettings,
  call_policy: CallPolicySettings,
  // Two-digit times of day sort as text.
  calling_hours: CallingHours.check(
    z.refine(({ opens, closes }) => opens < closes, 'must open before they close'),
  ),
  max_concurrent_calls: wholeNumber(1, projectLimits.concurrentCalls),
  recording_retention_days: z.nullable(wholeNumber(1, projectLimits.recordingRetentionDays)),
  /** How long tasks are kept after their end, and patients without tasks after they were last needed. */
  task_retention_days: z.nullable(wholeNumber(1, projectLimits.retentionDays)),
  patient_retention_days: z.nullable(wholeNumber(1, projectLimits.retentionDays)),
  audit_retention_days: z.nullable(
    wholeNumber(projectLimits.leastAuditRetentionDays, projectLimits.retentionDays),
  ),
  /** Whether nothing may be erased. */
  legal_hold: z.boolean(),
  /** Who calls, what may be disclosed, and with which model and voice. */
  agent: AgentProjectSettings,
  /** Country of numbers typed without one. */
  default_country: CountryCode,
  /** The dashboard's time zone; null for each reader's own. */
  time_zone: z.nullable(TimeZone),
  /** ISO 3166-1; null for all in the sandbox, and for those of the grant when live. */
  allowed_countries: z.nullable(CountryCodes),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** Partial settings, also within policies, calling hours and agent. */
export const ProjectChanges = z.extend(z.partial(ProjectSettings), {
  redial_policy: z.optional(z.partial(RedialPolicySettings)),
  call_policy: z.optional(z.partial(CallPolicySettings)),
  calling_hours: z.optional(z.partial(CallingHours)),
  agent: z.optional(AgentChanges),
});
export type ProjectChanges = z.infer<typeof ProjectChanges>;

const sixYears = 6 * 365;

/**
 * A new project's retention. HIPAA requires access records for six years (45 CFR 164.316(b)(2), 164.528(a)); results
 * are kept as long, recordings for one.
 */
export const defaultRetention = {
  recording_retention_days: 365,
  task_retention_days: sixYears,
  patient_retention_days: sixYears,
  audit_retention_days: sixYears,
} as const satisfies Partial<ProjectSettings>;

/** In the range reserved for fiction, which cannot be called back. */
const sandboxCallerNumber = '+12025550199';

/**
 * The settings of a new sandbox project, with defaults. Throws `invalid_request` with a sentence when they are
 * invalid.
 */
export function newProjectSettings(wishes: ProjectChanges & Pick<ProjectSettings, 'name'>): ProjectSettings {
  const usual: ProjectSettings = {
    name: wishes.name,
    enabled_task_types: [...taskTypes],
    caller_number: sandboxCallerNumber,
    redial_policy: defaultRedialPolicy,
    call_policy: defaultCallPolicy,
    calling_hours: alwaysOpen,
    max_concurrent_calls: defaultMaxConcurrentCalls,
    ...defaultRetention,
    legal_hold: false,
    agent: defaultAgentSettings,
    default_country: usualCountry,
    time_zone: null,
    allowed_countries: null,
  };
  return checked(ProjectSettings, merged(usual, wishes));
}

/** Names were once accepted unchecked, and must not prevent other changes. */
const StoredSettings = z.extend(ProjectSettings, {
  name: z.string(),
  agent: z.extend(AgentProjectSettings, {
    agent_name: z.nullable(z.string()),
    organization_name: z.nullable(z.string()),
  }),
});

/**
 * The settings with the changes, which `ProjectChanges` has checked; absent members stay unchanged. Throws
 * `invalid_request` with a sentence when the result is invalid.
 */
export function changeSettings(settings: ProjectSettings, changes: ProjectChanges): ProjectSettings {
  return checked(StoredSettings, merged(settings, changes));
}

function merged(settings: ProjectSettings, changes: ProjectChanges): unknown {
  return {
    ...settings,
    ...changes,
    redial_policy: { ...settings.redial_policy, ...changes.redial_policy },
    call_policy: { ...settings.call_policy, ...changes.call_policy },
    calling_hours: { ...settings.calling_hours, ...changes.calling_hours },
    agent: changeAgentSettings(settings.agent, changes.agent),
  };
}

function checked(schema: z.ZodMiniType<ProjectSettings>, wished: unknown): ProjectSettings {
  const { success, data, error } = schema.safeParse(wished);
  if (success) return withoutRepetitions(data);
  const [issue] = error.issues;
  throw invalidField(formatPath(issue?.path ?? []), sentence(issue));
}

function withoutRepetitions(settings: ProjectSettings): ProjectSettings {
  const { enabled_task_types, redial_policy, calling_hours } = settings;
  return {
    ...settings,
    enabled_task_types: [...new Set(enabled_task_types)],
    redial_policy: { ...redial_policy, redialled_results: [...new Set(redial_policy.redialled_results)] },
    calling_hours: { ...calling_hours, days: [...new Set(calling_hours.days)].sort((a, b) => a - b) },
  };
}

/**
 * Throws when the settings exceed the bounds of live projects: `forbidden` for what only an operator changes,
 * `invalid_request` for the others.
 */
export function checkLiveBounds(project: Project, settings: ProjectSettings): void {
  const { carrier, live_grant: grant } = project;
  if (carrier === 'sandbox') return;
  const { opens, closes } = settings.calling_hours;
  if (opens < liveHours.opens || closes > liveHours.closes) {
    throw invalidField(
      'calling_hours',
      `The calling hours of a live project must be within ${liveHours.opens} and ${liveHours.closes}`,
    );
  }
  if (settings.caller_number !== project.caller_number) {
    throw new ServiceError('forbidden', 'The caller number of a live project is changed by an operator');
  }
  if (grant === null) return;
  if (settings.max_concurrent_calls > grant.max_concurrent_calls) {
    throw invalidField(
      'max_concurrent_calls',
      `The project may make ${grant.max_concurrent_calls} concurrent calls at most`,
    );
  }
  if (settings.allowed_countries?.some((country) => !grant.countries.includes(country))) {
    throw invalidField('allowed_countries', `The project may call only ${grant.countries.join(', ')}`);
  }
}

/** A project created now. */
export function newProjectOf(settings: ProjectSettings, now: Date): Project {
  const createdAt = now.toISOString();
  return {
    id: uuidv7(now.getTime()),
    carrier: 'sandbox',
    ...settings,
    live_grant: null,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** By the path of the member. */
const spokenNames: Partial<Record<string, string>> = {
  caller_number: 'caller number',
  'redial_policy.max_attempts': 'number of attempts',
  'redial_policy.delays_seconds': 'delay before a redial, in seconds,',
  'call_policy.callback_number': 'callback number',
  'call_policy.max_hold_seconds': 'longest time on hold',
  'call_policy.shared_line_max_hold_seconds': 'longest time on hold on shared lines',
  'call_policy.max_call_seconds': 'longest call',
  calling_hours: 'calling hours',
  allowed_countries: 'countries that may be called',
  max_concurrent_calls: 'number of concurrent calls',
  recording_retention_days: 'number of days to keep recordings',
  default_country: 'default country',
  time_zone: 'time zone',
  task_retention_days: 'number of days to keep tasks',
  patient_retention_days: 'number of days to keep patients without tasks',
  audit_retention_days: 'number of days to keep the audit log',
  legal_hold: 'legal hold',
  'agent.agent_name': "agent's name",
  'agent.organization_name': "organization's name",
  'agent.callback_number': "agent's callback number",
  'agent.npi': 'NPI',
  'agent.tax_id': 'tax ID',
  'agent.disclosure': 'disclosure exception',
  'agent.voice': 'voice',
  'agent.language': 'language',
  'agent.speech_hints': 'speech hint',
};

/** The error, worded for people who do not know the member names. */
function sentence(issue: z.core.$ZodIssue | undefined): string {
  const [section, member] = issue?.path ?? [];
  if (section === 'calling_hours' && member !== undefined) {
    return 'The calling hours must be two times of day, HH:MM, and days of the week from 1 (Monday) to 7';
  }
  const path = typeof member === 'string' ? `${String(section)}.${member}` : String(section);
  return `The ${spokenNames[path] ?? path} ${issue?.message ?? 'is not valid'}`;
}
