import type { EndedStatus } from '#shared/admin/project-summary.ts';

/** Lines and dots distinguish the results without color. */
const patternSize = 5;
const marks: Readonly<Record<EndedStatus, string | null>> = {
  SUCCESS: null,
  VOICEMAIL: 'M-1 1L1 -1M0 5L5 0M4 6L6 4',
  NO_ANSWER: 'M2.5 0V5',
  BUSY: 'M0 2.5H5',
  FAILED: 'M0 0L5 5M5 0L0 5',
  CANCELLED: 'M2.5 1.7V3.3',
};

/** The fill patterns; included once per page. */
export function ResultPatterns() {
  return (
    <defs>
      {Object.entries(marks).map(([status, mark]) =>
        mark === null ? null : (
          <pattern
            id={`result-${status}`}
            class={`result ${status}`}
            width={patternSize}
            height={patternSize}
            patternUnits="userSpaceOnUse"
          >
            <path class="mark" d={mark} />
          </pattern>
        ),
      )}
    </defs>
  );
}

/** The `fill` of a result; undefined if its class colors it. */
export function resultFill(status: EndedStatus): string {
  return marks[status] === null ? 'currentColor' : `url(#result-${status})`;
}

export function ResultSwatch({ status }: { readonly status: EndedStatus }) {
  return (
    <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
      <rect class={`result ${status}`} fill={resultFill(status)} x="1" y="1" width="14" height="14" />
    </svg>
  );
}
