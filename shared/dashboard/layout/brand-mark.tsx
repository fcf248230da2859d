/** A voice's waveform; decorative. */
export function BrandMark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M6 10v4M10 6.5v11M14 9v6M18 10.5v3" />
    </svg>
  );
}
