import type { TaskHistory } from '#shared/admin/task-history.ts';
import { phoneNumberText, withWrittenNumbers } from '#shared/domain/written-phone-number.ts';
import { positionText } from '../layout/duration.ts';
import { Moment } from '../layout/moment.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { CallState, TaskState, taskTypeNames } from '../layout/task-words.tsx';

/** A task's questions, answers and transcript, for print or PDF. */
export function TranscriptPage({
  view,
  history: { task, patient, calls, hasMoreCalls },
}: {
  readonly view: ProjectView;
  readonly history: TaskHistory;
}) {
  const { links, project } = view;
  const { answers = [], follow_up = null } = task.result ?? {};
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title="Transcript"
      intro={taskTypeNames[task.task_type]}
      action={
        <div class="actions">
          <button type="button" class="small scripted" data-print="">
            Print
          </button>
          <a class="button second small" href={links.task(project.id, task.id)}>
            Back to the task
          </a>
        </div>
      }
    >
      <section class="card">
        <h2>{task.task}</h2>
        <dl class="facts">
          <dt>Patient</dt>
          <dd>{patient === null ? '–' : `${patient.first_name} ${patient.last_name}`}</dd>
          <dt>Number called</dt>
          <dd>{phoneNumberText(task.phone_number)}</dd>
          <dt>Status</dt>
          <dd>
            <TaskState status={task.status} />
          </dd>
          <dt>Outcome</dt>
          <dd>{withWrittenNumbers(task.task_outcome ?? 'None yet')}</dd>
          {follow_up === null ? null : (
            <>
              <dt>Follow-up</dt>
              <dd>{follow_up}</dd>
            </>
          )}
          {answers.map(({ question, answer, needs_review }) => (
            <>
              <dt>{question}</dt>
              <dd>{`${withWrittenNumbers(answer ?? 'Not answered')}${needs_review ? ' (needs review)' : ''}`}</dd>
            </>
          ))}
        </dl>
      </section>
      {hasMoreCalls ? <p class="quiet">Only the newest calls are shown.</p> : null}
      {calls
        .filter(({ turns }) => turns.length > 0)
        .map(({ call, turns, isWhole }) => (
          <section class="card">
            <div class="head">
              <h2>
                Call {call.attempt}, <Moment at={call.created_at} />
              </h2>
              <CallState status={call.status} />
            </div>
            <dl class="facts transcript">
              {turns.map(({ role, content, offset_ms }) => (
                <>
                  <dt>{`${positionText(offset_ms)} ${role === 'assistant' ? 'Voice agent' : 'Person called'}`}</dt>
                  <dd>{content}</dd>
                </>
              ))}
            </dl>
            {isWhole ? null : <p class="quiet">The transcript is longer; the API answers with all of it.</p>}
          </section>
        ))}
    </ProjectPage>
  );
}
