import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { TaskType } from './task-type.ts';
import { PhoneNumber, Timestamp } from './values.ts';

/** Which telephone network a project's calls go through; each has its own base URL and credentials. */
export const CarrierName = z.enum(['sandbox', 'live']);
export type CarrierName = z.infer<typeof CarrierName>;

/** When a call that did not reach anyone is tried again. */
export const RedialPolicy = z.object({
  /** Calls per task, the first included. */
  max_attempts: z.int().check(z.gte(1)),
  /** Wait before the second, third, … attempt; the last entry serves for all further ones. */
  delays_seconds: z.array(z.int().check(z.gte(0))),
});
export type RedialPolicy = z.infer<typeof RedialPolicy>;

/** How calls of a project behave. */
export const CallPolicy = z.object({
  /** What a voicemail hears: a neutral message with a number to call back, or nothing. */
  voicemail: z.enum(['leave-message', 'hang-up']),
  /** The number in that message; null for the number that calls. */
  callback_number: z.nullable(PhoneNumber),
  /** A call that is put on hold for longer is given up. */
  max_hold_seconds: z.int().check(z.gte(1)),
});
export type CallPolicy = z.infer<typeof CallPolicy>;

export const defaultCallPolicy: CallPolicy = {
  voicemail: 'leave-message',
  callback_number: null,
  max_hold_seconds: 20 * 60,
};

export const Project = z.object({
  id: Uuid,
  name: z.string(),
  carrier: CarrierName,
  enabled_task_types: z.array(TaskType),
  /** Caller id of this project's calls. */
  caller_number: PhoneNumber,
  redial_policy: RedialPolicy,
  call_policy: z._default(CallPolicy, defaultCallPolicy),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Project = z.infer<typeof Project>;

export const defaultRedialPolicy: RedialPolicy = { max_attempts: 3, delays_seconds: [300, 1800] };
