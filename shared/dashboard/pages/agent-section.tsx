import { FactTopic } from '#shared/voice-agent/call-plan/call-plan.ts';
import type { AgentForm } from '../forms/agent-form.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { type Choice, Choices, fieldsOf, Select, TextArea, TextField } from '../layout/fields.tsx';

export const callers: readonly Choice[] = [
  { value: 'patient', label: 'The patient' },
  { value: 'provider', label: "The provider's office" },
];

export const models: readonly Choice[] = [
  {
    value: 'default',
    label: 'Default',
    hint: 'Live calls use this deployment’s model, sandbox calls the built-in model.',
  },
  { value: 'built-in', label: 'Built-in model', hint: 'Nothing leaves the service.' },
  { value: 'language-model', label: 'Language model', hint: 'If this deployment has one.' },
];

/** Voices of Amazon Polly that speak English. */
const voices: readonly Choice[] = [
  { value: '', label: 'Default' },
  ...['Danielle', 'Joanna', 'Kendra', 'Kimberly', 'Ruth', 'Salli'].map((name) => voice(name, 'woman, en-US')),
  ...['Gregory', 'Joey', 'Matthew', 'Stephen'].map((name) => voice(name, 'man, en-US')),
  ...['Amy', 'Emma'].map((name) => voice(name, 'woman, en-GB')),
  ...['Arthur', 'Brian'].map((name) => voice(name, 'man, en-GB')),
];

function voice(name: string, description: string): Choice {
  return { value: `${name}-Neural`, label: `${name} (${description})` };
}

/** A voice that the management API has set is offered, too. */
function voiceOptions(chosen: string): readonly Choice[] {
  const isOffered = voices.some(({ value }) => value === chosen);
  return isOffered ? voices : [...voices, { value: chosen, label: chosen }];
}

interface AgentSectionProps {
  readonly values: AgentForm;
  readonly errors: FieldErrors;
}

/** Project Settings > General > Voice agent. */
export function AgentSection({ values, errors }: AgentSectionProps) {
  const field = fieldsOf(values, errors);
  return (
    <section class="card">
      <h2>Voice agent</h2>
      <TextField {...field('agent_name')} label="Agent name" hint="How it introduces itself." />
      <TextField
        {...field('organization_name')}
        label="Organization"
        hint="Said in the introduction and in voicemails."
      />
      <Choices kind="radio" {...field('on_behalf_of')} label="Calls on behalf of" inRow choices={callers} />
      <TextField
        {...field('agent_callback_number')}
        label="Callback number"
        hint="Given on request. Leave empty to use the number from Voicemail and hold."
        type="tel"
      />
      <TextField {...field('npi')} label="NPI" hint="10 digits." short inputMode="numeric" />
      <TextField {...field('tax_id')} label="Tax ID" hint="For example, 12-3456789." short />
      <TextField
        {...field('disclosure_allow')}
        label="May also be disclosed"
        hint="Beyond what the task needs. Separate with commas: email, patient.address"
      />
      <TextField
        {...field('disclosure_deny')}
        label="Must never be disclosed"
        hint="Separate with commas: member-id, date-of-birth"
      />
      <details>
        <summary class="more">What you can name</summary>
        <p class="hint">{`${FactTopic.options.join(', ')}.`}</p>
        <p class="hint">
          Or one field of the patient or the task, such as patient.email. “other” covers what your software
          adds to a task.
        </p>
      </details>
      <Choices kind="radio" {...field('language_model')} label="Dialogue model" choices={models} />
      <Select
        {...field('voice')}
        label="Voice"
        hint="It must speak the language below: a call with a voice that does not fails."
        options={voiceOptions(values.voice)}
      />
      <TextField
        {...field('language')}
        label="Language"
        hint="Of the voice and of speech recognition, such as en-US. The agent speaks English."
        short
      />
      <TextArea
        {...field('speech_hints')}
        label="Speech hints"
        hint="Names and terms that speech recognition should expect, one per line."
      />
    </section>
  );
}

/** The same as text, for read-only members. */
export function agentFacts(values: AgentForm): readonly (readonly [string, string])[] {
  const labelOf = (choices: readonly Choice[], chosen: string): string =>
    choices.find(({ value }) => value === chosen)?.label ?? chosen;
  return [
    ['Agent name', values.agent_name || 'None'],
    ['Organization', values.organization_name || 'None'],
    ['Calls on behalf of', labelOf(callers, values.on_behalf_of)],
    ['Callback number', values.agent_callback_number || 'The number from Voicemail and hold'],
    ['NPI', values.npi || 'None'],
    ['Tax ID', values.tax_id || 'None'],
    ['May also be disclosed', values.disclosure_allow || 'Nothing'],
    ['Must never be disclosed', values.disclosure_deny || 'Nothing'],
    ['Dialogue model', labelOf(models, values.language_model)],
    ['Voice', labelOf(voices, values.voice)],
    ['Language', values.language],
    ['Speech hints', values.speech_hints.split('\n').join(', ') || 'None'],
  ];
}
