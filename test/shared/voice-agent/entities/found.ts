import type { Entity, EntityContext, EntityType } from '#shared/voice-agent/entities/entity.ts';
import { findEntities } from '#shared/voice-agent/entities/find-entities.ts';
import { tokenize } from '#shared/voice-agent/entities/tokens.ts';

/** A Monday. */
export const today = '2026-11-16';

type Typed<T extends EntityType> = Extract<Entity, { type: T }>;

/** The entities of a type in what was said on that Monday. */
export function found<T extends EntityType>(
  said: string,
  type: T,
  context: Partial<EntityContext> = {},
): Typed<T>[] {
  const isTyped = (entity: Entity): entity is Typed<T> => entity.type === type;
  return findEntities(tokenize(said), { today, ...context }).filter(isTyped);
}

/** Days as `2026-11-24`, spans as `2026-11-23/2026-11-29`; the days of moments count. */
export function daysIn(said: string, context: Partial<EntityContext> = {}): string[] {
  return findEntities(tokenize(said), { today, ...context }).flatMap((entity) => {
    if (entity.type === 'moment') return [entity.value.day];
    if (entity.type !== 'date') return [];
    const { day, lastDay } = entity.value;
    return [day === lastDay ? day : `${day}/${lastDay}`];
  });
}

export function clock(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

/** Times as `10:30`, ranges as `9:00-11:00`, parts of the day by their names; the times of moments count. */
export function timesIn(said: string, context: Partial<EntityContext> = {}): string[] {
  return findEntities(tokenize(said), { today, ...context }).flatMap((entity) => {
    if (entity.type === 'moment') return [clock(entity.value.minutes)];
    if (entity.type === 'time') return [clock(entity.value)];
    if (entity.type !== 'time-range') return [];
    const { from, to, daypart } = entity.value;
    return [daypart ?? `${clock(from)}-${clock(to)}`];
  });
}

/** Moments as `2026-11-24 10:30`. */
export function momentsIn(said: string, context: Partial<EntityContext> = {}): string[] {
  return found(said, 'moment', context).map(({ value }) => `${value.day} ${clock(value.minutes)}`);
}
