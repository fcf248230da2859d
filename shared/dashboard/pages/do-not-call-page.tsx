import type { OptOut } from '#shared/domain/opt-out.ts';
import { may } from '#shared/domain/permissions.ts';
import { phoneNumberText } from '#shared/domain/written-phone-number.ts';
import { Confirm } from '../layout/confirm.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { fieldsOf, TextArea, TextField } from '../layout/fields.tsx';
import { Moment } from '../layout/moment.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { numberText } from '../layout/number.ts';
import { type FormPageProps, PermittedForm } from '../layout/permitted-form.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** The values of the page's two forms. */
export interface DoNotCallValues {
  readonly phone_number: string;
  readonly reason: string;
  readonly csv: string;
  readonly import_reason: string;
}

export const emptyValues: DoNotCallValues = { phone_number: '', reason: '', csv: '', import_reason: '' };

export interface DoNotCallPageProps extends FormPageProps<DoNotCallValues> {
  readonly entries: readonly OptOut[];
  /** From 1; beyond the end, the last page. */
  readonly page: number;
}

const entriesPerPage = 50;

/** Open decisions first, lifted ones last; newest first among equals. */
const order: Readonly<Record<OptOut['status'], number>> = { review: 0, active: 1, lifted: 2 };
const statusNames: Readonly<Record<OptOut['status'], string>> = {
  review: 'Needs review',
  active: 'Not called',
  lifted: 'Lifted',
};
const statusKinds: Readonly<Record<OptOut['status'], string>> = {
  review: 'state warn',
  active: 'state bad',
  lifted: 'state',
};
const sourceNames: Readonly<Record<OptOut['source'], string>> = {
  call: 'Requested on a call',
  person: 'Added by',
  import: 'Imported by',
  command: 'Added by the operator',
};

/** Project Settings > Do Not Call: the numbers that the project must not call, and their history. */
export function DoNotCallPage({ view, entries, page, values, errors, done }: DoNotCallPageProps) {
  const { links, project } = view;
  const field = fieldsOf(values, errors);
  const sorted = entries.toSorted(
    (one, other) => order[one.status] - order[other.status] || other.created_at.localeCompare(one.created_at),
  );
  const pages = Math.max(1, Math.ceil(sorted.length / entriesPerPage));
  const shownPage = Math.min(page, pages);
  const shown = sorted.slice((shownPage - 1) * entriesPerPage, shownPage * entriesPerPage);
  const address = links.doNotCall(project.id);
  return (
    <ProjectPage
      view={view}
      section="Do Not Call"
      intro="Numbers this project does not call. Numbers whose owners opt out on a call are added automatically."
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <section class="card">
        <h2>Numbers</h2>
        {sorted.length === 0 ? (
          <p class="empty quiet">No numbers yet.</p>
        ) : (
          <>
            <p class="quiet">{`${numberText(shown.length)} of ${numberText(sorted.length)}`}</p>
            <DataTable
              label="Do-not-call list"
              columns={['Number', 'Status', 'Added', 'Decision', '']}
              rows={shown.map((entry, index) => [
                phoneNumberText(entry.phone_number),
                <span class={statusKinds[entry.status]}>{statusNames[entry.status]}</span>,
                <Origin view={view} entry={entry} />,
                <Decision entry={entry} />,
                <Decide view={view} entry={entry} index={index} />,
              ])}
            />
            <p class="actions">
              {shownPage > 1 ? <a href={`${address}?page=${shownPage - 1}`}>Previous</a> : null}
              {shownPage < pages ? <a href={`${address}?page=${shownPage + 1}`}>Next</a> : null}
            </p>
          </>
        )}
      </section>
      <PermittedForm
        view={view}
        needed="opt-outs.change"
        title="Add a number"
        action={address}
        button="Add number"
      >
        <TextField {...field('phone_number')} label="Phone number" type="tel" required />
        <TextField
          {...field('reason')}
          label="Reason"
          hint="For example, “Asked for it by letter.”"
          required
        />
      </PermittedForm>
      <PermittedForm
        view={view}
        needed="opt-outs.change"
        title="Import a CSV file"
        action={`${address}/import`}
        button="Import numbers"
      >
        <div class="field scripted" hidden>
          <label for="csv-file">File</label>
          <input id="csv-file" type="file" accept=".csv,text/csv,text/plain" data-into="csv" />
        </div>
        <TextArea
          {...field('csv')}
          label="Numbers"
          hint="One per line, in the first column; a heading is skipped. If one line is invalid, none is added."
          rows={6}
          required
        />
        <TextField {...field('import_reason')} label="Reason" required />
      </PermittedForm>
    </ProjectPage>
  );
}

function Origin({
  view: { links, project, role },
  entry,
}: {
  readonly view: ProjectView;
  readonly entry: OptOut;
}) {
  const { source, added_by, reason, task_id, created_at } = entry;
  const origin =
    source === 'command' || added_by === null ? sourceNames[source] : `${sourceNames[source]} ${added_by}`;
  return (
    <>
      {task_id !== null && may(role, 'tasks.read') ? (
        <a href={links.task(project.id, task_id)}>{origin}</a>
      ) : (
        origin
      )}
      <span class="hint">
        <Moment at={created_at} />
      </span>
      {reason === null ? null : <span class="hint">{reason}</span>}
    </>
  );
}

function Decision({ entry: { status, decision } }: { readonly entry: OptOut }) {
  if (decision === null) return status === 'review' ? 'Requested on a shared line; not yet in effect' : '–';
  return (
    <>
      {`${status === 'lifted' ? 'Lifted' : 'Confirmed'} by ${decision.by}`}
      <span class="hint">
        <Moment at={decision.at} />
      </span>
      <span class="hint">{decision.reason}</span>
    </>
  );
}

function Decide({
  view,
  entry: { status, phone_number },
  index,
}: {
  readonly view: ProjectView;
  readonly entry: OptOut;
  readonly index: number;
}) {
  if (status === 'lifted' || !may(view.role, 'opt-outs.change')) return null;
  const address = view.links.doNotCall(view.project.id);
  const decisions = [
    ...(status === 'review'
      ? [{ name: 'confirm', label: 'Confirm', question: 'The project will not call this number.' } as const]
      : []),
    { name: 'lift', label: 'Lift', question: 'The project may call this number again.' } as const,
  ];
  return (
    <div class="actions">
      {decisions.map(({ name, label, question }) => (
        <Confirm
          view={view}
          label={label}
          about={phoneNumberText(phone_number)}
          kind={name === 'lift' ? 'danger' : 'second'}
          question={question}
          action={`${address}/${name}`}
        >
          <input type="hidden" name="phone_number" value={phone_number} />
          <div class="field">
            <label for={`${name}-reason-${index}`}>Reason</label>
            <input id={`${name}-reason-${index}`} name="reason" type="text" required maxlength={500} />
          </div>
        </Confirm>
      ))}
    </div>
  );
}
