import type { CallHistory, TaskHistory } from '#shared/admin/task-history.ts';
import { wallTime } from '#shared/calling-hours/zone-clock.ts';
import { isFutile } from '#shared/carrier/explain-call.ts';
import type { CallAnswer } from '#shared/domain/call-result.ts';
import type { FollowUp } from '#shared/domain/follow-up.ts';
import { obstacleSentences } from '#shared/domain/obstacle-sentences.ts';
import { may } from '#shared/domain/permissions.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { withWrittenNumbers } from '#shared/domain/written-phone-number.ts';
import { filledFields } from '../forms/new-task-form.ts';
import { toNewTaskForm } from '../forms/repeated-task-form.ts';
import { Day } from '../layout/day.tsx';
import { Moment } from '../layout/moment.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import { Notes } from './follow-up-page.tsx';

/** What a person has to do now: obstacles, remaining steps, and answers to check. */
export function NextSteps({
  view,
  history: { task, calls, isOptedOut },
  now,
}: {
  readonly view: ProjectView;
  readonly history: Pick<TaskHistory, 'task' | 'calls' | 'isOptedOut'>;
  readonly now: Date;
}) {
  const { answers = [], obstacle = null, follow_up = null } = task.result ?? {};
  const unsure = answers.filter((answer) => answer.needs_review);
  const isOver = isTerminalTaskStatus(task.status);
  const work = task.follow_up_work ?? null;
  const isNothing = obstacle === null && follow_up === null && unsure.length === 0 && work === null;
  // A person may see more to do than the agent did.
  if (!isOver || (isNothing && !may(view.role, 'tasks.write'))) return null;
  return (
    <section class={isNothing || work?.done_at ? 'card' : 'card next'} id="next-steps">
      <h2>Next steps</h2>
      <dl class="facts questions">
        {obstacle === null ? null : (
          <>
            <dt>Obstacle</dt>
            <dd>
              {obstacleSentences[obstacle.reason]}
              <Evidence words={obstacle} callId={obstacle.call_id ?? task.last_call_id} calls={calls} />
            </dd>
          </>
        )}
        {follow_up === null ? null : (
          <>
            <dt>Follow-up</dt>
            <dd>{follow_up}</dd>
          </>
        )}
        {unsure.map((answer) => (
          <>
            <dt>{answer.question}</dt>
            <dd>
              <span class="state warn">Needs review</span> Listen to what was said.
              <Evidence words={answer} callId={answer.call_id ?? task.last_call_id} calls={calls} />
            </dd>
          </>
        ))}
        {work === null ? null : <Work work={work} today={wallTime(view.timeZone, now).date} />}
      </dl>
      {isOptedOut ? (
        <p>
          The number is on the{' '}
          {may(view.role, 'opt-outs.read') ? (
            <a href={view.links.doNotCall(view.project.id)}>Do Not Call list</a>
          ) : (
            'Do Not Call list'
          )}
          .
        </p>
      ) : isNothing ? (
        <p class="quiet">{nothingElse(task, calls)}</p>
      ) : null}
      {may(view.role, 'tasks.write') ? (
        <p>
          <a class="button second small" href={view.links.task(view.project.id, task.id, '/follow-up')}>
            {work === null ? 'Follow up' : 'Change the follow-up'}
          </a>
        </p>
      ) : null}
    </section>
  );
}

function nothingElse({ status, attempts, result }: Task, calls: readonly CallHistory[]): string {
  if (status === 'CANCELLED' && attempts > 0) {
    return 'Calls were made before the task was canceled. Check what was said.';
  }
  if (status === 'FAILED') {
    const last = calls.at(-1)?.call;
    const isWrong = last !== undefined && (last.result?.ending === 'wrong-number' || isFutile(last));
    return isWrong
      ? 'Check the number, and call the right one with “Duplicate task”. Or follow up.'
      : 'The goal was not reached. Call again, or follow up.';
  }
  return status === 'COMPLETED' && result?.answers.some(({ answer }) => answer === null) === true
    ? 'Not every question was answered. Call again, or follow up.'
    : 'Nothing left to do.';
}

/** The follow-up: assignee, due date, notes, and whether it is done. */
function Work({ work, today }: { readonly work: FollowUp; readonly today: string }) {
  return (
    <>
      <dt>State</dt>
      <dd>
        {work.done_at === null ? (
          <span class="state warn">Open</span>
        ) : (
          <>
            <span class="state good">Done</span>{' '}
            <span class="hint">
              {`${work.done_by ?? ''}, `}
              <Moment at={work.done_at} />
            </span>
          </>
        )}
      </dd>
      <dt>Assignee</dt>
      <dd>{work.assignee ?? <span class="quiet">Unassigned</span>}</dd>
      <dt>Due</dt>
      <dd>
        {work.due === null ? <span class="quiet">Not set</span> : <Day on={work.due} />}
        {work.done_at === null && work.due !== null && work.due < today ? (
          <>
            {' '}
            <span class="state warn">Overdue</span>
          </>
        ) : null}
      </dd>
      {work.notes.length === 0 ? null : (
        <>
          <dt>Notes</dt>
          <dd>
            <Notes followUp={work} />
          </dd>
        </>
      )}
    </>
  );
}

export function Answers({ task, calls }: { readonly task: Task; readonly calls: readonly CallHistory[] }) {
  const { answers = [], reference_number = null, person_name = null } = task.result ?? {};
  const isAmong = (text: string): boolean => answers.some(({ answer }) => answer === text);
  return answers.length === 0 ? null : (
    <section class="card" id="answers">
      <h2>Answers</h2>
      <dl class="facts questions">
        {answers.map((answer) => (
          <>
            <dt>{answer.question}</dt>
            <dd>
              {answer.needs_review ? <span class="state warn">Needs review</span> : null}{' '}
              {answer.answer === null ? (
                <span class="quiet">Not answered</span>
              ) : (
                withWrittenNumbers(answer.answer)
              )}
              <Evidence
                words={answer}
                beside={answer.answer}
                callId={answer.call_id ?? task.last_call_id}
                calls={calls}
              />
            </dd>
          </>
        ))}
        {reference_number === null || isAmong(reference_number) ? null : (
          <>
            <dt>Confirmation or reference number</dt>
            <dd>{reference_number}</dd>
          </>
        )}
        {person_name === null || isAmong(person_name) ? null : (
          <>
            <dt>Spoke with</dt>
            <dd>{person_name}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Each disclosed fact about the patient, linked to its first mention. */
export function Disclosures({
  task,
  calls,
}: {
  readonly task: Task;
  readonly calls: readonly CallHistory[];
}) {
  const { disclosures = [] } = task.result ?? {};
  const firstOnes = disclosures.filter(
    ({ field }, index) => disclosures.findIndex((other) => other.field === field) === index,
  );
  return firstOnes.length === 0 ? null : (
    <section class="card" id="disclosures">
      <h2>Disclosures</h2>
      <ul class="inline">
        {firstOnes.map(({ field, turn, call_id }) => {
          const found = turnOf(calls, call_id ?? task.last_call_id, turn);
          const name = fieldText(field);
          return (
            <li>
              {found === undefined ? name : <a href={`#${turnId(found.call_id, found.index)}`}>{name}</a>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** “Patient: date of birth”, or “Medical insurance: member ID” for `patient.insurance.medical.0.member_id`. */
function fieldText(field: string): string {
  if (field === 'task') return 'Purpose of the call';
  const parts = field
    .replace(/^task_data\./, '')
    .replace(/^patient\.insurance\.(\w+)/, '$1 insurance')
    .replaceAll('_', ' ')
    .replaceAll(/\b(id|npi|cpt|mrn)\b/g, (word) => word.toUpperCase())
    .split('.')
    .filter((part) => !/^\d+$/.test(part));
  const text = [parts[0], parts.slice(1).join(', ')].filter((part) => part !== '').join(': ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The agent's data besides the goal, with the labels of the new-task form. */
export function Instructions({ task }: { readonly task: Task }) {
  const { data, further } = toNewTaskForm(task);
  const facts = filledFields(task.task_type, data);
  return facts.length === 0 && further === '' ? null : (
    <section class="card" id="instructions">
      <h2>Instructions</h2>
      <dl class="facts questions">
        {facts.map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </>
        ))}
        {further === '' ? null : (
          <>
            <dt>Developer data</dt>
            <dd>
              <pre>{further}</pre>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** The quote, unless the text beside it contains it, linked to its place in the transcript if that is on the page. */
function Evidence({
  words: { quote, turn },
  beside = null,
  callId,
  calls,
}: {
  readonly words: Pick<CallAnswer, 'quote' | 'turn'>;
  readonly beside?: string | null;
  readonly callId: string | null;
  readonly calls: readonly CallHistory[];
}) {
  if (quote === null) return null;
  const found = turnOf(calls, callId, turn);
  const isShown = beside?.includes(quote) === true;
  if (found === undefined) return isShown ? null : <span class="hint">{`“${quote}”`}</span>;
  return (
    <span class="hint">
      <a href={`#${turnId(found.call_id, found.index)}`}>{isShown ? 'In the transcript' : `“${quote}”`}</a>
    </span>
  );
}

function turnOf(calls: readonly CallHistory[], callId: string | null, turn: number | null) {
  return calls.find(({ call }) => call.id === callId)?.turns[turn ?? -1];
}

export function turnId(callId: string, index: number): string {
  return `turn-${callId}-${index}`;
}
