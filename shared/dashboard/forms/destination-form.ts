import { type DirectoryEntry, directoryLimits } from '#shared/domain/directory-entry.ts';
import { phoneNumberText, toE164 } from '#shared/domain/written-phone-number.ts';
import { type FormProblems, numberOf, textOf, textsOf, timeOfDayOf, timeOfDayText } from './form-values.ts';

/** Opening hours on some days of the week, as typed. */
export interface WindowForm {
  /** From 1 (Monday) to 7. */
  readonly days: readonly string[];
  readonly opens: string;
  readonly closes: string;
}

/** A destination as its form shows it: text as typed. */
export interface DestinationForm {
  /** The entry's version that the form was built from; empty for a new one. */
  readonly read_at: string;
  readonly name: string;
  readonly kind: string;
  readonly phone_number: string;
  readonly last_phone_number: string;
  readonly time_zone: string;
  readonly windows: readonly WindowForm[];
  readonly max_hold_minutes: string;
  readonly max_call_minutes: string;
  readonly concurrent_calls: string;
}

const emptyWindow: WindowForm = { days: [], opens: '', closes: '' };
/** The maximum of an entry. */
const windowsAtMost = 14;

export function emptyDestinationForm(timeZone: string | null): DestinationForm {
  return {
    read_at: '',
    name: '',
    kind: '',
    phone_number: '',
    last_phone_number: '',
    time_zone: timeZone ?? '',
    windows: [],
    max_hold_minutes: '',
    max_call_minutes: '',
    concurrent_calls: '',
  };
}

export function toDestinationForm(entry: DirectoryEntry): DestinationForm {
  return {
    read_at: entry.updated_at,
    name: entry.name,
    kind: entry.kind,
    phone_number: phoneNumberText(entry.phone_number),
    last_phone_number: entry.last_phone_number === null ? '' : phoneNumberText(entry.last_phone_number),
    time_zone: entry.hours?.time_zone ?? '',
    windows: (entry.hours?.weekly ?? []).map(({ days, opens, closes }) => ({
      days: days.map(String),
      opens: timeOfDayText(opens),
      closes: timeOfDayText(closes),
    })),
    max_hold_minutes: String(entry.max_hold_minutes ?? ''),
    max_call_minutes: String(entry.max_call_minutes ?? ''),
    concurrent_calls: String(entry.concurrent_calls ?? ''),
  };
}

export function readDestinationForm(form: FormData): DestinationForm {
  const text = (name: string): string => textOf(form, name);
  const windows = Array.from({ length: windowsAtMost }, (_, position) => ({
    days: textsOf(form, `days-${position}`),
    opens: text(`opens-${position}`),
    closes: text(`closes-${position}`),
  }));
  return {
    read_at: text('read_at'),
    name: text('name'),
    kind: text('kind'),
    phone_number: text('phone_number'),
    last_phone_number: text('last_phone_number'),
    time_zone: text('time_zone'),
    windows: windows.filter(({ days, opens, closes }) => days.length > 0 || opens !== '' || closes !== ''),
    max_hold_minutes: text('max_hold_minutes'),
    max_call_minutes: text('max_call_minutes'),
    concurrent_calls: text('concurrent_calls'),
  };
}

/** The windows to offer: the filled ones, and one more. */
export function offeredWindows({ windows }: DestinationForm): readonly WindowForm[] {
  return windows.length < windowsAtMost ? [...windows, emptyWindow] : windows;
}

/** The form's values, for `DestinationBody` to validate. @param country of numbers without one */
export function toDestinationBody(form: DestinationForm, country: string): object {
  const hasHours = form.time_zone !== '' || form.windows.length > 0;
  return {
    name: form.name,
    kind: form.kind,
    last_phone_number: form.last_phone_number === '' ? null : toE164(form.last_phone_number, country),
    hours: hasHours
      ? {
          time_zone: form.time_zone,
          weekly: form.windows.map(({ days, opens, closes }) => ({
            days: days.map(Number),
            opens: timeOfDayOf(opens),
            closes: timeOfDayOf(closes),
          })),
        }
      : null,
    max_hold_minutes: form.max_hold_minutes === '' ? null : numberOf(form.max_hold_minutes),
    max_call_minutes: form.max_call_minutes === '' ? null : numberOf(form.max_call_minutes),
    concurrent_calls: form.concurrent_calls === '' ? null : numberOf(form.concurrent_calls),
  };
}

const windowFields = ['days', 'opens', 'closes'] as const;
const windowSentences = {
  days: 'Choose the days of these hours',
  opens: 'Enter an opening time, such as 8:00 AM',
  closes: 'Enter a closing time later than the opening time, such as 5:00 PM',
};

const minutesSentence = `Enter 1 to ${directoryLimits.callMinutes} minutes, or leave it empty`;

export const destinationProblems: FormProblems = {
  fieldOf: ([member, part, position, field]) => {
    if (member !== 'hours') return String(member);
    return part === 'weekly' && typeof position === 'number'
      ? `${String(field ?? 'days')}-${position}`
      : 'time_zone';
  },
  refusedFieldOf: (path) => {
    const [, position] = /^hours\.weekly\[(\d+)\]/.exec(path) ?? [];
    return position === undefined ? path : `closes-${position}`;
  },
  sentences: {
    name: `Enter a name of up to ${directoryLimits.nameLength} visible characters`,
    kind: 'Choose a kind',
    phone_number: 'Enter a phone number, such as (202) 555-0143',
    last_phone_number:
      'Enter a last number with as many digits as the first, not before it, or leave it empty',
    time_zone: 'Choose the time zone of these hours',
    max_hold_minutes: minutesSentence,
    max_call_minutes: minutesSentence,
    concurrent_calls: `Enter 1 to ${directoryLimits.concurrentCalls} calls, or leave it empty`,
    ...Object.fromEntries(
      Array.from({ length: windowsAtMost }, (_, position) =>
        windowFields.map((field) => [`${field}-${position}`, windowSentences[field]] as const),
      ).flat(),
    ),
  },
};
