import type { CallHistory, TaskDelivery, TaskHistory } from '#shared/admin/task-history.ts';
import type { CallAnswer } from '#shared/domain/call-result.ts';
import { obstacleSentences } from '#shared/domain/obstacle-sentences.ts';
import { firstCallReason, isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { Confirm } from '../layout/confirm.tsx';
import { durationText, positionText } from '../layout/duration.ts';
import { Live } from '../layout/live.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice } from '../layout/notices.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';
import { CallState, TaskState, taskStatusNames, taskTypeNames } from '../layout/task-words.tsx';
import { DeliveryState } from './webhook-page.tsx';

export interface TaskPageProps {
  readonly view: ProjectView;
  readonly history: TaskHistory;
  readonly done: string | undefined;
  readonly now: Date;
}

/** So long after the end of a task its deliveries are made out; an endpoint that lacks one came later. */
const deliveriesMadeMs = 60_000;

/** Everything that one task did. */
export function TaskPage({ view, history, done, now }: TaskPageProps) {
  const { links, project, role } = view;
  const { task, patient, calls, deliveries, version } = history;
  const address = (rest = ''): string => links.task(project.id, task.id, rest);
  return (
    <ProjectPage
      view={view}
      section="Tasks"
      title="Task"
      intro={taskTypeNames[task.task_type]}
      action={
        <div class="actions">
          {role === 'owner' ? (
            <a class="button second small" href={links.newTask(project.id, { like: task.id })}>
              Create a similar one
            </a>
          ) : null}
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
        <section class="card" id="task">
          <h2>{task.task}</h2>
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
            <dd>{task.phone_number}</dd>
            <dt>Outcome</dt>
            <dd>{task.task_outcome ?? 'None yet'}</dd>
          </dl>
          {role === 'owner' && !isTerminalTaskStatus(task.status) ? (
            <Confirm
              view={view}
              label="Cancel task"
              about=""
              question="No further call is made, and one that is under way is ended."
              action={address('/cancel')}
            />
          ) : null}
        </section>
        <Answers task={task} calls={calls} />
        <Timeline view={view} history={history} deliveries={deliveries} />
        {calls.filter(hasConversation).map((call) => (
          <Conversation view={view} history={call} />
        ))}
      </Live>
    </ProjectPage>
  );
}

function newsOf({ status }: Task): string {
  return `The task is over: ${taskStatusNames[status]}.`;
}

/** Whether nothing more is going to happen. */
function isSettled({ task, calls, deliveries, lacksDelivery }: TaskHistory, now: Date): boolean {
  return (
    isTerminalTaskStatus(task.status) &&
    calls.every(({ call }) => call.completed_at !== null) &&
    deliveries.every(({ delivery }) => delivery.status !== 'pending') &&
    // The webhooks of a task that has just ended are made out one after the other.
    (!lacksDelivery || now.getTime() - Date.parse(task.updated_at) > deliveriesMadeMs)
  );
}

function Answers({ task, calls }: { readonly task: Task; readonly calls: readonly CallHistory[] }) {
  const { answers = [], obstacle = null } = task.result ?? {};
  return answers.length === 0 && obstacle === null ? null : (
    <section class="card" id="answers">
      <h2>Answers</h2>
      <dl class="facts questions">
        {obstacle === null ? null : (
          <>
            <dt>What stood in the way</dt>
            <dd>
              {obstacleSentences[obstacle.reason]}
              <Evidence words={obstacle} callId={obstacle.call_id ?? task.last_call_id} calls={calls} />
            </dd>
          </>
        )}
        {answers.map((answer) => (
          <>
            <dt>{answer.question}</dt>
            <dd>
              {answer.needs_review ? <span class="state warn">Needs review</span> : null}{' '}
              {answer.answer ?? <span class="quiet">Not answered</span>}
              <Evidence words={answer} callId={answer.call_id ?? task.last_call_id} calls={calls} />
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}

/** The words that something rests on, with the way to where they were said when that stands on the page. */
function Evidence({
  words: { quote, turn },
  callId,
  calls,
}: {
  readonly words: Pick<CallAnswer, 'quote' | 'turn'>;
  readonly callId: string | null;
  readonly calls: readonly CallHistory[];
}) {
  if (quote === null) return null;
  const found = calls.find(({ call }) => call.id === callId)?.turns[turn ?? -1];
  return (
    <span class="hint">
      {found === undefined ? (
        `“${quote}”`
      ) : (
        <a href={`#${turnId(found.call_id, found.index)}`}>{`“${quote}”`}</a>
      )}
    </span>
  );
}

function turnId(callId: string, index: number): string {
  return `turn-${callId}-${index}`;
}

interface TimelineEvent {
  readonly at: string;
  readonly what: ReturnType<typeof CallState> | string;
  readonly more?: ReturnType<typeof CallState> | string | null;
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
        {events.map(({ at, what, more }, position) => (
          <li>
            <strong>{what}</strong>
            <span class="hint">
              <Moment at={at} />
              {position === 0 ? null : `, ${laterText(at, events[position - 1]?.at ?? at)}`}
            </span>
            {more === undefined || more === null ? null : <span class="hint">{more}</span>}
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

/** In the order of their times. */
function eventsOf(
  { links, project }: ProjectView,
  { task, calls }: TaskHistory,
  deliveries: readonly TaskDelivery[],
): TimelineEvent[] {
  const isToldByCall = calls.some(({ call }) => call.call_outcome === task.task_outcome);
  const events: TimelineEvent[] = [
    { at: task.created_at, what: 'Created' },
    ...calls.flatMap(({ call }): TimelineEvent[] => [
      {
        at: call.created_at,
        what: `Call ${call.attempt} began`,
        more: call.reason === firstCallReason ? null : call.reason,
      },
      ...(call.ended_at === null
        ? []
        : [
            {
              at: call.ended_at,
              what: (
                <>
                  Call {call.attempt} ended <CallState status={call.status} />
                </>
              ),
              more: call.call_outcome,
            },
          ]),
    ]),
    ...(isTerminalTaskStatus(task.status)
      ? [
          {
            at: task.updated_at,
            what: <TaskState status={task.status} />,
            more: isToldByCall ? null : task.task_outcome,
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
      more: <a href={links.delivery(project.id, endpoint.id, delivery.id)}>{endpoint.url}</a>,
    })),
  ];
  return events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** Not of a call that nobody answered, of which the timeline tells all there is. */
function hasConversation({ call, turns }: CallHistory): boolean {
  return call.ended_at === null || call.recording.status === 'stored' || turns.length > 0;
}

function Conversation({
  view: { links, project },
  history: { call, turns, isWhole },
}: {
  readonly view: ProjectView;
  readonly history: CallHistory;
}) {
  const title = `Call ${call.attempt}`;
  return (
    <section class="card" id={`call-${call.id}`} data-conversation="">
      <div class="head">
        <h2>{title}</h2>
        <CallState status={call.status} />
      </div>
      {call.recording.status === 'stored' ? (
        // biome-ignore lint/a11y/useMediaCaption: the transcript stands below it
        <audio
          controls
          preload="none"
          src={links.recording(project.id, call.id)}
          aria-label={`Recording of call ${call.attempt}`}
        />
      ) : null}
      {turns.length === 0 ? (
        <p class="quiet">{call.ended_at === null ? 'Nothing was said yet.' : 'Nothing was said.'}</p>
      ) : (
        <ol class="conversation">
          {turns.map(({ index, role, content, offset_ms }) => (
            <li id={turnId(call.id, index)} class={role} data-offset-ms={offset_ms} tabindex={-1}>
              <span class="hint">{`${role === 'assistant' ? 'Voice agent' : 'Person called'} · ${positionText(offset_ms)}`}</span>
              {content}
            </li>
          ))}
        </ol>
      )}
      {isWhole ? null : <p class="quiet">The transcript is longer; the API answers with all of it.</p>}
    </section>
  );
}
