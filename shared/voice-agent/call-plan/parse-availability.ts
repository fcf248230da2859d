import type { Scan } from '../entities/readings.ts';
import { wordSet } from '../entities/tokens.ts';
import { addDays } from '../language/calendar.ts';
import { type Availability, anyTime, type TimeWindow } from './availability.ts';
import { type Hours, type Part, partsOfWish, type Span } from './availability-parts.ts';
import words from './en-US/availability.json' with { type: 'json' };

/** Days, hours or a span, and the words that join them to the previous piece. */
type Piece = Extract<Part, { kind: 'days' | 'hours' | 'span' }> & { readonly gap: Gap };
interface Gap {
  readonly or: boolean;
  readonly comma: boolean;
  /** "Mondays work, …": the clause is complete. */
  readonly affirmed: boolean;
}

/** Pieces that belong together: "Tuesdays and Thursdays after 3 next week". */
interface Group {
  mode: 'possible' | 'preferred' | 'excluded';
  /** The mode follows the pieces: "Fridays are out". */
  isBack: boolean;
  isFallback: boolean;
  pieces: Piece[];
}

interface State {
  readonly groups: Group[];
  group: Group;
  gap: Gap;
  /** The words since the last comma. */
  clause: { hasPiece: boolean; hasMode: boolean; unknown: Part[]; hanging: Part[] };
  readonly leftover: Part[][];
  isSoonest: boolean;
}

const noGap: Gap = { or: false, comma: false, affirmed: false };
const newGroup = (): Group => ({ mode: 'possible', isBack: false, isFallback: false, pieces: [] });
const newClause = (): State['clause'] => ({ hasPiece: false, hasMode: false, unknown: [], hanging: [] });
const allDay: Hours = { from: 0, to: 24 * 60 };
const subjects = wordSet(words.subjects);
const maxLength = 4000;

/**
 * Parses the patient's availability. Unknown words restrict nothing and are listed, so no one relies on them.
 *
 * @param today the day the words were written, `YYYY-MM-DD`, which "next week" refers to
 */
export function parseAvailability(text: string | undefined, today: string): Availability {
  const said = text?.trim() ?? '';
  if (said === '') return anyTime;
  const { parts, scan } = partsOfWish(said.slice(0, maxLength), today);
  const state: State = {
    groups: [],
    group: newGroup(),
    gap: noGap,
    clause: newClause(),
    leftover: [],
    isSoonest: false,
  };
  parts.forEach((part, index) => {
    take(state, part, parts.slice(index + 1, index + 4), isSubject(scan, part) && isJoint(parts[index - 1]));
  });
  close(state);
  const not_understood = state.leftover.map((found) => wordsOf(found, scan));
  return {
    ...anyTime,
    ...availabilityOf(state.groups),
    text: said,
    soonest: state.isSoonest,
    not_understood,
  };
}

/** The words about time in another text: "Schedule a visit for her *within the next two weeks*." */
export function timeWordsIn(text: string, today: string): string | null {
  const { parts, scan } = partsOfWish(text.slice(0, maxLength), today);
  const runs: Part[][] = [[]];
  for (const part of parts) {
    if (part.kind === 'unknown' || part.kind === 'ignored' || part.kind === 'stop') runs.push([]);
    else runs.at(-1)?.push(part);
  }
  const said = runs.filter((run) =>
    run.some(({ kind }) => kind === 'days' || kind === 'hours' || kind === 'span'),
  );
  return said.length === 0 ? null : said.map((run) => wordsOf(run, scan)).join(', ');
}

const isSubject = ({ tokens }: Scan, { at }: Part): boolean =>
  subjects.has(tokens[at]?.norm.split(' ')[0] ?? '');
const isJoint = (part: Part | undefined): boolean => part?.kind === 'or' || part?.kind === 'comma';

function wordsOf(parts: readonly Part[], { tokens }: Scan): string {
  const said = tokens.slice(parts[0]?.at, parts.at(-1)?.end);
  return said
    .map(({ text, before }) => before + text)
    .join('')
    .trim();
}

/** @param startsClause the part is a subject after a comma or "and": "mornings, and she is busy on Fridays" */
function take(state: State, part: Part, following: readonly Part[], startsClause: boolean): void {
  switch (part.kind) {
    case 'days':
    case 'hours':
    case 'span':
      takePiece(state, { ...part, gap: state.gap }, following);
      break;
    case 'stop':
    case 'break':
    case 'fallback-break':
      close(state);
      state.group.isFallback = part.kind === 'fallback-break';
      break;
    case 'comma':
      endClause(state);
      state.gap = { ...state.gap, comma: true };
      break;
    case 'or':
      state.gap = { ...state.gap, or: true };
      break;
    case 'fallback':
      state.group.isFallback = true;
      state.gap = { ...state.gap, affirmed: true };
      break;
    case 'affirm':
      state.gap = { ...state.gap, affirmed: true };
      break;
    case 'doubtful':
      state.leftover.push([part]);
      break;
    case 'soonest':
      [state.isSoonest, state.clause.hasPiece] = [true, true];
      break;
    case 'others':
      takePiece(
        state,
        { ...part, kind: 'days', weekdays: otherDays(state), days: [], gap: state.gap },
        following,
      );
      break;
    case 'hanging':
    case 'unknown':
    case 'ignored':
      if (startsClause) close(state);
      if (part.kind === 'hanging' || state.clause.hanging.length > 0) state.clause.hanging.push(part);
      else if (part.kind === 'unknown') state.clause.unknown.push(part);
      break;
    case 'excluded':
    case 'excluded-back':
    case 'excluded-person':
    case 'preferred':
    case 'preferred-back':
      takeMode(state, part.kind);
      break;
    case 'neutral':
  }
}

/** "Other days any time": the days not named. */
function otherDays({ groups, group }: State): number[] {
  const pieces = [...groups, group].flatMap((known) => known.pieces);
  const named = new Set(pieces.flatMap((piece) => (piece.kind === 'days' ? piece.weekdays : [])));
  return [0, 1, 2, 3, 4, 5, 6].filter((day) => !named.has(day));
}

function takeMode(state: State, kind: string): void {
  state.clause.hasMode = true;
  const isBack = kind.endsWith('-back') && state.group.pieces.length > 0 && !state.gap.comma;
  if (isBack) {
    // "Any weekday, mornings are best": applies only to the mornings.
    const from = state.group.pieces.findLastIndex(
      (piece, at, pieces) => piece.gap.comma && narrows(piece, pieces[at - 1]),
    );
    const pieces = from > 0 ? state.group.pieces.splice(from) : state.group.pieces.splice(0);
    keep(state);
    state.group = { ...newGroup(), isBack, pieces };
  } else if (state.group.pieces.length > 0) keep(state);
  if (state.group.mode !== 'excluded')
    state.group.mode = kind.startsWith('preferred') ? 'preferred' : 'excluded';
}

/** Whether a piece does not continue a list. */
function narrows(piece: Piece, before: Piece | undefined): boolean {
  if (piece.kind !== 'days' || before?.kind !== 'days') return piece.kind !== before?.kind;
  return piece.weekdays.length > 0 && piece.weekdays.every((day) => before.weekdays.includes(day));
}

function takePiece(state: State, piece: Piece, following: readonly Part[]): void {
  const { mode, isBack, pieces } = state.group;
  const isComplete = piece.gap.comma && piece.gap.affirmed;
  const leavesMode =
    piece.gap.comma && (isBack || (mode === 'excluded' && pieces.at(-1)?.kind !== piece.kind));
  if (pieces.length > 0 && (leavesMode || isComplete)) keep(state);
  else if (startsAnew(state.group, piece, following)) {
    keep(state);
    state.group.mode = mode;
  }
  state.group.pieces.push(piece);
  state.clause.hasPiece = true;
  state.gap = noGap;
}

/** "Mondays all day or Tuesday afternoons": the second day starts a new group. */
function startsAnew({ pieces }: Group, { kind, gap }: Piece, following: readonly Part[]): boolean {
  const [hasDays, hasHours] = [
    pieces.some((piece) => piece.kind === 'days'),
    pieces.some((piece) => piece.kind === 'hours'),
  ];
  if (kind === 'days') return hasHours && (hasDays ? pieces.at(-1)?.kind === 'hours' || gap.comma : gap.or);
  if (kind === 'span') return false;
  if (pieces.find((piece) => piece.kind !== 'span')?.kind === 'hours' && hasDays) return true;
  const next = following.find((part) => part.kind !== 'ignored')?.kind;
  // "2 or later, or any time on Wednesday", "mornings this week or any time next week"
  const isOfNext =
    (next === 'days' && hasDays) || (next === 'span' && pieces.some((piece) => piece.kind === 'span'));
  return gap.or && hasHours && isOfNext;
}

function keep(state: State): void {
  if (state.group.pieces.length > 0) state.groups.push(state.group);
  state.group = newGroup();
}

function close(state: State): void {
  endClause(state);
  keep(state);
  state.gap = noGap;
}

/** Records the unread part of a clause: all of it if nothing was understood, otherwise what depends on "unless". */
function endClause(state: State): void {
  const { hasPiece, hasMode, unknown, hanging } = state.clause;
  if (hanging.some(({ kind }) => kind === 'unknown')) state.leftover.push(hanging);
  else if (unknown.length > 0 && (!hasPiece || (hasMode && state.group.pieces.length === 0)))
    state.leftover.push(unknown);
  state.clause = newClause();
}

function availabilityOf(
  groups: readonly Group[],
): Pick<Availability, 'first_day' | 'last_day' | 'possible' | 'preferred' | 'excluded'> {
  const possible = groups.filter(({ mode }) => mode === 'possible');
  const excluded = groups.filter(({ mode }) => mode === 'excluded');
  const hasOwnSpans = possible.filter((group) => namesTime(group) && spanOf(group) !== null).length > 1;
  const bounds = possible.map(spanOf).reduce((all, span) => joined(all, span, hasOwnSpans), null);
  const preferred = groups
    .filter(({ mode }) => mode === 'preferred')
    .flatMap((group) => windowsOf(group, true));
  const windows = possible
    .filter(hasOwnSpans ? namesTime : restricts)
    .flatMap((group) => windowsOf(group, hasOwnSpans));
  // "Mornings are best, afternoons are okay": both are possible.
  const isElse =
    possible.some(({ isFallback }) => isFallback) ||
    !windows.some((one) => preferred.some((other) => overlaps(one, other)));
  return {
    first_day: edge(bounds?.first ?? null, backFrom(excluded), 'later'),
    last_day: bounds?.last ?? null,
    possible: windows.length > 0 && isElse ? [...windows, ...preferred] : windows,
    preferred,
    excluded: excluded.flatMap((group) => windowsOf(group, true)),
  };
}

/** "Out of town until December 3" allows later days. */
function backFrom(excluded: readonly Group[]): string | null {
  const spans = excluded.filter((group) => !restricts(group)).map(spanOf);
  const last = spans
    .flatMap((span) => (span?.first === null && span.last !== null ? [span.last] : []))
    .toSorted()
    .at(-1);
  return last === undefined ? null : addDays(last, 1);
}

/** Whether a group names days or hours: "any time" alone restricts nothing. */
function restricts({ pieces }: Group): boolean {
  return pieces.some(
    (piece) =>
      piece.kind === 'days' ||
      (piece.kind === 'hours' && (piece.hours.from > 0 || piece.hours.to < allDay.to)),
  );
}

const namesTime = ({ pieces }: Group): boolean => pieces.some(({ kind }) => kind !== 'span');

function spanOf({ pieces }: Group): Span | null {
  return pieces.reduce<Span | null>(
    (all, piece) => (piece.kind === 'span' ? joined(all, piece.span, piece.gap.or) : all),
    null,
  );
}

function joined(known: Span | null, span: Span | null, isOr: boolean): Span | null {
  if (known === null || span === null) return known ?? span;
  const first = edge(known.first, span.first, isOr ? 'earlier' : 'later');
  const last = edge(known.last, span.last, isOr ? 'later' : 'earlier');
  // "this week, next week"
  return !isOr && first !== null && last !== null && first > last
    ? joined(known, span, true)
    : { first, last };
}

function edge(a: string | null, b: string | null, which: 'earlier' | 'later'): string | null {
  if (a === null || b === null) return a ?? b;
  return (which === 'earlier') === a < b ? a : b;
}

/** "mornings before 11" narrows, "mornings or after 4" adds. */
function hoursOf({ pieces }: Group): Hours[] {
  const found: Hours[] = [];
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'hours') return;
    const last = found.at(-1) ?? allDay;
    const both = { from: Math.max(last.from, piece.hours.from), to: Math.min(last.to, piece.hours.to) };
    const isNarrowed =
      pieces[at - 1]?.kind === 'hours' && !piece.gap.or && (!piece.gap.comma || last.to === allDay.to);
    if (isNarrowed && both.from < both.to) found[found.length - 1] = both;
    else found.push(piece.hours);
  });
  return found.length === 0 ? [allDay] : found;
}

function windowsOf(group: Group, hasOwnSpan: boolean): TimeWindow[] {
  const named = group.pieces.filter((piece) => piece.kind === 'days');
  const weekdays = [...new Set(named.flatMap((piece) => piece.weekdays))];
  const days = [...new Set(named.flatMap((piece) => piece.days))];
  const span = hasOwnSpan ? spanOf(group) : null;
  return hoursOf(group).flatMap(({ from, to }) => {
    const window = {
      weekdays: null,
      days: null,
      first_day: span?.first ?? null,
      last_day: span?.last ?? null,
      from,
      to,
    };
    const isHabit = weekdays.length > 0 || days.length === 0;
    const habit = isHabit ? [{ ...window, weekdays: weekdays.length > 0 ? weekdays : null }] : [];
    return days.length > 0 ? [...habit, { ...window, days }] : habit;
  });
}

function overlaps(a: TimeWindow, b: TimeWindow): boolean {
  const sharesDay =
    a.weekdays === null || b.weekdays === null || a.weekdays.some((day) => b.weekdays?.includes(day));
  return sharesDay && a.from < b.to && b.from < a.to;
}
