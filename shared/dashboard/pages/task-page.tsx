import type { TaskDelivery, TaskHistory } from '#shared/admin/task-history.ts';
import { explainCall } from '#shared/carrier/explain-call.ts';
import { may } from '#shared/domain/permissions.ts';
import { firstCallReason, isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { phoneNumberText, withWrittenNumbers } from '#shared/domain/written-phone-number.ts';
import { formKeyField } from '../forms/form-key.ts';
import { Confirm } from '../layout/confirm.tsx';
import { durationText } from '../layout/duration.ts';
import { Live } from '../layout/live.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice } from '../layout/notices.tsx';
import { PermittedLink } from '../layout/permitted-link.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { CallState, TaskState, taskStatusNames, taskTypeNames } from '../layout/task-words.tsx';
import { Conversation, hasConversation, isBeingSettled } from './task-conversation.tsx';
import { Answers, Disclosures, Instructions, NextSteps } from './task-result.tsx';
import { DeliveryState } from './webhook-page.tsx';

export interface TaskPageProps {
  readonly view: ProjectView;
  readonly history: TaskHistory;
  readonly done: string | undefined;
  readonly now: Date;
  /** Of the form that calls again. */
  readonly formKey: string;
}

/** By this long after a task's end its deliveries exist; an endpoint without one was added later. */
const deliveriesMadeMs = 60_000;

/** Everything about one task. */
export function TaskPage({ view, history, done, now, formKey }: TaskPageProps) {
  const { links, project, role } = view;
  const { task, patient, isOptedOut, calls, deliveries, version } = history;
  const address = (rest = ''): string => links.task(project.id, task.id, rest);
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title="Task"
      heading={task.task}
      intro={taskTypeNames[task.task_type]}
      action={
        <div class="actions">
          {/* With scripts the page keeps itself up to date. */}
          <noscript>
            <a class="button second small" href={address()}>
              Refresh
            </a>
          </noscript>
        </div>
      }
    >
      <DoneNotice done={done} />
      <Live versionAddress={isSettled(history, now) ? null : address('/version')} version={version}>
        <section class="card" id="task" aria-label="Task">
          <dl class="facts">
            <dt>Status</dt>
            <dd {...(isTerminalTaskStatus(task.status) ? { 'data-news': newsOf(task) } : {})}>
              <TaskState status={task.status} />
            </dd>
            <dt>Patient</dt>
            <dd>
              <a href={links.patient(project.id, task.patient_id)}>
                {patient === null ? 'The patient' : `${patient.first_name} ${patient.last_name}`}
              </a>
            </dd>
            <dt>Number called</dt>
            <dd>{phoneNumberText(task.phone_number)}</dd>
            <dt>Outcome</dt>
            <dd>{withWrittenNumbers(task.task_outcome ?? 'None yet')}</dd>
          </dl>
          <div class="actions">
            {may(role, 'tasks.write') && !isTerminalTaskStatus(task.status) ? (
              <Confirm
                view={view}
                id="cancel"
                label="Cancel task"
                about=""
                question={
                  'No further calls will be placed, and a call in progress will be ended. ' +
                  'What it has already agreed, such as an appointment, still stands.'
                }
                action={address('/cancel')}
              />
            ) : null}
            {may(role, 'tasks.write') && isTerminalTaskStatus(task.status) && !isOptedOut ? (
              <Confirm
                view={view}
                id="call-again"
                label="Call again now"
                about=""
                kind="second"
                question={
                  `${reachedWarning(task)}Creates a new task with the same instructions, ` +
                  `which calls ${phoneNumberText(task.phone_number)} as soon as calling hours allow.`
                }
                action={address('/call-again')}
              >
                <input type="hidden" name={formKeyField} value={formKey} />
              </Confirm>
            ) : null}
            {may(role, 'tasks.write') ? (
              <a class="button second small" href={links.newTask(project.id, { like: task.id })}>
                Duplicate task
              </a>
            ) : null}
            {calls.some(({ turns }) => turns.length > 0) ? (
              <a class="button second small" href={address('/transcript')}>
                Printable transcript
              </a>
            ) : null}
            {may(role, 'records.erase') ? (
              <Confirm
                view={view}
                id="erase"
                label="Erase task"
                about=""
                question={
                  'Erases the task for good, with its calls, transcripts and recordings. ' +
                  'An unfinished task is canceled first. This cannot be undone.'
                }
                action={address('/erase')}
              />
            ) : null}
          </div>
        </section>
        <NextSteps view={view} history={history} now={now} />
        <Answers task={task} calls={calls} />
        <Disclosures task={task} calls={calls} />
        <Instructions task={task} />
        <Timeline view={view} history={history} deliveries={deliveries} />
        {calls.filter(hasConversation).map((call) => (
          <Conversation view={view} history={call} />
        ))}
      </Live>
    </ProjectPage>
  );
}

/** A second call may book a second appointment. */
function reachedWarning({ task_type, result }: Task): string {
  if (result?.goal_reached !== true) return '';
  const what =
    task_type === 'SCHEDULE_APPOINTMENT'
      ? 'An appointment is already booked'
      : 'The goal was already reached';
  return `${what}${result.reference_number === null ? '' : ` (${result.reference_number})`}. `;
}

function newsOf({ status }: Task): string {
  return `The task has ended: ${taskStatusNames[status]}.`;
}

/** Whether nothing more will happen. */
function isSettled({ task, calls, deliveries, lacksDelivery }: TaskHistory, now: Date): boolean {
  return (
    isTerminalTaskStatus(task.status) &&
    calls.every(({ call }) => call.completed_at !== null) &&
    deliveries.every(({ delivery }) => delivery.status !== 'pending') &&
    // The webhooks of a task that has just ended are created one by one.
    (!lacksDelivery || now.getTime() - Date.parse(task.updated_at) > deliveriesMadeMs)
  );
}

interface TimelineEvent {
  readonly at: string;
  readonly what: ReturnType<typeof CallState> | string;
  readonly more?: ReturnType<typeof CallState> | string | null;
  /** The carrier's account of it, one line each. */
  readonly why?: readonly string[];
}

function Timeline({
  view,
  history,
  deliveries,
}: {
  readonly view: ProjectView;
  readonly history: TaskHistory;
  readonly deliveries: readonly TaskDelivery[];
}) {
  const { task, hasMoreCalls } = history;
  const events = eventsOf(view, history, deliveries);
  return (
    <section class="card" id="timeline">
      <h2>Timeline</h2>
      {hasMoreCalls ? <p class="quiet">Only the newest calls are shown.</p> : null}
      <ol class="timeline">
        {events.map(({ at, what, more, why = [] }, position) => (
          <li>
            <strong>{what}</strong>
            <span class="hint">
              <Moment at={at} seconds />
              {position === 0 ? null : `, ${laterText(at, events[position - 1]?.at ?? at)}`}
            </span>
            {more === undefined || more === null ? null : <span class="hint">{more}</span>}
            {why.map((line) => (
              <span class="hint">{line}</span>
            ))}
          </li>
        ))}
        {task.next_attempt_at === null ? null : (
          <li class="quiet">
            <strong>Next call</strong>
            <span class="hint">
              From <Moment at={task.next_attempt_at} />
            </span>
            <span class="hint">{task.next_attempt_reason}</span>
          </li>
        )}
      </ol>
    </section>
  );
}

function laterText(at: string, before: string): string {
  return `${durationText(Date.parse(at) - Date.parse(before))} later`;
}

/** In chronological order. */
function eventsOf(
  view: ProjectView,
  { task, calls }: TaskHistory,
  deliveries: readonly TaskDelivery[],
): TimelineEvent[] {
  const events: TimelineEvent[] = [
    { at: task.created_at, what: 'Created' },
    ...calls.flatMap(({ call }): TimelineEvent[] => [
      {
        at: call.created_at,
        what: `Call ${call.attempt} began`,
        // Why the task had been waiting.
        more: call.reason === firstCallReason ? null : `Until then: ${call.reason}`,
      },
      ...(call.ended_at === null
        ? []
        : [
            {
              at: call.ended_at,
              what: (
                <>
                  Call {call.attempt} ended {/* The outcome waits for the carrier's final report. */}
                  {isBeingSettled(call) ? null : <CallState status={call.status} />}
                </>
              ),
              // The task's outcome is shown above.
              more:
                call.call_outcome === null || call.call_outcome === task.task_outcome
                  ? null
                  : withWrittenNumbers(call.call_outcome),
              why: explainCall(call),
            },
          ]),
    ]),
    ...(isTerminalTaskStatus(task.status)
      ? [
          {
            at: task.updated_at,
            what: <TaskState status={task.status} />,
          },
        ]
      : []),
    ...deliveries.map(({ endpoint, delivery }) => ({
      at: delivery.last_attempt?.attempted_at ?? delivery.created_at,
      what: (
        <>
          Webhook <DeliveryState status={delivery.status} />
        </>
      ),
      more: (
        <PermittedLink
          view={view}
          needed="webhooks.read"
          href={view.links.delivery(view.project.id, endpoint.id, delivery.id)}
        >
          {endpoint.url}
        </PermittedLink>
      ),
    })),
  ];
  return events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
