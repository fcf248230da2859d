import type { Child } from 'hono/jsx';

/** A column by which the rows can be sorted. */
export interface SortedColumn {
  readonly name: string;
  /** Address of the rows in this column's order, or in the reverse of it where they are in this order. */
  readonly href: string;
  /** In which order the rows are; null when it is not that of this column. */
  readonly direction: 'ascending' | 'descending' | null;
}

/** Rows of things; on a narrow screen each becomes a card whose lines carry the names of the columns. */
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
  // biome-ignore-start lint/a11y/noRedundantRoles: laid out as cards, it is a table to some screen readers only by its roles
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
