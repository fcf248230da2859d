import * as z from 'zod/mini';
import { AgentSettings, defaultAgentSettings } from './agent-settings.ts';
import { Uuid } from './identifiers.ts';
import { LiveGrant } from './live-grant.ts';
import { TaskType } from './task-type.ts';
import { PhoneNumber, Timestamp } from './values.ts';

/** The telephone network of a project's calls; each has its own base URL and credentials. */
export const CarrierName = z.enum(['sandbox', 'live']);
export type CarrierName = z.infer<typeof CarrierName>;

/**
 * How a call can end without deciding its task: a status of the call, where SUCCESS is a conversation without a
 * definite answer.
 */
export const RedialledResult = z.enum(['BUSY', 'NO_ANSWER', 'VOICEMAIL', 'FAILED', 'CANCELLED', 'SUCCESS']);
export type RedialledResult = z.infer<typeof RedialledResult>;

/** When an undecided call is retried. */
export const RedialPolicy = z.object({
  /** Calls per task, including the first. */
  max_attempts: z.int().check(z.gte(1)),
  /** Wait before the second, third, … attempt; the last entry applies to all further ones. */
  delays_seconds: z.array(z.int().check(z.gte(0))),
  /** Results of a call that lead to a redial; any other undecided one fails the task. */
  redialled_results: z._default(z.array(RedialledResult), RedialledResult.options),
});
export type RedialPolicy = z.infer<typeof RedialPolicy>;

/** Time of day, `HH:MM`; `24:00` is the end of the day. */
const TimeOfDay = z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time, HH:MM'));

/** When a phone may ring, by the clock and calendar of the place called. */
export const CallingHours = z.object({
  opens: TimeOfDay,
  closes: TimeOfDay,
  /** Days of the week for calls: 1 is Monday, 7 is Sunday. */
  days: z.array(z.int().check(z.gte(1), z.lte(7))).check(z.minLength(1)),
  /** Whether calls are made on public holidays. */
  on_holidays: z.boolean(),
});
export type CallingHours = z.infer<typeof CallingHours>;

/** Simulated people do not sleep. */
export const alwaysOpen: CallingHours = {
  opens: '00:00',
  closes: '24:00',
  days: [1, 2, 3, 4, 5, 6, 7],
  on_holidays: true,
};

export const defaultCallingHours: CallingHours = { ...alwaysOpen, opens: '08:00', closes: '21:00' };

/** A country in capital letters, ISO 3166. */
export const CountryCode = z.string().check(z.regex(/^[A-Z]{2}$/, 'must be two capital letters'));
/** Default country of numbers written without one. */
export const usualCountry = 'US';

/** Default limit of a project's concurrent calls. */
export const defaultMaxConcurrentCalls = 10;

/** Default time limit of a call, unless project or destination say otherwise. */
export const usualCallSeconds = 75 * 60;
/** The most they may set: API Gateway closes the relay's WebSocket after two hours. */
export const longestCallSeconds = 110 * 60;

/** How a project's calls behave. */
export const CallPolicy = z.object({
  /** What to leave on a voicemail: a neutral message with a callback number, or nothing. */
  voicemail: z.enum(['leave-message', 'hang-up']),
  /** The number in that message; null for the caller number. */
  callback_number: z.nullable(PhoneNumber),
  /** A call on hold for longer is given up. */
  max_hold_seconds: z.int().check(z.gte(1)),
  /** The same for shared lines, whose queues are long. */
  shared_line_max_hold_seconds: z._default(z.int().check(z.gte(1)), 40 * 60),
  /** The carrier hangs up after this. */
  max_call_seconds: z._default(z.int().check(z.gte(1)), usualCallSeconds),
});
export type CallPolicy = z.infer<typeof CallPolicy>;

export const defaultCallPolicy: CallPolicy = {
  voicemail: 'leave-message',
  callback_number: null,
  max_hold_seconds: 20 * 60,
  shared_line_max_hold_seconds: 40 * 60,
  max_call_seconds: usualCallSeconds,
};

export const Project = z.object({
  id: Uuid,
  name: z.string(),
  carrier: CarrierName,
  enabled_task_types: z.array(TaskType),
  /** Caller ID of this project's calls. */
  caller_number: PhoneNumber,
  redial_policy: RedialPolicy,
  call_policy: z._default(CallPolicy, defaultCallPolicy),
  calling_hours: z._default(CallingHours, defaultCallingHours),
  /** Maximum concurrent calls. */
  max_concurrent_calls: z._default(z.int().check(z.gte(1)), defaultMaxConcurrentCalls),
  /** Recordings are deleted this many days after their call; null keeps them indefinitely. */
  recording_retention_days: z._default(z.nullable(z.int().check(z.gte(1))), null),
  /** Tasks, with their transcripts and results, are erased this many days after their end; null keeps them. */
  task_retention_days: z._default(z.nullable(z.int().check(z.gte(1))), null),
  /** Patients without tasks are erased this many days after they were last needed; null keeps them. */
  patient_retention_days: z._default(z.nullable(z.int().check(z.gte(1))), null),
  /** Audit log entries expire after this many days; null keeps them. */
  audit_retention_days: z._default(z.nullable(z.int().check(z.gte(1))), null),
  /** While enabled, nothing is erased and no recording deleted, on request or after retention. */
  legal_hold: z._default(z.boolean(), false),
  agent: z._default(AgentSettings, defaultAgentSettings),
  /** Country of numbers written without one on the dashboard's forms. The API accepts only E.164. */
  default_country: z._default(CountryCode, usualCountry),
  /** IANA name of the dashboard's time zone; null for each reader's own. */
  time_zone: z._default(z.nullable(z.string()), null),
  /** Countries that may be called, ISO 3166-1; null for all in the sandbox, and for those of the grant when live. */
  allowed_countries: z._default(z.nullable(z.array(z.string())), null),
  /** An operator's grant to a live project; null for a sandbox project. */
  live_grant: z._default(z.nullable(LiveGrant), null),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Project = z.infer<typeof Project>;

export const defaultRedialPolicy: RedialPolicy = {
  max_attempts: 3,
  delays_seconds: [300, 1800],
  redialled_results: RedialledResult.options,
};
