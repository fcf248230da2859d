import type { FieldErrors } from '../forms/form-values.ts';
import type { FieldGroup, FieldRows, FieldSection, TaskField } from '../forms/new-task-fields.ts';
import {
  entryCount,
  fieldName,
  furtherName,
  intentField,
  intents,
  type NewTaskForm,
  no,
  yes,
} from '../forms/new-task-form.ts';
import { Choices, Select, TextArea, TextField } from '../layout/fields.tsx';
import { relationshipNames } from '../layout/insurance-words.ts';

/** Whether a section has a value or an error. */
export function isFilled(section: FieldSection, form: NewTaskForm, errors: FieldErrors): boolean {
  const names =
    section.kind === 'fields' ? section.fields.map(({ path }) => fieldName(path)) : [fieldName(section.path)];
  return [...Object.keys(form.data), ...Object.keys(errors)].some((name) =>
    names.some((one) => name === one || name.startsWith(`${one}.`)),
  );
}

export function GroupFields({
  group,
  form,
  errors,
}: {
  readonly group: FieldGroup;
  readonly form: NewTaskForm;
  readonly errors: FieldErrors;
}) {
  return (
    <fieldset>
      <legend class="unseen">{group.title}</legend>
      <div class="pairs">
        {group.fields.map((field) => (
          <Field field={field} name={fieldName(field.path)} form={form} errors={errors} />
        ))}
      </div>
    </fieldset>
  );
}

export function RowFields({
  rows,
  form,
  errors,
  spareEntries,
  address,
}: {
  readonly rows: FieldRows;
  readonly form: NewTaskForm;
  readonly errors: FieldErrors;
  readonly spareEntries: number;
  readonly address: string;
}) {
  const count = entryCount(form, rows) + spareEntries;
  const [firstField] = rows.fields;
  // The first added entry, unless an earlier one is empty.
  const next = fieldName(firstField?.path ?? '', rows, count);
  return (
    <div>
      {Array.from({ length: count }, (_, position) => (
        <fieldset class="entry">
          <legend>{`${rows.entry} ${position + 1}`}</legend>
          <div class="pairs">
            {rows.fields.map((field) => (
              <Field field={field} name={fieldName(field.path, rows, position)} form={form} errors={errors} />
            ))}
          </div>
          <FurtherOfEntry name={furtherName(rows, position)} form={form} errors={errors} />
        </fieldset>
      ))}
      <button
        type="submit"
        class="second small"
        name={intentField}
        value={intents.moreEntries}
        formaction={`${address}#${next}`}
      >
        {`Add ${rows.entry.toLowerCase()}`}
      </button>
    </div>
  );
}

/** Only if it has a value, from a task created by the API. */
function FurtherOfEntry({
  name,
  form,
  errors,
}: {
  readonly name: string;
  readonly form: NewTaskForm;
  readonly errors: FieldErrors;
}) {
  const value = form.data[name];
  return value === undefined ? null : (
    <TextArea name={name} label="Further data" hint="A JSON object." value={value} error={errors[name]} />
  );
}

function Field({
  field: { label, hint, kind, choices = [] },
  name,
  form,
  errors,
}: {
  readonly field: TaskField;
  readonly name: string;
  readonly form: NewTaskForm;
  readonly errors: FieldErrors;
}) {
  const value = form.data[name] ?? '';
  const shared = { name, label, value, error: errors[name], ...(hint === undefined ? {} : { hint }) };
  switch (kind) {
    case 'text':
      return <TextArea {...shared} />;
    case 'choice':
      return (
        <Select
          {...shared}
          options={[
            { value: '', label: 'Not specified' },
            ...choices,
            // A task created by the API may have another value.
            ...(value === '' || choices.some((choice) => choice.value === value)
              ? []
              : [{ value, label: value }]),
          ]}
        />
      );
    case 'line':
    case 'npi':
    case 'amount':
    case 'codes':
      // A single-line field would merge the lines of an earlier task's text.
      return value.includes('\n') ? <TextArea {...shared} /> : <TextField {...shared} />;
    case 'date':
      return <TextField {...shared} type="date" short />;
    case 'phone-number':
      return <TextField {...shared} type="tel" />;
    case 'relationship':
      return (
        <Select
          {...shared}
          options={[
            { value: '', label: 'Not specified' },
            ...Object.entries(relationshipNames).map(([one, name]) => ({ value: one, label: name })),
          ]}
        />
      );
    case 'yes-no':
      return (
        <Choices
          {...shared}
          kind="radio"
          inRow
          choices={[
            { value: '', label: 'Not specified' },
            { value: yes, label: 'Yes' },
            { value: no, label: 'No' },
          ]}
        />
      );
    default:
      return kind satisfies never;
  }
}
