import * as z from 'zod/mini';
import { LanguageModel, OnBehalfOf } from '#shared/domain/agent-settings.ts';
import { givenName } from '#shared/domain/names.ts';
import { isNationalProviderIdentifier } from '#shared/domain/national-provider-identifier.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import { isDisclosureName } from '#shared/voice-agent/call-plan/disclosure-names.ts';

/** Limits of a project's agent settings. */
export const agentLimits = {
  nameCharacters: 100,
  speechHints: 100,
  hintCharacters: 60,
  disclosures: 100,
} as const;

/** Spoken by the agent and written into carrier documents. */
const Name = givenName(agentLimits.nameCharacters);

const SpeechHint = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(agentLimits.hintCharacters),
  // The carrier takes them as one comma-separated list.
  z.refine((text) => !/[,\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'must not contain commas or control characters'),
);

const disclosureRule =
  'must be a topic, such as member-id, or a disclosable field of the call plan, such as patient.email';
const Disclosures = z
  .array(z.string().check(z.refine(isDisclosureName, disclosureRule)))
  .check(z.maxLength(agentLimits.disclosures));

const languageRule = 'must be a language tag (BCP 47), such as en-US';
const Language = z
  .string()
  .check(z.overwrite(asWrittenByConvention), z.refine(isLanguageTag, languageRule), z.maxLength(35));

/** The owner's settings of the voice agent. */
export const AgentProjectSettings = z.object({
  agent_name: z.nullable(Name),
  organization_name: z.nullable(Name),
  on_behalf_of: OnBehalfOf,
  callback_number: z.nullable(PhoneNumber),
  npi: z.nullable(
    z
      .string()
      .check(
        z.refine(
          isNationalProviderIdentifier,
          'must be a National Provider Identifier: 10 digits with a valid check digit',
        ),
      ),
  ),
  tax_id: z.nullable(z.string().check(z.regex(/^\d{2}-?\d{7}$/, 'must have 9 digits, such as 12-3456789'))),
  disclosure: z.object({ allow: Disclosures, deny: Disclosures }),
  language_model: LanguageModel,
  voice: z.nullable(
    z
      .string()
      .check(
        z.regex(/^[A-Za-z][A-Za-z0-9-]{0,59}$/, 'must be a voice of Amazon Polly, such as Matthew-Neural'),
      ),
  ),
  language: Language,
  speech_hints: z.array(SpeechHint).check(z.maxLength(agentLimits.speechHints)),
});
type AgentProjectSettings = z.infer<typeof AgentProjectSettings>;

/** Partial settings; either list of disclosure exceptions may be given alone. */
export const AgentChanges = z.extend(z.partial(AgentProjectSettings), {
  disclosure: z.optional(z.partial(AgentProjectSettings.def.shape.disclosure)),
});
type AgentChanges = z.infer<typeof AgentChanges>;

/** The settings with the changes; absent members stay unchanged. */
export function changeAgentSettings(
  settings: AgentProjectSettings,
  changes: AgentChanges = {},
): Record<string, unknown> {
  return { ...settings, ...changes, disclosure: { ...settings.disclosure, ...changes.disclosure } };
}

/** `en-us` → `en-US`; an invalid tag stays unchanged. */
function asWrittenByConvention(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    return tag;
  }
}

/** Every language has a code of two or three letters; longer words merely look like tags. */
function isLanguageTag(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language.length <= 3;
  } catch {
    return false;
  }
}
