import type { Child } from 'hono/jsx';

/** A part of a long form; an optional one is collapsed while empty. */
export function FormPart({
  title,
  isOpen,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: Child;
}) {
  return (
    <details class="card part" {...(isOpen ? { open: true } : {})}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}
