import type { Character, DatedOpening } from './character.ts';
import type { Calendar } from './desk.ts';
import { type Heard, wordsOf } from './heard.ts';
import { findMention, fitsMention, isEmptyMention, isoDate, type Mention, sayMoment } from './moment.ts';
import { matchesAny } from './pattern.ts';

/** The state of negotiating an appointment. Openings are identified by their index in the desk's list. */
export interface AppointmentBook {
  readonly wanted: boolean;
  /** The caller's words about the desired time, before any offer. */
  readonly preference: string | null;
  /** Everything offered so far, and the openings of the last offer to choose from. */
  readonly offered: readonly number[];
  readonly open: readonly number[];
  readonly booked: number | null;
}

interface Talk {
  readonly book: AppointmentBook;
  readonly says: {
    readonly occasion: string;
    readonly phrases: readonly string[];
    readonly listing: string | null;
  } | null;
  readonly tells: readonly string[];
}

export function sayOpening(opening: DatedOpening, character: Character): string {
  return sayMoment(opening.day, opening.time, character.momentStyle);
}

/** The moment of an opening as a report gives it: `2026-11-24T10:30`. */
export function openingMoment(opening: DatedOpening): string {
  return `${isoDate(opening.day)}T${opening.time}`;
}

/**
 * Finds a time: offers openings that fit the caller's words, interprets a choice, another wish or a read-back, and
 * books. `isBusy`: another question is answered in the same turn, so words without a day are no answer to the offer.
 */
export function talkAboutAppointment({
  character,
  calendar,
  openings,
  book,
  heard,
  isBusy,
}: {
  character: Character;
  calendar: Calendar;
  openings: readonly DatedOpening[];
  book: AppointmentBook;
  heard: Heard;
  isBusy: boolean;
}): Talk {
  const { patterns } = character.defaults;
  const means = (name: keyof typeof patterns): boolean =>
    heard.sentences.some((sentence) => matchesAny(patterns[name], sentence.words));
  const fits = (index: number, mention: Mention): boolean => {
    const opening = openings[index];
    return opening !== undefined && fitsMention(opening.day, opening.time, mention, character.today);
  };
  const all = openings.map((_, index) => index);

  const offer = (indexes: readonly number[], occasion: string, phrases: readonly string[]): Talk => ({
    book: { ...book, offered: [...new Set([...book.offered, ...indexes])], open: indexes, booked: null },
    says: { occasion, phrases, listing: listOpenings(indexes, openings, character) },
    tells: [],
  });
  const chooseFrom = (indexes: readonly number[]): Talk => offer(indexes, 'ask again', calendar.ask_again);
  const bookOpening = (index: number): Talk => ({
    book: { ...book, offered: [...new Set([...book.offered, index])], open: [], booked: index },
    says: { occasion: 'booked', phrases: calendar.booked, listing: null },
    tells: ['appointment'],
  });
  const offerNext = (mention: Mention | null): Talk => {
    const fresh = all.filter((index) => !book.offered.includes(index));
    const fitting = mention === null ? fresh : fresh.filter((index) => fits(index, mention));
    if (fitting.length > 0) {
      return offer(fitting.slice(0, calendar.offers_at_a_time), 'offer others', calendar.offer_others);
    }
    const isRefusal = means('other_times');
    // A declined opening is not offered again for a wish as vague as "mornings".
    const again =
      mention === null || (isRefusal && !namesADay(mention))
        ? []
        : all.filter((index) => fits(index, mention));
    if (isRefusal && fresh.length === 0 && again.length === 0) {
      return {
        book,
        says: { occasion: 'nothing else', phrases: calendar.nothing_else, listing: null },
        tells: [],
      };
    }
    const rest = fresh.length > 0 ? fresh : all;
    return again.length > 0 && mention !== null
      ? chooseFrom(again.slice(0, calendar.offers_at_a_time))
      : offer(rest.slice(0, calendar.offers_at_a_time), 'none fits', calendar.none_fits);
  };

  const everything = findMention(heard.text, character.today);
  const isQuestion = heard.sentences.some((sentence) => /\?\s*$/.test(sentence.text));
  const asksForTimes = isQuestion && asksWhatThereIs(heard);

  if (book.booked !== null) {
    if (isBusy) return { book, says: null, tells: [] };
    if (isEmptyMention(everything) && asksWithWhom(heard)) {
      return {
        book,
        says: { occasion: 'with whom', phrases: character.defaults.with_whom, listing: null },
        tells: [],
      };
    }
    if (isEmptyMention(everything)) {
      if (means('other_times') && wantsAnotherTime(heard)) return offerNext(null);
      if (!asksWhetherBooked(heard)) return { book, says: null, tells: [] };
    } else if (means('other_times') || (asksForTimes && !fits(book.booked, everything))) {
      return offerNext(everything);
    }
    const isRight = fits(book.booked, everything);
    const says = isRight
      ? { occasion: 'appointment correct', phrases: calendar.correct, listing: null }
      : { occasion: 'appointment wrong', phrases: calendar.wrong, listing: null };
    return { book, says, tells: [] };
  }

  if (book.offered.length === 0) {
    const preference = book.preference === null ? null : findMention(book.preference, character.today);
    const fitting = preference === null ? all : all.filter((index) => fits(index, preference));
    return fitting.length > 0
      ? offer(fitting.slice(0, calendar.offers_at_a_time), 'offer', calendar.offer)
      : offer(all.slice(0, calendar.offers_at_a_time), 'none fits', calendar.none_fits);
  }

  const wish = findMention(withoutRefusedParts(heard.text), character.today);
  if (!isEmptyMention(wish)) {
    if (means('other_times') && !namesADay(wish)) return offerNext(wish);
    const open = book.open.filter((index) => fits(index, wish));
    const [only] = open;
    if (only !== undefined && open.length === 1) return asksForTimes ? chooseFrom(open) : bookOpening(only);
    if (open.length > 1 && !asksForTimes) return chooseFrom(open);
    const [known, ...moreKnown] = book.offered.filter((index) => fits(index, wish));
    if (known !== undefined && moreKnown.length === 0 && !asksForTimes && !means('other_times')) {
      return bookOpening(known);
    }
    return offerNext(wish);
  }
  const [first, second, third] = book.open;
  const last = book.open.at(-1);
  const withProvider = book.open.filter((index) => namesProvider(heard, openings[index]?.with ?? ''));
  if (means('other_times')) return offerNext(null);
  if (third !== undefined && means('third_choice')) return bookOpening(third);
  if (second !== undefined && means('second_choice')) {
    const wantsLast = /\b(last|latest|later)\b/.test(heard.words.join(' '));
    return bookOpening(wantsLast && last !== undefined ? last : second);
  }
  if (first !== undefined && (means('first_choice') || means('any_time'))) return bookOpening(first);
  const [onlyWith, ...moreWith] = withProvider;
  if (onlyWith !== undefined && moreWith.length === 0 && !means('no')) return bookOpening(onlyWith);
  if (!isBusy && !isQuestion && means('yes') && !means('no') && first !== undefined) {
    return second === undefined ? bookOpening(first) : chooseFrom(book.open);
  }
  if (!isBusy && means('no')) return offerNext(null);
  // Asks again what there is, without referring to the offer.
  if (!isBusy && asksForTimes && book.open.length > 0) return chooseFrom(book.open);
  return { book, says: null, tells: [] };
}

/** "Could we reschedule that?", and not "Is there anything else to know?" */
function wantsAnotherTime(heard: Heard): boolean {
  return /\b(times?|days?|dates?|slots?|openings?|appointments?|reschedul\w*|change|earlier|later|sooner)\b/.test(
    heard.words.join(' '),
  );
}

/** Whether a wish is for a certain day or time, and not just for mornings or next week. */
function namesADay({ weekdays, days, times }: Mention): boolean {
  return weekdays.length + days.length + times.length > 0;
}

/** "The one with Dr. Okafor." */
function namesProvider(heard: Heard, provider: string): boolean {
  const surname = wordsOf(provider).at(-1);
  return surname !== undefined && heard.words.includes(surname);
}

/** "And who will she be seeing?" */
function asksWithWhom(heard: Heard): boolean {
  return heard.sentences.some(
    ({ asks, words }) =>
      asks &&
      /\b(who(m)? .*(see|seeing|with|be)|(which|what) (doctor|dr|provider|physician))\b/.test(
        words.join(' '),
      ),
  );
}

/** "So that is booked?", "Could you confirm the appointment?" */
function asksWhetherBooked(heard: Heard): boolean {
  return heard.sentences.some(
    ({ asks, words }) => asks && bookingWords.some((expression) => expression.test(words.join(' '))),
  );
}

const bookingWords = [
  /\b(confirm\w*|book\w*|schedul\w*|set|reserved|offer|openings?|day and time|correct|right)\b/,
  /\b(in the (system|calendar)|on the calendar|(when|what (time|day|date)) (is|was) (it|that|the appointment))\b/,
];

function asksWhatThereIs(heard: Heard): boolean {
  return openingWords.some((expression) => expression.test(heard.words.join(' ')));
}

const openingWords = [
  /\b(do you have|is there|are there|have you got|any|anything|available|availability|openings?|offer)\b/,
  /\b(which (day|time)|what (day|time)s?|when (could|can|would)|(what|how) about)\b/,
];

/** "Tuesday does not work, but Thursday does": only Thursday is a wish. */
function withoutRefusedParts(text: string): string {
  return text
    .split(/(?<=[.;!?])\s+|,\s+|\s+but\s+|\s+however\s+/i)
    .filter(
      (part) =>
        !/\b(not|(n|can|won|doesn|isn)['’]t|cannot|unavailable|unfortunately|instead of|conflicts?)\b/i.test(
          part,
        ),
    )
    .join(', ');
}

/** "Tuesday … with Dr. Okafor, Wednesday …, or Friday …"; a provider is named again only when it is another one. */
function listOpenings(
  indexes: readonly number[],
  openings: readonly DatedOpening[],
  character: Character,
): string {
  let provider = '';
  const said = indexes.flatMap((index) => {
    const opening = openings[index];
    if (opening === undefined) return [];
    const withProvider = opening.with === provider ? '' : ` with ${opening.with}`;
    provider = opening.with;
    return [`${sayOpening(opening, character)}${withProvider}`];
  });
  const last = said.pop() ?? '';
  return said.length === 0 ? last : `${said.join(', ')}, or ${last}`;
}
