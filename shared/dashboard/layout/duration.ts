/** A duration in prose: `under 1 s`, `42 s`, `3 min 5 s`, `2 h 10 min`, `4 d 2 h`. */
export function durationText(durationMs: number): string {
  if (durationMs < 1000) return 'under 1 s';
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return both(`${minutes} min`, seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? both(`${hours} h`, minutes % 60, 'min')
    : both(`${Math.floor(hours / 24)} d`, hours % 24, 'h');
}

function both(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${rest} ${unit}`;
}

/** A rough age: `now`, `5 min`, `3 h`, `12 d`. */
export function ageText(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(at)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** A position in a recording: `1:05`. */
export function positionText(offsetMs: number): string {
  const seconds = Math.floor(offsetMs / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
