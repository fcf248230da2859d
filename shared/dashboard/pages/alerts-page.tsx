import type { AlertFrequency } from '#shared/domain/alert.ts';
import { zoneText } from '../layout/clock-words.ts';
import { Document } from '../layout/document.tsx';
import { Choices, fieldsOf } from '../layout/fields.tsx';
import { DoneNotice, ErrorSummary } from '../layout/notices.tsx';
import { type FormPageProps, PermittedForm } from '../layout/permitted-form.tsx';
import { ProjectPage } from '../layout/project-page.tsx';
import type { Links } from '../links.ts';

const choices: readonly { value: AlertFrequency; label: string; hint: string }[] = [
  { value: 'off', label: 'Off', hint: 'No email.' },
  { value: 'hourly', label: 'Hourly digest', hint: 'On the hour.' },
  { value: 'daily', label: 'Daily digest', hint: 'At 7:00 AM.' },
];

/** Project Settings > Alerts: the reader's own email alerts about the project. */
export function AlertsPage({ view, values, errors, done }: FormPageProps<{ readonly frequency: string }>) {
  return (
    <ProjectPage
      view={view}
      section="Alerts"
      intro={
        `Email to ${view.session.person.email} when tasks need a person. ` +
        'It contains counts and links, but nothing about patients.'
      }
    >
      <DoneNotice done={done} />
      <ErrorSummary errors={errors} />
      <PermittedForm
        view={view}
        needed="tasks.read"
        title="Your alerts in this project"
        action={view.links.alerts(view.project.id)}
        button="Save alerts"
      >
        <Choices
          kind="radio"
          {...fieldsOf(values, errors)('frequency')}
          label="Email about tasks that newly need follow-up, need review or failed"
          choices={choices}
        />
        <p class="quiet">No email is sent if nothing is new. Times are in {zoneText(view.timeZone)}.</p>
      </PermittedForm>
    </ProjectPage>
  );
}

/** The page behind the unsubscribe link; its form posts to its own URL. */
export function UnsubscribePage({ links, isDone }: { readonly links: Links; readonly isDone: boolean }) {
  return (
    <Document links={links} title="Email alerts">
      <div class="frame">
        <main id="content" tabindex={-1} class="card welcome">
          {isDone ? (
            <h1>You will no longer receive these emails</h1>
          ) : (
            <>
              <h1>Stop these emails?</h1>
              <form method="post">
                <p>
                  <button type="submit">Stop emails</button>
                </p>
              </form>
            </>
          )}
          <p>
            <a href={links.home}>Go to the dashboard</a>
          </p>
        </main>
      </div>
    </Document>
  );
}
