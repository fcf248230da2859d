import type { Child } from 'hono/jsx';
import { DataTable } from '../data-table.tsx';

/** A chart with its caption, and its numbers as a table for screen readers and copying. */
export function ChartFigure({
  title,
  note,
  table,
  children,
}: {
  readonly title: string;
  /** What exactly is counted. */
  readonly note: Child;
  readonly table: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly Child[])[];
  };
  readonly children: Child;
}) {
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
        <p class="quiet">{note}</p>
      </figcaption>
      {children}
      <details>
        <summary class="more">
          View as table<span class="unseen">: {title}</span>
        </summary>
        <DataTable label={title} columns={table.columns} rows={table.rows} />
      </details>
    </figure>
  );
}
