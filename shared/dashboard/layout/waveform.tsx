import { positionText } from './duration.ts';

/** Of the drawing, in its own units; the page makes it as wide as there is room. */
const half = 16;
/** Below it is the noise of the line. */
const spokenLevel = 3;

/**
 * Who speaks when in a recording: the person called above the line, the agent below it. The carrier records the line of
 * the person called, whose voice is its first channel. Nothing of a recording that has not these two.
 */
export function Waveform({
  waveform,
  durationSeconds,
}: {
  /** As a recording has it. */
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

/** @param direction -1 for bars above the line, 1 for those below it */
function barsOf(levels: string, direction: -1 | 1): string {
  return [...levels]
    .map((level, part) => `M${part + 0.5} ${half}v${direction * Math.max(0.5, Number.parseInt(level, 16))}`)
    .join('');
}

/** How long a voice is heard, roughly: each part that is not quiet counts as a whole. */
function spokenText(levels: string, durationSeconds: number): string {
  const loud = [...levels].filter((level) => Number.parseInt(level, 16) >= spokenLevel).length;
  return positionText((loud / levels.length) * durationSeconds * 1000);
}
