import type { Child } from 'hono/jsx';

/** A sortable column. */
export interface SortedColumn {
  readonly name: string;
  /** URL of the rows sorted by this column, or reversed if they already are. */
  readonly href: string;
  /** The direction of the rows if they are sorted by this column, else null. */
  readonly direction: 'ascending' | 'descending' | null;
}

/** A table that becomes labeled cards on narrow screens. */
export function DataTable({
  label,
  columns,
  rows,
  ids = [],
  kind = 'table',
}: {
  readonly label: string;
  readonly columns: readonly (string | SortedColumn)[];
  readonly rows: readonly (readonly Child[])[];
  /** Identifies each row when the table is part of a live section. */
  readonly ids?: readonly string[];
  /** Layout of rows: one-line rows, or audit entries. */
  readonly kind?: 'table' | 'rows' | 'log';
}) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: laid out as cards, only roles make it a table to screen readers
    <table class={kind === 'table' ? kind : `table ${kind}`} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Heading column={column} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((cells, row) => (
          <tr role="row" {...(ids[row] === undefined ? {} : { id: ids[row] })}>
            {cells.map((cell, index) => (
              <td role="cell" {...labelOf(columns[index] ?? '')}>
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

function Heading({ column }: { readonly column: string | SortedColumn }) {
  // biome-ignore-start lint/a11y/noRedundantRoles: laid out as cards, only roles make it a table to screen readers
  if (typeof column === 'string') {
    return (
      <th role="columnheader" scope="col">
        {column === '' ? <span class="unseen">Actions</span> : column}
      </th>
    );
  }
  const { name, href, direction } = column;
  return (
    <th role="columnheader" scope="col" {...(direction === null ? {} : { 'aria-sort': direction })}>
      <a class="sort" href={href}>
        {name}
      </a>
    </th>
  );
  // biome-ignore-end lint/a11y/noRedundantRoles: as above
}

function labelOf(column: string | SortedColumn): { 'data-label'?: string } {
  const name = typeof column === 'string' ? column : column.name;
  return name === '' ? {} : { 'data-label': name };
}
