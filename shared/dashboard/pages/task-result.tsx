import type { CallHistory } from '#shared/admin/task-history.ts';
import type { CallAnswer } from '#shared/domain/call-result.ts';
import { obstacleSentences } from '#shared/domain/obstacle-sentences.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { filledFields, toNewTaskForm } from '../forms/new-task-form.ts';

/** What a person has to do now: what stood in the way, what was left to do, and what to listen to. */
export function NextSteps({ task, calls }: { readonly task: Task; readonly calls: readonly CallHistory[] }) {
  const { answers = [], obstacle = null, follow_up = null } = task.result ?? {};
  const unsure = answers.filter((answer) => answer.needs_review);
  const isOver = isTerminalTaskStatus(task.status);
  return !isOver || (obstacle === null && follow_up === null && unsure.length === 0) ? null : (
    <section class="card next" id="next-steps">
      <h2>Next steps</h2>
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
      </dl>
    </section>
  );
}

export function Answers({ task, calls }: { readonly task: Task; readonly calls: readonly CallHistory[] }) {
  const { answers = [], reference_number = null, person_name = null } = task.result ?? {};
  return answers.length === 0 ? null : (
    <section class="card" id="answers">
      <h2>Answers</h2>
      <dl class="facts questions">
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
        {reference_number === null ? null : (
          <>
            <dt>Confirmation number</dt>
            <dd>{reference_number}</dd>
          </>
        )}
        {person_name === null ? null : (
          <>
            <dt>Spoke with</dt>
            <dd>{person_name}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Each fact of the patient that was said, with the way to where it was said. */
export function Disclosures({
  task,
  calls,
}: {
  readonly task: Task;
  readonly calls: readonly CallHistory[];
}) {
  const { disclosures = [] } = task.result ?? {};
  return disclosures.length === 0 ? null : (
    <section class="card" id="disclosures">
      <h2>What was disclosed</h2>
      <ul>
        {disclosures.map(({ field, turn, call_id }) => {
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

/** `patient.date_of_birth` is “Patient: date of birth”. */
function fieldText(field: string): string {
  const [group = '', ...rest] = field
    .replace(/^task_data\./, '')
    .replaceAll('_', ' ')
    .split('.');
  const text = rest.length === 0 ? group : `${group}: ${rest.join(', ')}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What the agent was given besides its goal, as the form of a new task names it. */
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
  const found = turnOf(calls, callId, turn);
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

function turnOf(calls: readonly CallHistory[], callId: string | null, turn: number | null) {
  return calls.find(({ call }) => call.id === callId)?.turns[turn ?? -1];
}

export function turnId(callId: string, index: number): string {
  return `turn-${callId}-${index}`;
}
