import * as z from 'zod/mini';

/** On whose behalf the agent calls: an office's, or the patient's. */
export const OnBehalfOf = z.enum(['provider', 'patient']);

/**
 * A project's dialogue model. `default` is the deployment's for live projects and the built-in one for sandbox
 * projects; `language-model` is the deployment's for both.
 */
export const LanguageModel = z.enum(['default', 'built-in', 'language-model']);

/** A project's settings for its agent. Everything has a default. */
export const AgentSettings = z.object({
  /** The name the assistant introduces itself with. */
  agent_name: z._default(z.nullable(z.string()), null),
  /** The organization for which it calls. */
  organization_name: z._default(z.nullable(z.string()), null),
  on_behalf_of: z._default(OnBehalfOf, 'patient'),
  /** E.164; null for the number in the voicemail message, else the caller number. Never the patient's. */
  callback_number: z._default(z.nullable(z.string()), null),
  /** The organization's. */
  npi: z._default(z.nullable(z.string()), null),
  tax_id: z._default(z.nullable(z.string()), null),
  /** Exceptions to what a task may disclose: topics or fields of facts, such as `email` or `patient.address`. */
  disclosure: z._default(
    z.object({ allow: z._default(z.array(z.string()), []), deny: z._default(z.array(z.string()), []) }),
    { allow: [], deny: [] },
  ),
  language_model: z._default(LanguageModel, 'default'),
  /** A voice of Amazon Polly, such as `Matthew-Neural`; null for the default. */
  voice: z._default(z.nullable(z.string()), null),
  /** BCP 47 */
  language: z._default(z.string(), 'en-US'),
  /** Words that speech recognition should expect. */
  speech_hints: z._default(z.array(z.string()), []),
});
export type AgentSettings = z.infer<typeof AgentSettings>;

export const defaultAgentSettings: AgentSettings = AgentSettings.parse({});
