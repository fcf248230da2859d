import { Document } from '../layout/document.tsx';
import type { Links } from '../links.ts';

/** An error page with a way back. */
export function ProblemPage({
  links,
  title,
  text,
}: {
  readonly links: Links;
  readonly title: string;
  readonly text: string;
}) {
  return (
    <Document links={links} title={title}>
      <div class="frame">
        <main id="content" tabindex={-1} class="card welcome">
          <h1>{title}</h1>
          <p>{text}</p>
          <p>
            <a href={links.home}>To your projects</a>
          </p>
        </main>
      </div>
    </Document>
  );
}
