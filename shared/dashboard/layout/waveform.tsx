import { positionText } from './duration.ts';

/** In drawing units; the page scales it to the available width. */
const half = 16;
/** Quieter levels are line noise. */
const spokenLevel = 3;

/**
 * Who speaks when in a recording: the person above the line, the agent below it. The carrier records the person on the
 * first channel. Nothing for a recording without both channels.
 */
export function Waveform({
  waveform,
  durationSeconds,
}: {
  /** As stored with a recording. */
  readonly waveform: readonly string[] | undefined;
  readonly durationSeconds: number;
}) {
  const [person = '', agent = '', ...others] = waveform ?? [];
  if (person === '' || agent === '' || others.length > 0) return null;
  return (
    <figure class="waveform">
      <svg
        viewBox={`0 0 ${person.length} ${2 * half}`}
        preserveAspectRatio="none"
        data-waveform={durationSeconds}
        aria-hidden="true"
      >
        <path class="person" d={barsOf(person, -1)} />
        <path class="agent" d={barsOf(agent, 1)} />
        <line class="heard-to" x1="0" x2="0" y1="0" y2={2 * half} />
      </svg>
      <figcaption>
        <span class="person">{`Person called ${spokenText(person, durationSeconds)}`}</span>
        <span class="agent">{`Voice agent ${spokenText(agent, durationSeconds)}`}</span>
      </figcaption>
    </figure>
  );
}

/** @param direction -1 for bars above the line, 1 below it */
function barsOf(levels: string, direction: -1 | 1): string {
  return [...levels]
    .map((level, part) => `M${part + 0.5} ${half}v${direction * Math.max(0.5, Number.parseInt(level, 16))}`)
    .join('');
}

/** A rough talk time: each part that is not quiet counts in full. */
function spokenText(levels: string, durationSeconds: number): string {
  const loud = [...levels].filter((level) => Number.parseInt(level, 16) >= spokenLevel).length;
  return positionText((loud / levels.length) * durationSeconds * 1000);
}
