import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { Notice } from '../layout/notices.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';

const purposes: Readonly<Record<TaskType, string>> = {
  SCHEDULE_APPOINTMENT: 'Schedule an appointment for the patient, or reschedule one.',
  VERIFY_INSURANCE: 'Ask an insurer what it covers, and whether prior authorization is needed.',
  REIMBURSEMENT: 'Ask an insurer or a biller about the status of a claim or a bill.',
  CUSTOM_TASK: 'Anything else that a call can settle, with a list of questions to ask.',
};

/** Chooses the type of a new task. */
export function TaskTypePage({
  view,
  enabled,
  patientId,
  refused,
}: {
  readonly view: ProjectView;
  readonly enabled: readonly TaskType[];
  /** The task's patient; null if not chosen yet. */
  readonly patientId: string | null;
  /** A requested type that the project has not enabled. */
  readonly refused: TaskType | null;
}) {
  const { links, project } = view;
  const others = taskTypes.filter((type) => !enabled.includes(type));
  return (
    <ProjectPage view={view} section="Tasks" title="New task">
      {refused === null ? null : (
        <Notice kind="warn" title="This type is not enabled">
          <p>{`This project takes no tasks of the type “${taskTypeNames[refused]}”.`}</p>
        </Notice>
      )}
      <section class="card">
        <h2>What do you need done?</h2>
        <ul class="choices">
          {taskTypes
            .filter((type) => enabled.includes(type))
            .map((type) => (
              <li>
                <a
                  href={links.newTask(project.id, {
                    type,
                    ...(patientId === null ? {} : { patient_id: patientId }),
                  })}
                >
                  {taskTypeNames[type]}
                </a>
                <span class="hint">{purposes[type]}</span>
              </li>
            ))}
        </ul>
        {others.length === 0 ? null : (
          <p class="quiet">
            {`Not enabled for this project: ${others.map((type) => taskTypeNames[type]).join(', ')}. `}
            <a href={links.general(project.id)}>Change it in the settings</a>
          </p>
        )}
      </section>
    </ProjectPage>
  );
}
