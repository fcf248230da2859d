import { may } from '#shared/domain/permissions.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import { DataTable } from '../layout/data-table.tsx';
import { PermittedLink } from '../layout/permitted-link.tsx';
import type { ProjectView } from '../layout/project-page.tsx';

/** The people of the sandbox phone that best show the range of calls. */
export const sandboxNumbers = [
  { number: '+12025550100', answers: 'A clinic’s front desk, which offers appointments' },
  {
    number: '+12025550101',
    answers: 'An insurer’s representative for providers, who answers benefits questions',
  },
  { number: '+12025550102', answers: 'An insurer’s claims line' },
  { number: '+12025550103', answers: 'An office manager, who answers any question' },
  { number: '+12025550114', answers: 'A menu, then a person' },
  { number: '+12025550110', answers: 'Busy' },
  { number: '+12025550111', answers: 'No answer' },
  { number: '+12025550112', answers: 'Voicemail' },
] as const;

/** Onboarding of a project without tasks. */
export function FirstSteps({ view }: { readonly view: ProjectView }) {
  const { project, role } = view;
  return (
    <>
      <section class="card">
        <h2>{may(role, 'tasks.write') ? 'Get started' : 'No tasks yet'}</h2>
        {may(role, 'tasks.write') ? (
          <Steps view={view} />
        ) : (
          <p>Once there are tasks, this page shows the results of their calls.</p>
        )}
      </section>
      {project.carrier === 'sandbox' && may(role, 'tasks.write') ? <SandboxHint /> : null}
    </>
  );
}

/** The same once there are tasks: collapsed, for later. */
export function LaterSteps({ view }: { readonly view: ProjectView }) {
  if (!may(view.role, 'tasks.write')) return null;
  return (
    <section class="card">
      <details>
        <summary>First steps</summary>
        <Steps view={view} />
      </details>
    </section>
  );
}

function Steps({ view }: { readonly view: ProjectView }) {
  const { links, project } = view;
  return (
    <>
      <ol class="steps">
        <li>
          <a href={links.newPatient(project.id)}>Add a patient</a>
          <span class="hint">The person on whose behalf you call.</span>
        </li>
        <li>
          <a href={links.newTask(project.id)}>Create a task</a>
          <span class="hint">
            What the call should accomplish. The first call is placed during calling hours.
          </span>
        </li>
        <li>
          <a href={links.imports(project.id)}>Or import both from a spreadsheet</a>
          <span class="hint">Up to 5,000 rows, checked before anything is created.</span>
        </li>
      </ol>
      <p>To let your software do the same:</p>
      <ol class="steps">
        <li>
          <PermittedLink view={view} needed="keys.read" href={links.apiKeys(project.id)}>
            Generate an API key
          </PermittedLink>
          <span class="hint">Authenticates your software’s API requests.</span>
        </li>
        <li>
          <PermittedLink view={view} needed="webhooks.read" href={links.webhooks(project.id)}>
            Add a webhook
          </PermittedLink>
          <span class="hint">Notifies your software when a call or a task ends.</span>
        </li>
      </ol>
    </>
  );
}

function SandboxHint() {
  return (
    <section class="card">
      <h2>Numbers to try</h2>
      <p>
        This project calls simulated people. No real calls are placed. Who answers depends on the number; any
        other number reaches a cooperative person.
      </p>
      <SandboxNumbers />
    </section>
  );
}

export function SandboxNumbers() {
  return (
    <DataTable
      label="Numbers to try"
      columns={['Number', 'Who answers']}
      rows={sandboxNumbers.map(({ number, answers }) => [phoneNumberText(number), answers])}
    />
  );
}
