import { DoneNotice } from '../layout/notices.tsx';
import { ProjectPage, type ProjectView } from '../layout/project-page.tsx';

/** How a project fares, at a glance. */
export function OverviewPage({
  view,
  done,
}: {
  readonly view: ProjectView;
  readonly done: string | undefined;
}) {
  return (
    <ProjectPage view={view} section="Overview">
      <DoneNotice done={done} />
    </ProjectPage>
  );
}
