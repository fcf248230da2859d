import { numberText } from '../number.ts';

/** The color of a labeled bar: no meaning rests on color alone. */
export type BarTone = 'accent' | 'good' | 'bad' | 'warn' | 'quiet';

export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly tone: BarTone;
}

/** In drawing units; the page scales it to the available width. */
const width = 360;
const rowHeight = 32;
const labelWidth = 124;
/** Room for the number after the longest bar. */
const numberWidth = 48;

/** One labeled bar per category, with its number. */
export function Bars({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(...bars.map(({ count }) => count), 1);
  const lengthOf = (count: number): number => (count / most) * (width - labelWidth - numberWidth);
  return (
    <svg viewBox={`0 0 ${width} ${bars.length * rowHeight}`} role="img" aria-label={spoken(label, bars)}>
      {bars.map(({ label: name, count, tone }, row) => {
        const middle = row * rowHeight + rowHeight / 2;
        const end = labelWidth + lengthOf(count);
        return (
          <g>
            <text x="0" y={middle} class="middle">
              {name}
            </text>
            <rect
              class={`tone ${tone}`}
              x={labelWidth}
              y={middle - 9}
              width={round(Math.max(lengthOf(count), count > 0 ? 2 : 0))}
              height="18"
            />
            <text x={round(end + 7)} y={middle} class="middle number">
              {numberText(count)}
            </text>
          </g>
        );
      })}
      <line class="axis" x1={labelWidth} x2={labelWidth} y1="0" y2={bars.length * rowHeight} />
    </svg>
  );
}

function spoken(label: string, bars: readonly Bar[]): string {
  return `${label}: ${bars.map((bar) => `${bar.label} ${numberText(bar.count)}`).join(', ')}`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
