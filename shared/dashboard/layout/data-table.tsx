import type { Child } from 'hono/jsx';

/** Rows of things; on a narrow screen each becomes a card whose lines carry the names of the columns. */
export function DataTable({
  label,
  columns,
  rows,
  ids = [],
  kind = 'table',
}: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Child[])[];
  /** What each row is known by again when the table is part of what is live. */
  readonly ids?: readonly string[];
  /** Rows of one line each, as many as fit on a screen. */
  readonly kind?: 'table' | 'rows';
}) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: laid out as cards, it is a table to some screen readers only by its roles
    <table class={kind === 'rows' ? 'table rows' : 'table'} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th role="columnheader" scope="col">
              {column === '' ? <span class="unseen">Actions</span> : column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((cells, row) => (
          <tr role="row" {...(ids[row] === undefined ? {} : { id: ids[row] })}>
            {cells.map((cell, index) => (
              <td role="cell" {...labelOf(columns[index])}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above
  );
}

function labelOf(column: string | undefined): { 'data-label'?: string } {
  return column === undefined || column === '' ? {} : { 'data-label': column };
}
