/** A secret to copy: by hand, or by a button if scripts run. */
export function Copyable({
  id,
  label,
  text,
}: {
  readonly id: string;
  readonly label: string;
  readonly text: string;
}) {
  return (
    <div class="secret">
      <code id={id}>{text}</code>
      <button type="button" class="second small" data-copies={id} hidden>
        {`Copy ${label}`}
      </button>
      <span role="status" />
    </div>
  );
}
