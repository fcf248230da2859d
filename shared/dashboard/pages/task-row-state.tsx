import { obstacleSentences } from '#shared/domain/obstacle-sentences.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import { withWrittenNumbers } from '#shared/domain/written-phone-number.ts';
import type { TaskRow } from '#shared/table/task-rows.ts';
import { Day } from '../layout/day.tsx';
import { TaskState, taskStatusNames } from '../layout/task-words.tsx';

/** What the task needs, its result, or what it waits for, in one line. */
export function RowState({ row, today }: { readonly row: TaskRow; readonly today: string }) {
  const text = lineOf(row);
  return (
    <div class="one-line">
      <span {...newsOf(row)}>
        <TaskState status={row.status} />
      </span>
      {row.needs_review ? <span class="state warn">Needs review</span> : null}
      <Work row={row} today={today} />
      {text === null ? null : (
        <span class="line" title={text}>
          {text}
        </span>
      )}
    </div>
  );
}

/** A follow-up's assignee and due date, or that it is done. */
function Work({
  row: { needs_follow_up, listed },
  today,
}: {
  readonly row: TaskRow;
  readonly today: string;
}) {
  const { assignee = null, due = null, done_at = null } = listed.follow_up_work ?? {};
  if (done_at !== null) return <span class="state plain">Followed up</span>;
  const isOverdue = due !== null && due < today;
  const [first, later] = isOverdue ? ['Overdue since ', ', overdue since '] : ['Due ', ', due '];
  return !needs_follow_up || (assignee === null && due === null) ? null : (
    <span class={isOverdue ? 'state warn' : 'state plain'}>
      {assignee === null ? null : assignee.split('@')[0]}
      {due === null ? null : (
        <>
          {assignee === null ? first : later}
          <Day on={due} today={today} />
        </>
      )}
    </span>
  );
}

function lineOf({
  status,
  listed,
  task_outcome,
  next_attempt_reason,
  current_call_id,
}: TaskRow): string | null {
  if (isTerminalTaskStatus(status)) {
    const { obstacle = null, follow_up = null } = listed.result ?? {};
    if (obstacle !== null) return obstacleSentences[obstacle.reason];
    const text = follow_up ?? task_outcome;
    return text === null ? null : withWrittenNumbers(text);
  }
  return current_call_id === null ? next_attempt_reason : 'On the phone';
}

function newsOf({ task, status }: TaskRow): { 'data-news'?: string } {
  return isTerminalTaskStatus(status) ? { 'data-news': `${taskStatusNames[status]}: ${task}` } : {};
}
