import { may } from '#shared/domain/permissions.ts';
import { DataTable } from '../layout/data-table.tsx';
import type { ProjectView } from '../layout/project-page.tsx';

/** Some of the people of the sandbox phone, who show the most of what a call can come to. */
export const sandboxNumbers = [
  { number: '+12025550100', answers: 'A clinic’s front desk, which offers appointments' },
  { number: '+12025550101', answers: 'An insurer’s line for providers, which tells benefits' },
  { number: '+12025550102', answers: 'An insurer’s claims line' },
  { number: '+12025550103', answers: 'An office manager, who answers whatever is asked' },
  { number: '+12025550114', answers: 'A menu, then a person' },
  { number: '+12025550110', answers: 'Busy' },
  { number: '+12025550111', answers: 'Nobody' },
  { number: '+12025550112', answers: 'Voicemail' },
] as const;

/** What to do in a project that has never had a task. */
export function FirstSteps({ view }: { readonly view: ProjectView }) {
  const { links, project, role } = view;
  return (
    <>
      <section class="card">
        <h2>No tasks yet</h2>
        {may(role, 'tasks.write') ? (
          <>
            <p>As soon as there is a task, this page tells how the calls go. The way there:</p>
            <ol class="steps">
              <li>
                <a href={links.newPatient(project.id)}>Register a patient</a>
                <span class="hint">For whom calls are made.</span>
              </li>
              <li>
                <a href={links.newTask(project.id)}>Create a task</a>
                <span class="hint">
                  What is to be reached on the telephone. The first call follows within the calling hours.
                </span>
              </li>
            </ol>
            <p>To let your software do the same:</p>
            <ol class="steps">
              <li>
                <a href={links.apiKeys(project.id)}>Generate an API key</a>
                <span class="hint">With it your software registers patients and creates tasks.</span>
              </li>
              <li>
                <a href={links.webhooks(project.id)}>Add a webhook</a>
                <span class="hint">Your software is told when a call or a task is over.</span>
              </li>
            </ol>
          </>
        ) : (
          <p>As soon as an owner of the project has created a task, this page tells how the calls go.</p>
        )}
      </section>
      {project.carrier === 'sandbox' && may(role, 'tasks.write') ? <SandboxHint /> : null}
    </>
  );
}

function SandboxHint() {
  return (
    <section class="card">
      <h2>Numbers to try</h2>
      <p>
        This project calls invented people on a simulated telephone network; no telephone rings. Who answers
        depends on the number. These show the most of what a call can come to; a number that belongs to none
        of the people reaches somebody cooperative.
      </p>
      <DataTable
        label="Numbers to try"
        columns={['Number', 'Who answers']}
        rows={sandboxNumbers.map(({ number, answers }) => [<code>{number}</code>, answers])}
      />
    </section>
  );
}
