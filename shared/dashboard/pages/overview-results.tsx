import type { CallCounts, ProjectSummary, ResultCounts } from '#shared/admin/project-summary.ts';
import { DataTable } from '../layout/data-table.tsx';
import { countText, numberText, shareText } from '../layout/number.ts';
import type { ProjectView } from '../layout/project-page.tsx';
import { taskTypeNames } from '../layout/task-words.tsx';

/** Step by step, so that no number seems to say another thing than the next: who answered is not what was reached. */
export function Results({
  results: { finished, reachedPerson, goalReached },
  calls: { talkSeconds },
  period,
}: {
  readonly results: ResultCounts;
  readonly calls: CallCounts;
  readonly period: string;
}) {
  return (
    <section class="card" aria-labelledby="results">
      <h2 id="results">Results</h2>
      <dl class="figures">
        <div>
          <dt>Finished</dt>
          <dd class="big">{numberText(finished)}</dd>
          <dd class="hint">Completed or failed</dd>
        </div>
        <Step name="Reached a person" part={reachedPerson} whole={finished} />
        <Step name="Goal reached" part={goalReached} whole={finished} />
        <div>
          <dt>Minutes on the phone</dt>
          <dd class="big">{numberText(Math.round(talkSeconds / 60))}</dd>
          <dd class="hint">Including time on hold</dd>
        </div>
      </dl>
      <p class="hint">{`Tasks created and calls made in ${period}.`}</p>
    </section>
  );
}

function Step({
  name,
  part,
  whole,
}: {
  readonly name: string;
  readonly part: number;
  readonly whole: number;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="big">{whole === 0 ? '–' : shareText(part, whole)}</dd>
      <dd class="hint">{`${numberText(part)} of ${countText(whole, 'finished task')}`}</dd>
    </div>
  );
}

export function ByType({
  view: { links, project },
  byType,
  period,
}: {
  readonly view: ProjectView;
  readonly byType: ProjectSummary['byType'];
  readonly period: string;
}) {
  return byType.size === 0 ? null : (
    <section class="card chart wide" aria-labelledby="by-type">
      <h2 id="by-type">By task type</h2>
      <p class="hint">{`Tasks created in ${period}.`}</p>
      <DataTable
        label="Tasks by type"
        columns={['Type', 'Created', 'Finished', 'Reached a person', 'Goal reached']}
        rows={[...byType].map(([type, { created, finished, reachedPerson, goalReached }]) => [
          <a href={`${links.tasks(project.id)}?task_type=${type}`}>{taskTypeNames[type]}</a>,
          numberText(created),
          numberText(finished),
          partText(reachedPerson, finished),
          partText(goalReached, finished),
        ])}
      />
    </section>
  );
}

function partText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${numberText(part)} (${shareText(part, whole)})`;
}
