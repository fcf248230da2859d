import { openingMoment, talkAboutAppointment } from './appointment.ts';
import type { StaffedDesk } from './character.ts';
import type { Heard } from './heard.ts';
import { askNext, goOnAsking, openNeed, takeIn } from './needs.ts';
import { matchesAny } from './pattern.ts';
import type { Defaults } from './person-file.ts';
import type { Reply } from './person-state.ts';
import { spell } from './phrase.ts';
import { openDesk, understandPurpose } from './purpose.ts';
import { confirmReadBack } from './read-back.ts';
import { answerMorePrecisely, answerOrPostpone, answerPending, topicsIn } from './topics.ts';
import { patience, type Turn, unique } from './turn.ts';

export type Means = (name: keyof Defaults['patterns']) => boolean;

export function meaningsOf(turn: Turn, heard: Heard): Means {
  const { patterns } = turn.character.defaults;
  return (name) => heard.sentences.some((sentence) => matchesAny(patterns[name], sentence.words));
}

export function isFarewell(turn: Turn, heard: Heard): boolean {
  const { farewell } = turn.character.defaults.patterns;
  return heard.sentences.some(
    (sentence) => !sentence.text.endsWith('?') && matchesAny(farewell, sentence.words),
  );
}

/** "That's all"; asked as a question, it is about something else ("Are we all set for Tuesday?"). */
function hasNothingMore(turn: Turn, heard: Heard): boolean {
  const { nothing_more } = turn.character.defaults.patterns;
  if (heard.sentences.some(({ text }) => text.endsWith('?'))) return false;
  return heard.sentences.some((sentence) => matchesAny(nothing_more, sentence.words));
}

export function pickUp(turn: Turn): Reply {
  const { greeting, desks } = turn.character;
  const parts = [turn.phrase('greeting', greeting)];
  const [onlyDesk] = desks;
  if (desks.length === 1 && onlyDesk?.opens === 'at-once') {
    turn.draft.desk = onlyDesk.desk;
    parts.push(askNext(turn, onlyDesk));
  }
  return turn.reply(parts);
}

export function noticeSilence(turn: Turn): Reply {
  const { defaults } = turn.character;
  if (turn.draft.saidGoodbye) return turn.reply([], 'hang-up');
  turn.draft.silences += 1;
  if (turn.draft.silences > 2) return turn.reply([turn.phrase('giving up', defaults.giving_up)], 'hang-up');
  return turn.reply([turn.phrase('still there', defaults.still_there)]);
}

/** The business part of a conversation, regardless of traits. */
export function answerCaller(turn: Turn, heard: Heard): Reply {
  const { draft } = turn;
  const { defaults } = turn.character;
  const means = meaningsOf(turn, heard);

  const isPurposeClear = understandPurpose(turn, heard);
  const newlyTold = takeIn(turn, heard);
  const [onlyDesk] = turn.character.desks;
  if (newlyTold.length > 0 && turn.character.desks.length === 1 && onlyDesk !== undefined) {
    // A person with only one kind of business infers it from what they are told.
    openDesk(turn, onlyDesk);
  }
  const topics = topicsIn(turn, heard);

  if (isFarewell(turn, heard) && topics.asked.length === 0) return sayGoodbye(turn, 'hang-up');
  if (draft.saidGoodbye && topics.asked.length === 0) return turn.reply([], 'hang-up');
  draft.saidGoodbye = false;

  const parts: (string | null)[] = [];
  const desk = turn.desk();
  const readBack = confirmReadBack(turn, heard, topics, newlyTold.length > 0);
  if (readBack !== null) parts.push(readBack);
  else answerOrPostpone(turn, topics.asked, parts);

  if (parts.length === 0 && topics.asked.length === 0 && means('more_precisely')) {
    const precise = answerMorePrecisely(turn);
    if (precise !== null) parts.push(precise);
  }
  if (parts.length === 0 && newlyTold.length === 0 && !isPurposeClear) {
    if (means('still_there')) {
      return turn.reply([turn.phrase('present', defaults.present), draft.lastSaid]);
    }
    if (means('spell')) return spellOut(turn, heard);
    if (means('repeat')) return repeat(turn);
    if (means('wait')) return turn.reply([]);
  }

  if (desk !== null) {
    if (openNeed(turn, desk) !== null || draft.asking !== null) {
      const isOver = goOnAsking(turn, desk, heard, newlyTold, isPurposeClear || parts.length > 0, parts);
      if (isOver) return sayGoodbye(turn, 'hang-up', parts);
      if (draft.asking !== null) return turn.reply(parts);
    }
    if (desk.transfer !== undefined) {
      const { says, to } = desk.transfer;
      return turn.reply([...parts, turn.phrase(`${desk.desk} transfer`, says)], { putsThrough: to });
    }
    if (parts.length === 0 && hasNothingMore(turn, heard) && !isAppointmentOpen(turn, desk)) {
      return sayGoodbye(turn, 'listen');
    }
    parts.push(...answerPending(turn));
    const isJustReady = becomeReady(turn, desk);
    const appointment = findATime(turn, desk, heard);
    if (appointment !== null) parts.push(appointment);
    else if (isJustReady && parts.every((part) => part === null || !turn.isInformative)) {
      parts.push(turn.phrase(`${desk.desk} ready`, desk.ready));
    }
  }
  if (parts.some((part) => part !== null)) {
    draft.misunderstandings = 0;
    if (turn.isInformative && desk !== null && !isAppointmentOpen(turn, desk)) {
      parts.push(maybeAnythingElse(turn));
    }
    return turn.reply(parts);
  }
  return withoutSubject(turn, heard, means, desk);
}

/** Nothing recognized: thanks, yes, no, a question beyond this person's knowledge, or noise. */
function withoutSubject(turn: Turn, heard: Heard, means: Means, desk: StaffedDesk | null): Reply {
  const { draft } = turn;
  const { defaults } = turn.character;
  if (hasNothingMore(turn, heard)) return sayGoodbye(turn, 'listen');
  const asks = heard.sentences.some((sentence) => sentence.asks);
  if (draft.askedAnythingElse && !asks) {
    if (means('no') || means('thanks')) return sayGoodbye(turn, 'listen');
    if (means('yes')) return turn.reply([turn.phrase('how can i help', defaults.how_can_i_help)]);
  }
  const isOpen = desk !== null && (draft.asking !== null || isAppointmentOpen(turn, desk));
  if (!asks && (means('thanks') || means('yes'))) {
    if (isOpen || !means('thanks')) return turn.reply([]);
    draft.askedAnythingElse = true;
    return turn.reply([turn.phrase('anything else', defaults.anything_else)]);
  }
  if (asks && draft.lastSaid !== null && heard.words.length > 2) {
    // A caller who only introduces themselves has not asked anything yet.
    if (draft.answered.length === 0 && desk === null && /\bcalling\b/.test(heard.words.join(' '))) {
      return turn.reply([turn.phrase('how can i help', defaults.how_can_i_help)]);
    }
    const occasion = `asked in vain ${heard.words.join(' ')}`;
    const asked = turn.timesNoted(occasion);
    turn.note(occasion);
    const reply = turn.besides([
      turn.unlessTooOften(asked, turn.phrase('do not know', defaults.do_not_know)),
    ]);
    draft.knewNothing = true;
    return reply;
  }
  draft.misunderstandings += 1;
  if (draft.answered.length === 0 && desk === null) {
    return turn.reply([turn.phrase('how can i help', defaults.how_can_i_help)]);
  }
  if (draft.misunderstandings > 2) return turn.reply([]);
  if (!asks && !isOpen && desk !== null) {
    // Unrequested information: polite people acknowledge it.
    draft.askedAnythingElse = true;
    return turn.reply([turn.phrase('noted', defaults.noted)]);
  }
  return turn.besides([turn.phrase('say again', defaults.say_again)]);
}

function repeat(turn: Turn): Reply {
  const { defaults } = turn.character;
  if (turn.draft.lastSaid === null) {
    return turn.reply([turn.phrase('how can i help', defaults.how_can_i_help)]);
  }
  const { lastSaid } = turn.draft;
  const asked = turn.timesNoted(`repeat ${lastSaid}`);
  turn.note(`repeat ${lastSaid}`);
  // Repeats only the content, not the courtesies.
  return turn.besides(
    asked < patience
      ? [turn.phrase('repeating', defaults.repeating), lastSaid]
      : [turn.unlessTooOften(asked, lastSaid)],
  );
}

/** Dictates the name or number that was said last, character by character. */
function spellOut(turn: Turn, heard: Heard): Reply {
  const { draft, character } = turn;
  const said = draft.lastSaid ?? '';
  const dictated = Object.values(character.facts).findLast(
    ({ type, spoken }) => (type === 'identifier' || type === 'phone') && said.includes(spoken),
  );
  const provider = turn.values('provider');
  const surname = provider?.replace(/^(Dr|Mr|Mrs|Ms)\.?\s+/, '') ?? null;
  const asksForName = heard.words.some((word) => ['doctor', 'dr', 'provider', 'name'].includes(word));
  const name = provider !== null && (said.includes(provider) || asksForName) ? surname : null;
  const value = asksForName ? (name ?? dictated?.spoken ?? null) : (dictated?.spoken ?? name);
  if (value === null) return repeat(turn);
  const spelled = `It's ${spell(value)}.`;
  const reply = turn.reply([turn.phrase('repeating', character.defaults.repeating), spelled]);
  draft.lastSaid = spelled;
  return reply;
}

export function sayGoodbye(
  turn: Turn,
  then: 'listen' | 'hang-up',
  parts: readonly (string | null)[] = [],
): Reply {
  const goodbye = turn.draft.saidGoodbye ? null : turn.phrase('goodbye', turn.character.defaults.goodbye);
  turn.draft.saidGoodbye = true;
  return turn.reply([...parts, goodbye], then);
}

/** True once per desk: in the turn that completes its needs. */
function becomeReady(turn: Turn, desk: StaffedDesk): boolean {
  const occasion = `${desk.desk} became ready`;
  if (turn.timesNoted(occasion) > 0) return false;
  turn.note(occasion);
  return true;
}

function isAppointmentOpen({ draft }: Turn, desk: StaffedDesk): boolean {
  return desk.calendar !== undefined && draft.appointment.wanted && draft.appointment.booked === null;
}

function findATime(turn: Turn, desk: StaffedDesk, heard: Heard): string | null {
  const { draft } = turn;
  if (desk.calendar === undefined || !draft.appointment.wanted) return null;
  const { book, says, tells } = talkAboutAppointment({
    character: turn.character,
    calendar: desk.calendar,
    openings: desk.datedOpenings,
    book: draft.appointment,
    heard,
    isBusy: turn.isInformative || turn.hasConfirmed,
  });
  if (book.booked !== draft.appointment.booked) {
    const opening = book.booked === null ? undefined : desk.datedOpenings[book.booked];
    draft.booking = opening === undefined ? null : { moment: openingMoment(opening), with: opening.with };
  }
  draft.appointment = book;
  draft.told = unique([...draft.told, ...tells]);
  if (says === null) return null;
  if (says.listing !== null) turn.listing = says.listing;
  return turn.telling(says.occasion, says.phrases);
}

function maybeAnythingElse(turn: Turn): string | null {
  if (!turn.happens(`anything else ${turn.draft.answered.length}`, 0.3)) return null;
  turn.draft.askedAnythingElse = true;
  return turn.phrase('anything else', turn.character.defaults.anything_else);
}
