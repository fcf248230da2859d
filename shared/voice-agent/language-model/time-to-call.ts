import { findEntities } from '../entities/find-entities.ts';
import { tokenize } from '../entities/tokens.ts';

/** Below this, a number may be anything. */
const leastCertain = 0.5;

/**
 * When words ask to be called: a day, or a day with the earliest time, `2026-12-01T10:00` for "tomorrow, after ten".
 * A time alone is today's. `null` if they name neither.
 */
export function timeToCall(words: string, today: string): string | null {
  const found = findEntities(tokenize(words), { today, direction: 'future' });
  const sure = found.filter(({ certainty }) => certainty >= leastCertain);
  const days = sure.flatMap(({ type, value }) => (type === 'moment' || type === 'date' ? [value.day] : []));
  const times = sure.flatMap(({ type, value }) => {
    if (type === 'moment') return [value.minutes];
    if (type === 'time') return [value];
    return type === 'time-range' && value.from > 0 ? [value.from] : [];
  });
  const [day, minutes] = [days[0], times[0]];
  if (minutes === undefined) return day ?? null;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${day ?? today}T${hour}:${minute}`;
}
