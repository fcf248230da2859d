import type { Child } from 'hono/jsx';
import type { FieldErrors } from '../forms/form-values.ts';

export interface FieldProps {
  /** Also the field's ID, which the error summary links to. */
  readonly name: string;
  readonly label: string;
  readonly hint?: Child;
  readonly error?: string | undefined;
}

/** The form's values and errors by field name, as props of the fields below. */
export function fieldsOf<Values extends object>(values: Values, errors: FieldErrors) {
  return <Name extends keyof Values & string>(name: Name) => ({
    name,
    value: values[name],
    error: errors[name],
  });
}

function describedBy({ name, hint, error }: FieldProps): { 'aria-describedby'?: string } {
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ];
  return ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') };
}

/** The ID of a field's control, and its hint and error. */
function controlOf(field: FieldProps) {
  return {
    id: field.name,
    name: field.name,
    ...(field.error === undefined ? {} : { 'aria-invalid': 'true' as const }),
    ...describedBy(field),
  };
}

function Labeled({ field, children }: { readonly field: FieldProps; readonly children: Child }) {
  return (
    <div class="field">
      <label for={field.name}>{field.label}</label>
      <Remarks {...field} />
      {children}
    </div>
  );
}

function Remarks({ name, hint, error }: FieldProps) {
  return (
    <>
      {hint === undefined ? null : (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      {error === undefined ? null : (
        <span class="wrong" id={`${name}-error`}>
          {error}
        </span>
      )}
    </>
  );
}

export function TextField({
  value,
  type = 'text',
  short = false,
  inputMode,
  autocomplete = 'off',
  required = false,
  enterPresses,
  ...field
}: FieldProps & {
  readonly value: string;
  /** ID of the button that Enter presses in this field; without scripts it is the form's first. */
  readonly enterPresses?: string;
  readonly type?: 'text' | 'tel' | 'url' | 'email' | 'date' | 'datetime-local';
  readonly short?: boolean;
  readonly inputMode?: 'numeric' | 'decimal';
  readonly autocomplete?: string;
  readonly required?: boolean;
}) {
  return (
    <Labeled field={field}>
      <input
        {...controlOf(field)}
        type={type}
        value={value}
        autocomplete={autocomplete}
        {...(short ? { class: 'short' } : {})}
        {...(inputMode === undefined ? {} : { inputmode: inputMode })}
        {...(required ? { required: true } : {})}
        {...(enterPresses === undefined ? {} : { 'data-enter': enterPresses })}
      />
    </Labeled>
  );
}

/** For multiline text. */
export function TextArea({
  value,
  rows = 3,
  required = false,
  ...field
}: FieldProps & { readonly value: string; readonly rows?: number; readonly required?: boolean }) {
  return (
    <Labeled field={field}>
      <textarea {...controlOf(field)} rows={rows} {...(required ? { required: true } : {})}>
        {value}
      </textarea>
    </Labeled>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  /** Whether the hint is a warning. */
  readonly isRisky?: boolean;
}

/** A group of checkboxes or radio buttons. Its value is what is chosen. */
export function Choices({
  kind,
  choices,
  value: chosen,
  inRow = false,
  ...field
}: FieldProps & {
  readonly kind: 'checkbox' | 'radio';
  readonly choices: readonly Choice[];
  readonly value: string | readonly string[];
  readonly inRow?: boolean;
}) {
  return (
    <fieldset id={field.name} {...describedBy(field)} tabindex={-1}>
      <legend>{field.label}</legend>
      <Remarks {...field} />
      <div class={inRow ? 'row' : ''}>
        {choices.map(({ value, label, hint, isRisky = false }) => (
          <label class={isRisky ? 'choice risky' : 'choice'}>
            <input
              type={kind}
              name={field.name}
              value={value}
              {...([chosen].flat().includes(value) ? { checked: true } : {})}
            />
            <span>
              {label}
              {hint === undefined ? null : <span class="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The empty choice, and one per name. */
export function choicesOf(none: string, names: Readonly<Record<string, string>>): Choice[] {
  return [{ value: '', label: none }, ...Object.entries(names).map(([value, label]) => ({ value, label }))];
}

export function FilterButton() {
  return (
    <div class="field at-end">
      <button type="submit" class="second">
        Filter
      </button>
    </div>
  );
}

export function Select({
  options,
  value,
  short = true,
  ...field
}: FieldProps & {
  readonly options: readonly Choice[];
  readonly value: string;
  /** For short texts. */
  readonly short?: boolean;
}) {
  return (
    <Labeled field={field}>
      <select {...controlOf(field)} {...(short ? { class: 'short' } : {})}>
        {options.map((option) => (
          <option value={option.value} {...(option.value === value ? { selected: true } : {})}>
            {option.label}
          </option>
        ))}
      </select>
    </Labeled>
  );
}
