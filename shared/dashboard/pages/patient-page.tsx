import type { Child } from 'hono/jsx';
import type { PatientHistoryEntry } from '#shared/domain/patient.ts';
import { may } from '#shared/domain/permissions.ts';
import type { MemberInsurance } from '#shared/domain/values.ts';
import { phoneNumberText, withWrittenNumbers } from '#shared/domain/written-phone-number.ts';
import type { PatientResource } from '#shared/patients/patient-resource.ts';
import type { ListedTask } from '#shared/tasks/task-resource.ts';
import { insuranceKinds } from '../forms/patient-form.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { Day } from '../layout/day.tsx';
import { insuranceNames, relationshipNames } from '../layout/insurance-words.ts';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice } from '../layout/notices.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { TaskState, taskTypeNames } from '../layout/task-words.tsx';

export interface PatientPageProps {
  readonly view: ProjectView;
  readonly patient: PatientResource;
  /** Oldest first. */
  readonly changes: readonly PatientHistoryEntry[];
  /** The newest ones. */
  readonly tasks: readonly ListedTask[];
  readonly hasMoreTasks: boolean;
  readonly done: string | undefined;
}

/**
 * All data about a patient. The heading names them; the title does not, because browsers keep it in histories and
 * tabs.
 */
export function PatientPage({ view, patient, changes, tasks, hasMoreTasks, done }: PatientPageProps) {
  const { links, project, role } = view;
  return (
    <ProjectPage
      view={view}
      section="Patients"
      title="Patient"
      heading={`${patient.first_name} ${patient.last_name}`}
      action={
        <div class="actions">
          {may(role, 'tasks.write') ? (
            <a class="button small" href={links.newTask(project.id, { patient_id: patient.id })}>
              New task
            </a>
          ) : null}
          {may(role, 'patients.write') ? (
            <a class="button second small" href={links.editPatient(project.id, patient.id)}>
              Edit
            </a>
          ) : null}
          {may(role, 'records.export') ? (
            <a class="button second small" href={links.patient(project.id, patient.id, '/export')}>
              Export
            </a>
          ) : null}
          {may(role, 'records.erase') ? (
            <a class="button second small" href={links.patient(project.id, patient.id, '/merge')}>
              Merge duplicate
            </a>
          ) : null}
          {may(role, 'records.erase') ? (
            <Confirm
              view={view}
              label="Erase patient"
              about=""
              question={
                'Erases the patient for good, with every task, call, transcript and recording. ' +
                'This cannot be undone.'
              }
              action={links.patient(project.id, patient.id, '/erase')}
            />
          ) : null}
        </div>
      }
    >
      <DoneNotice done={done} />
      <section class="card" aria-label="Patient">
        <Facts facts={factsOf(patient)} />
        {may(role, 'access.read') ? (
          <p>
            <a href={links.patient(project.id, patient.id, '/access-log')}>Who saw this patient</a>
          </p>
        ) : null}
      </section>
      {insuranceKinds.map((kind) =>
        (patient.insurance?.[kind] ?? []).map((insurance, index, { length }) => (
          <section class="card">
            <h2>{length === 1 ? insuranceNames[kind] : `${insuranceNames[kind]} ${index + 1}`}</h2>
            <Insurance insurance={insurance} />
          </section>
        )),
      )}
      <section class="card">
        <h2>Tasks</h2>
        {tasks.length === 0 ? (
          <p class="quiet">No tasks for this patient yet.</p>
        ) : (
          <DataTable
            label="Tasks"
            columns={['Task', 'Status', 'Created']}
            rows={tasks.map((task) => [
              <>
                <a href={links.task(project.id, task.id)}>{task.task}</a>
                <span class="hint two-lines">
                  {withWrittenNumbers(
                    task.task_outcome ?? task.next_attempt_reason ?? taskTypeNames[task.task_type],
                  )}
                </span>
              </>,
              <TaskState status={task.status} />,
              <Moment at={task.created_at} />,
            ])}
          />
        )}
        {hasMoreTasks ? (
          <p>
            <a href={`${links.tasks(project.id)}?patient_id=${patient.id}`}>All tasks of the patient</a>
          </p>
        ) : null}
      </section>
      {changes.length === 0 ? null : (
        <section class="card">
          <h2>History</h2>
          <DataTable
            label="Changes"
            columns={['When', 'Who', 'Changed']}
            rows={changes
              .toReversed()
              .map(({ at, by, fields }) => [
                <Moment at={at} />,
                by,
                fields.map((field) => field.replaceAll('_', ' ')).join(', '),
              ])}
          />
        </section>
      )}
      <section class="card">
        <h2>Developer details</h2>
        <Facts facts={[['Patient ID', <code>{patient.id}</code>]]} />
      </section>
    </ProjectPage>
  );
}

/** An insurance's data, often sparse. */
function Insurance({ insurance }: { readonly insurance: MemberInsurance }) {
  const facts = insuranceFacts(insurance).filter(([, value]) => value !== null && value !== undefined);
  return facts.length === 0 ? <p class="quiet">No details yet.</p> : <Facts facts={facts} />;
}

/** A label and value; null and undefined for none. */
export type Fact = readonly [name: string, value: Child | null | undefined];

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value === null || value === undefined ? <span class="quiet">Not given</span> : value}</dd>
        </>
      ))}
    </dl>
  );
}

/** A patient's data, without insurances. */
export function factsOf(patient: PatientResource): Fact[] {
  const { address, primary_care_provider: provider } = patient;
  return [
    ['Date of birth', <Day on={patient.date_of_birth} />],
    ['MRN', patient.external_id],
    ['Phone number', phoneNumberText(patient.phone_number)],
    ['Email', patient.email],
    [
      'Address',
      address === null
        ? null
        : [
            address.street_name,
            address.city,
            `${address.state} ${address.postal_code}`,
            address.country_code.toUpperCase(),
          ].join(', '),
    ],
    ['Primary care provider', joined([provider?.name, provider?.practice])],
    ['Added', <Moment at={patient.created_at} />],
  ];
}

function insuranceFacts(insurance: MemberInsurance): Fact[] {
  const { relationship_to_subscriber: relationship, primary_subscriber: subscriber } = insurance;
  return [
    ['Company', insurance.company_name ?? null],
    ['Plan', insurance.plan_name ?? null],
    ['Member ID', insurance.member_id ?? null],
    ['Group number', insurance.group_number ?? null],
    ['Phone number', insurance.phone_number ? phoneNumberText(insurance.phone_number) : null],
    [
      'Relationship to subscriber',
      relationship == null || relationship === 'RELATIONSHIP_TO_SUBSCRIBER_UNSPECIFIED'
        ? null
        : relationshipNames[relationship],
    ],
    ['Subscriber', joined([subscriber?.first_name, subscriber?.last_name], ' ')],
  ];
}

/** Null when there is nothing to join. */
function joined(texts: readonly (string | null | undefined)[], separator = ', '): string | null {
  return texts.filter((text) => text !== undefined && text !== '').join(separator) || null;
}
