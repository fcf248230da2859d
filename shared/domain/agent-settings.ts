import * as z from 'zod/mini';

/** For whom the agent calls: an office, or the patient themselves. */
export const OnBehalfOf = z.enum(['provider', 'patient']);

/**
 * Which dialogue model holds a project's calls. `default` is the one of the deployment for live projects and
 * the built-in one for sandbox projects; `language-model` is the one of the deployment for both.
 */
export const LanguageModel = z.enum(['default', 'built-in', 'language-model']);

/**
 * What a project says about who calls and how its calls are held. Everything has a default, so that no
 * project needs any of it.
 */
export const AgentSettings = z.object({
  /** The name by which the assistant introduces itself. */
  agent_name: z._default(z.nullable(z.string()), null),
  /** The organization for which it calls. */
  organization_name: z._default(z.nullable(z.string()), null),
  on_behalf_of: z._default(OnBehalfOf, 'patient'),
  /** E.164; null for the number in the voicemail message, else the number that calls. Never the patient's. */
  callback_number: z._default(z.nullable(z.string()), null),
  /** Of the organization. */
  npi: z._default(z.nullable(z.string()), null),
  tax_id: z._default(z.nullable(z.string()), null),
  /** Exceptions to what a task may tell: topics or fields of facts, such as `email` or `patient.address`. */
  disclosure: z._default(
    z.object({ allow: z._default(z.array(z.string()), []), deny: z._default(z.array(z.string()), []) }),
    { allow: [], deny: [] },
  ),
  language_model: z._default(LanguageModel, 'default'),
  /** A voice of Amazon Polly, such as `Matthew-Neural`; null for the usual one. */
  voice: z._default(z.nullable(z.string()), null),
  /** BCP 47 */
  language: z._default(z.string(), 'en-US'),
  /** Words that speech recognition should expect. */
  speech_hints: z._default(z.array(z.string()), []),
});
export type AgentSettings = z.infer<typeof AgentSettings>;

export const defaultAgentSettings: AgentSettings = AgentSettings.parse({});
