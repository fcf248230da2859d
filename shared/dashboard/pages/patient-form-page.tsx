import type { PatientName } from '#shared/admin/task-search.ts';
import { formKeyField } from '../forms/form-key.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import {
  emptyInsurance,
  type InsuranceForm,
  type InsuranceKind,
  insuranceKinds,
  type PatientForm,
  patientField,
} from '../forms/patient-form.ts';
import { Day } from '../layout/day.tsx';
import { Select, TextField } from '../layout/fields.tsx';
import { FormPart } from '../layout/form-part.tsx';
import { insuranceNames, relationshipNames } from '../layout/insurance-words.ts';
import { ErrorSummary, Notice } from '../layout/notices.tsx';
import { EnterButton, OpenedValues, PostForm } from '../layout/post-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** The button that adds another insurance of the kind in its value. */
export const moreField = 'more';

/** The checkbox that confirms a patient with the same name and date of birth as another person. */
export const anotherField = 'another_person';

export interface PatientFormPageProps {
  readonly view: ProjectView;
  /** The patient to edit; null for a new one. */
  readonly edited: { readonly id: string; readonly readAt: string; readonly opened: unknown } | null;
  readonly formKey: string;
  readonly values: PatientForm;
  readonly errors: FieldErrors;
  /** The kind of insurance to add another of. */
  readonly more: InsuranceKind | null;
  /** Patients who may be the same person. */
  readonly same: readonly PatientName[];
}

/** The form of a patient. */
export function PatientFormPage({ view, edited, formKey, values, errors, more, same }: PatientFormPageProps) {
  const { links, project } = view;
  const action = edited === null ? links.newPatient(project.id) : links.editPatient(project.id, edited.id);
  const button = edited === null ? 'Add patient' : 'Save patient';
  const { address, primary_care_provider } = values;
  const field = fieldsWith(errors);
  return (
    <ProjectPage
      view={view}
      section="Patients"
      title={edited === null ? 'New patient' : 'Edit patient'}
      intro={
        edited === null ? 'You can call on behalf of the patient right away.' : 'Changes apply to new calls.'
      }
    >
      <ErrorSummary errors={errors} />
      <PostForm view={view} action={action}>
        {edited === null ? (
          <input type="hidden" name={formKeyField} value={formKey} />
        ) : (
          <>
            <input type="hidden" name="read_at" value={edited.readAt} />
            <OpenedValues values={edited.opened} />
          </>
        )}
        <EnterButton>{button}</EnterButton>
        <Same view={view} same={same} />
        <section class="card">
          <h2>The patient</h2>
          <div class="pairs">
            <TextField {...field(values.first_name, 'first_name')} label="First name" required />
            <TextField {...field(values.last_name, 'last_name')} label="Last name" required />
            <TextField
              {...field(values.date_of_birth, 'date_of_birth')}
              label="Date of birth"
              type="date"
              required
            />
            <TextField
              {...field(values.phone_number, 'phone_number')}
              label="Phone number"
              hint="For example, (202) 555-0142."
              type="tel"
              required
            />
            <TextField {...field(values.email, 'email')} label="Email" hint="Optional." type="email" />
            <TextField
              {...field(values.external_id, 'external_id')}
              label="MRN"
              hint="Or another ID of your own. Optional."
            />
          </div>
        </section>
        <section class="card">
          <h2>Address</h2>
          <p class="hint">Optional. If you enter one, fill in all five fields.</p>
          <div class="pairs">
            <TextField {...field(address.street_name, 'address', 'street_name')} label="Street" />
            <TextField {...field(address.city, 'address', 'city')} label="City" />
            <TextField {...field(address.state, 'address', 'state')} label="State" />
            <TextField {...field(address.postal_code, 'address', 'postal_code')} label="Postal code" />
            <TextField
              {...field(address.country_code, 'address', 'country_code')}
              label="Country"
              hint="Two letters: US."
              short
            />
          </div>
        </section>
        <section class="card">
          <h2>Primary care provider</h2>
          <p class="hint">Optional.</p>
          <div class="pairs">
            <TextField {...field(primary_care_provider.name, 'primary_care_provider', 'name')} label="Name" />
            <TextField
              {...field(primary_care_provider.practice, 'primary_care_provider', 'practice')}
              label="Practice"
            />
          </div>
        </section>
        {insuranceKinds.map((kind) => (
          <Insurances
            action={action}
            kind={kind}
            insurances={values.insurance[kind]}
            errors={errors}
            hasMore={kind === more}
          />
        ))}
        <p class="save">
          <button type="submit">{button}</button>
        </p>
      </PostForm>
    </ProjectPage>
  );
}

/** Asks before adding a possible duplicate. */
function Same({ view: { links, project }, same }: Pick<PatientFormPageProps, 'view' | 'same'>) {
  return same.length === 0 ? null : (
    <Notice kind="warn" title="This patient may already exist">
      <ul>
        {same.map(({ id, first_name, last_name, date_of_birth }) => (
          <li>
            <a href={links.patient(project.id, id)} target="_blank" rel="noopener">
              {`${first_name} ${last_name} (in a new tab)`}
            </a>
            {', born '}
            <Day on={date_of_birth} />
          </li>
        ))}
      </ul>
      <label class="choice">
        <input type="checkbox" name={anotherField} value="yes" />
        <span>This is a different person. Add them anyway.</span>
      </label>
    </Notice>
  );
}

/** The insurances of one kind, and an empty one if there are none or another was added. */
function Insurances({
  action,
  kind,
  insurances,
  errors,
  hasMore,
}: {
  readonly action: string;
  readonly kind: InsuranceKind;
  readonly insurances: readonly InsuranceForm[];
  readonly errors: FieldErrors;
  readonly hasMore: boolean;
}) {
  const shown = hasMore || insurances.length === 0 ? [...insurances, emptyInsurance] : insurances;
  const another = `${action}#${patientField(['insurance', kind, shown.length])}`;
  return (
    <FormPart title={insuranceNames[kind]} isOpen={hasMore || insurances.length > 0}>
      <p class="hint">Optional.</p>
      {shown.map((insurance, index) => (
        <InsuranceFields kind={kind} index={index} insurance={insurance} errors={errors} />
      ))}
      {/* The response's URL ends in the new fields, so that the browser scrolls to them. */}
      <button type="submit" class="second small" name={moreField} value={kind} formaction={another}>
        Add another {insuranceNames[kind].toLowerCase()}
      </button>
    </FormPart>
  );
}

function InsuranceFields({
  kind,
  index,
  insurance,
  errors,
}: {
  readonly kind: InsuranceKind;
  readonly index: number;
  readonly insurance: InsuranceForm;
  readonly errors: FieldErrors;
}) {
  const base = ['insurance', kind, index];
  const { primary_subscriber } = insurance;
  const field = fieldsWith(errors, base);
  return (
    <fieldset id={patientField(base)} tabindex={-1}>
      <legend>{`${insuranceNames[kind]} ${index + 1}`}</legend>
      <div class="pairs">
        <TextField {...field(insurance.company_name, 'company_name')} label="Company" />
        <TextField {...field(insurance.plan_name, 'plan_name')} label="Plan" />
        <TextField {...field(insurance.member_id, 'member_id')} label="Member ID" />
        <TextField {...field(insurance.group_number, 'group_number')} label="Group number" />
        <TextField
          {...field(insurance.phone_number, 'phone_number')}
          label="Company phone number"
          hint="For example, (202) 555-0101."
          type="tel"
        />
        <Select
          {...field(insurance.relationship_to_subscriber, 'relationship_to_subscriber')}
          label="Relationship to subscriber"
          options={[
            { value: '', label: 'Not specified' },
            ...Object.entries(relationshipNames).map(([value, label]) => ({ value, label })),
          ]}
        />
        <TextField
          {...field(primary_subscriber.first_name, 'primary_subscriber', 'first_name')}
          label="Subscriber’s first name"
        />
        <TextField
          {...field(primary_subscriber.last_name, 'primary_subscriber', 'last_name')}
          label="Subscriber’s last name"
        />
      </div>
    </fieldset>
  );
}

/** Makes the props of the fields. @param base path of the fields' parent */
function fieldsWith(errors: FieldErrors, base: readonly PropertyKey[] = []) {
  return (value: string, ...path: readonly PropertyKey[]) => {
    const name = patientField([...base, ...path]);
    return { name, value, error: errors[name] };
  };
}
