import { phoneNumberText, toE164 } from '#shared/domain/written-phone-number.ts';
import { agentLimits } from '#shared/projects/agent-settings.ts';
import type { ProjectSettings } from '#shared/projects/project-settings.ts';
import { entriesOf } from './field-checks.ts';
import { textOf } from './form-values.ts';

/** The voice agent's settings as the form shows them: lists as text, absent values as empty text. */
export interface AgentForm {
  readonly agent_name: string;
  readonly organization_name: string;
  readonly on_behalf_of: string;
  readonly agent_callback_number: string;
  readonly npi: string;
  readonly tax_id: string;
  readonly disclosure_allow: string;
  readonly disclosure_deny: string;
  readonly language_model: string;
  readonly voice: string;
  readonly language: string;
  readonly speech_hints: string;
}

export type AgentField = keyof AgentForm;

export function toAgentForm({ agent }: Pick<ProjectSettings, 'agent'>): AgentForm {
  const { disclosure } = agent;
  return {
    agent_name: agent.agent_name ?? '',
    organization_name: agent.organization_name ?? '',
    on_behalf_of: agent.on_behalf_of,
    agent_callback_number: agent.callback_number === null ? '' : phoneNumberText(agent.callback_number),
    npi: agent.npi ?? '',
    tax_id: agent.tax_id ?? '',
    disclosure_allow: disclosure.allow.join(', '),
    disclosure_deny: disclosure.deny.join(', '),
    language_model: agent.language_model,
    voice: agent.voice ?? '',
    language: agent.language,
    speech_hints: agent.speech_hints.join('\n'),
  };
}

export function readAgentForm(form: FormData): AgentForm {
  const text = (name: AgentField): string => textOf(form, name);
  return {
    agent_name: text('agent_name'),
    organization_name: text('organization_name'),
    on_behalf_of: text('on_behalf_of'),
    agent_callback_number: text('agent_callback_number'),
    npi: text('npi'),
    tax_id: text('tax_id'),
    disclosure_allow: text('disclosure_allow'),
    disclosure_deny: text('disclosure_deny'),
    language_model: text('language_model'),
    voice: text('voice'),
    language: text('language'),
    // As browsers send line breaks.
    speech_hints: text('speech_hints').replaceAll('\r\n', '\n'),
  };
}

/** The form's values, for the settings schema to validate. @param country of numbers without one */
export function toAgentSettings(
  form: AgentForm,
  country: string,
): Record<keyof ProjectSettings['agent'], unknown> {
  return {
    agent_name: givenOrNull(form.agent_name),
    organization_name: givenOrNull(form.organization_name),
    on_behalf_of: form.on_behalf_of,
    callback_number: givenOrNull(toE164(form.agent_callback_number, country)),
    npi: givenOrNull(form.npi),
    tax_id: givenOrNull(form.tax_id),
    disclosure: {
      allow: entriesOf(form.disclosure_allow).map(disclosureName),
      deny: entriesOf(form.disclosure_deny).map(disclosureName),
    },
    language_model: form.language_model,
    voice: givenOrNull(form.voice),
    language: form.language,
    speech_hints: entriesOf(form.speech_hints),
  };
}

function givenOrNull(text: string): string | null {
  return text === '' ? null : text;
}

/** `Date of birth` is `date-of-birth`. */
function disclosureName(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, '-');
}

/** The field that shows a problem of these settings. */
export function agentFieldOf([member, part]: readonly PropertyKey[]): AgentField {
  switch (member) {
    case 'organization_name':
    case 'on_behalf_of':
    case 'npi':
    case 'tax_id':
    case 'language_model':
    case 'voice':
    case 'language':
    case 'speech_hints':
      return member;
    case 'callback_number':
      return 'agent_callback_number';
    case 'disclosure':
      return part === 'deny' ? 'disclosure_deny' : 'disclosure_allow';
    default:
      return 'agent_name';
  }
}

const listedNames = 'use names from the list below, such as member-id, separated by commas';

/** What each field requires, in our words. */
export const agentSentences: Readonly<Record<AgentField, string>> = {
  agent_name: `Enter an agent name of at most ${agentLimits.nameCharacters} visible characters, or none`,
  organization_name: `Enter an organization name of at most ${agentLimits.nameCharacters} visible characters, or none`,
  on_behalf_of: 'Choose who the agent calls on behalf of',
  agent_callback_number: 'Enter a callback number of the agent, such as (202) 555-0142, or leave it empty',
  npi: 'Enter a 10-digit NPI, and check it for typos',
  tax_id: 'Enter a 9-digit tax ID, such as 12-3456789',
  disclosure_allow: `For what may also be disclosed, ${listedNames}`,
  disclosure_deny: `For what must never be disclosed, ${listedNames}`,
  language_model: 'Choose a dialogue model',
  voice: 'Choose a voice from the list',
  language: 'Enter a language tag, such as en-US',
  speech_hints:
    `Enter at most ${agentLimits.speechHints} words or phrases ` +
    `of at most ${agentLimits.hintCharacters} characters`,
};
