import { answerCaller, isFarewell, meaningsOf, noticeSilence, sayGoodbye } from './conversation.ts';
import { type Heard, hear } from './heard.ts';
import { findMention, isEmptyMention } from './moment.ts';
import { valuesIn } from './needs.ts';
import { matchesAny } from './pattern.ts';
import type { PersonState, Reply } from './person-state.ts';
import { purposeScore } from './purpose.ts';
import { chanceBetween } from './seeded.ts';
import { topicsIn } from './topics.ts';
import { Turn } from './turn.ts';

/** A reply, as modified by the person's traits. */
export interface TraitReply {
  readonly reply: Reply;
  /** Comes only after so long; `says` first, if there is anything to say before. */
  readonly delay: { readonly ms: number; readonly says: string | null; readonly before: PersonState } | null;
}

/** The reply of a person with these traits. Leaves all changes in the turn. */
export function answerByTraits(turn: Turn, text: string, wasCut: boolean): TraitReply {
  const { draft, character } = turn;
  const { temper: traits } = character;
  const heardNow = hear(text);
  draft.silences = 0;
  if (!wasCut) draft.callerTurns += 1;
  else draft.cuts += 1;
  if (traits.hangs_up_after !== undefined && draft.callerTurns >= traits.hangs_up_after && !wasCut) {
    return atOnce(turn.reply([], 'hang-up'));
  }
  const rebuff = rebuffCaller(turn, heardNow);
  if (rebuff !== null) return atOnce(rebuff);

  if (!isFarewell(turn, heardNow)) {
    const disturbance = saySomethingElse(turn, heardNow, wasCut);
    if (disturbance !== null) return atOnce(disturbance);
  }
  const before: PersonState = { ...draft };
  const heard = withUnanswered(turn, heardNow);
  draft.unanswered = null;
  const aside = asideNow(turn, wasCut);
  const correction = draft.correction;
  const said = answerCaller(turn, heard);
  const reply = withSlips(turn, aside === null ? said : { ...said, says: [aside, ...said.says] }, correction);
  return delayed(turn, reply, before);
}

/** Silence means nothing new to a person who would not talk anyway. */
export function noticeSilenceByTraits(turn: Turn): Reply {
  const { rebuff } = turn.draft;
  if (rebuff !== null && rebuff.steps > 1) return turn.reply([], 'hang-up');
  return noticeSilence(turn);
}

function atOnce(reply: Reply): TraitReply {
  return { reply, delay: null };
}

/** Whether the person does no business at all: with machines, at a wrong number, or right now. */
function rebuffCaller(turn: Turn, heard: Heard): Reply | null {
  const why = turn.draft.rebuff?.why ?? reasonToRebuff(turn, heard);
  if (why === null) return null;
  const { draft } = turn;
  const { temper: traits, defaults } = turn.character;
  const steps = draft.rebuff?.steps ?? 0;
  const next = (count: number): void => {
    draft.rebuff = { why, steps: count };
  };
  const isOver = isFarewell(turn, heard) || matchesAny(defaults.patterns.apology, heard.words);
  const asks = heard.sentences.some((sentence) => sentence.asks);
  switch (why) {
    case 'machine': {
      const { says, hangs_up } = traits.refuses_machines ?? { says: [], hangs_up: true };
      if (steps > 0 && (hangs_up || isFarewell(turn, heard))) return turn.reply([], 'hang-up');
      next(steps + 1);
      return turn.reply([turn.phrase('refuses machines', says)]);
    }
    case 'wrong-number': {
      const { first, says } = traits.wrong_number ?? { first: [], says: [] };
      if (steps > 0 && isFarewell(turn, heard)) return sayGoodbye(turn, 'hang-up');
      next(steps + 1);
      const question = first[steps];
      if (question !== undefined) return turn.reply([turn.phrase(`nosy ${steps}`, [question])]);
      if (steps === first.length) return turn.reply([turn.phrase('wrong number', says)]);
      // "Is this not the clinic?" is told once more that it is not.
      if (asks && !isOver && steps === first.length + 1) {
        return turn.reply([turn.phrase('wrong number', says)]);
      }
      return isOver ? sayGoodbye(turn, 'hang-up') : turn.reply([], 'hang-up');
    }
    case 'later': {
      const { says } = traits.call_later ?? { says: [] };
      const hasEnough = steps > 0 && !asks && matchesAny(defaults.patterns.thanks, heard.words);
      if (steps > 0 && (isFarewell(turn, heard) || hasEnough || steps > 2)) {
        return sayGoodbye(turn, 'hang-up');
      }
      next(steps + 1);
      return turn.reply([turn.phrase('call later', says)]);
    }
    default:
      return why satisfies never;
  }
}

type Rebuff = NonNullable<PersonState['rebuff']>['why'];

function reasonToRebuff(turn: Turn, heard: Heard): Rebuff | null {
  const { temper: traits, defaults } = turn.character;
  if (traits.refuses_machines !== undefined && matchesAny(defaults.patterns.machine, heard.words)) {
    return 'machine';
  }
  if (traits.wrong_number === undefined && traits.call_later === undefined) return null;
  if (traits.wrong_number !== undefined) {
    const wantsSomething = heard.sentences.some((sentence) => sentence.asks) || tellsPurpose(turn, heard);
    return wantsSomething || turn.draft.callerTurns > 1 ? 'wrong-number' : null;
  }
  return tellsPurpose(turn, heard) || turn.draft.callerTurns > 2 ? 'later' : null;
}

/** Whether the caller has come to what the call is about, beyond asking whom they have reached. */
function tellsPurpose(turn: Turn, heard: Heard): boolean {
  if (turn.character.desks.some((desk) => purposeScore(desk, heard) > 0)) return true;
  const purpose =
    /\b(calling (about|to|for|on|regarding|because)|(on )?behalf|regarding|reason for (my|the|this) call)\b/;
  return heard.sentences.some((sentence) => {
    if (purpose.test(sentence.words.join(' '))) return true;
    if (!sentence.asks) return false;
    const asksWho = turn.character.defaults.topics.some((topic) =>
      matchesAny(topic.asked_by, sentence.words),
    );
    return !asksWho;
  });
}

/** What comes first: an interruption, an aside, or asking to repeat. */
function saySomethingElse(turn: Turn, heard: Heard, wasCut: boolean): Reply | null {
  const { draft } = turn;
  const { temper: traits } = turn.character;
  if (wasCut) {
    const { says = [] } = traits.interrupts ?? {};
    const words = turn.phrase('interrupts', says);
    if (words === null) return null;
    keepForLater(turn, heard, 'cut');
    return turn.besides([words]);
  }
  const aside = traits.asides.find(({ at_turn, waits }) => waits && at_turn === draft.callerTurns);
  if (aside !== undefined) {
    const words = turn.phrase(`aside ${aside.at_turn}`, aside.says);
    if (words !== null) {
      keepForLater(turn, heard, 'aside');
      return turn.besides([words]);
    }
  }
  const { asks_to_repeat } = traits;
  const isWorthIt = heard.words.length > 2 && !draft.saidGoodbye;
  if (
    asks_to_repeat !== undefined &&
    isWorthIt &&
    turn.timesNoted('asks to repeat') < asks_to_repeat.at_most &&
    turn.happens(`has not understood ${draft.callerTurns}`, asks_to_repeat.likelihood)
  ) {
    return turn.besides([turn.phrase('asks to repeat', asks_to_repeat.says)]);
  }
  return null;
}

function asideNow(turn: Turn, wasCut: boolean): string | null {
  if (wasCut) return null;
  const aside = turn.character.temper.asides.find(
    ({ at_turn, waits }) => !waits && at_turn === turn.draft.callerTurns,
  );
  return aside === undefined ? null : turn.phrase(`aside ${aside.at_turn}`, aside.says);
}

function keepForLater({ draft }: Turn, heard: Heard, because: 'cut' | 'aside'): void {
  const earlier = draft.unanswered === null ? '' : `${draft.unanswered.text}\n`;
  draft.unanswered = { text: `${earlier}${heard.text}`, because };
}

/**
 * What to answer now. Words that only answer an aside ("Yes, I am an automated assistant.") answer nothing else;
 * questions and information are combined with what came before.
 */
function withUnanswered(turn: Turn, now: Heard): Heard {
  const { unanswered } = turn.draft;
  if (unanswered === null) return now;
  if (unanswered.because === 'aside' && !addsSomething(turn, now)) return hear(unanswered.text);
  return hear(`${unanswered.text}\n${now.text}`);
}

function addsSomething(turn: Turn, heard: Heard): boolean {
  // On a copy: looking is not yet hearing.
  const look = new Turn(turn.character, turn.draft);
  return (
    topicsIn(look, heard).asked.length > 0 ||
    Object.keys(valuesIn(look, heard)).length > 0 ||
    turn.character.desks.some((desk) => purposeScore(desk, heard) > 0) ||
    !isEmptyMention(findMention(heard.text, turn.character.today)) ||
    (['repeat', 'first_choice', 'second_choice', 'third_choice', 'any_time', 'other_times'] as const).some(
      meaningsOf(turn, heard),
    )
  );
}

/** Replaces a value by a wrong one, and corrects an earlier wrong one. */
function withSlips(turn: Turn, reply: Reply, correction: PersonState['correction']): Reply {
  let says = reply.says;
  const { slip } = turn;
  if (slip !== null) says = says.map((part) => part.replace(slip.right, () => slip.wrong));
  if (correction !== null && says.length > 0) {
    says = [correction.says, ...says];
    turn.draft.correction = null;
    turn.draft.told = [...new Set([...turn.draft.told, correction.fact])];
  }
  return { ...reply, says };
}

/** Some answers are looked up first, and some follow a long silence. */
function delayed(turn: Turn, reply: Reply, before: PersonState): TraitReply {
  const { draft, character } = turn;
  const { falls_silent, looks_up } = character.temper;
  const duration = ([shortest, longest]: readonly [number, number], occasion: string): number =>
    chanceBetween(character.seed, `${draft.stage} ${occasion} ${draft.callerTurns}`, shortest, longest);
  if (falls_silent?.at_turn === draft.callerTurns && turn.timesNoted('fell silent') === 0) {
    turn.note('fell silent');
    return { reply, delay: { ms: duration(falls_silent.ms, 'silent for'), says: null, before } };
  }
  if (
    looks_up !== undefined &&
    turn.isInformative &&
    !reply.hangsUp &&
    turn.happens(`looks up ${draft.callerTurns}`, looks_up.likelihood)
  ) {
    const says = turn.phrase('looks up', looks_up.says);
    const back = turn.phrase('is back', looks_up.back);
    const late = back === null ? reply : { ...reply, says: [back, ...reply.says] };
    return { reply: late, delay: { ms: duration(looks_up.ms, 'looks up for'), says, before } };
  }
  return { reply, delay: null };
}

/** Whether and when the person will speak into the caller's next words. */
export function bargesIn(turn: Turn): { afterWords: number } | null {
  const { draft, character } = turn;
  const { interrupts } = character.temper;
  if (interrupts === undefined || draft.cuts >= interrupts.at_most || draft.saidGoodbye) return null;
  if (draft.rebuff !== null || draft.unanswered?.because === 'cut') return null;
  const occasion = `cuts in ${draft.callerTurns} ${draft.cuts}`;
  if (!turn.happens(occasion, interrupts.likelihood)) return null;
  const [fewest, most] = interrupts.after_words;
  const afterWords = chanceBetween(character.seed, `${draft.stage} ${occasion} after`, fewest, most);
  return { afterWords: Math.max(1, afterWords) };
}

/** Whether an answer of several sentences is broken into utterances of their own. */
export function speaksInParts(turn: Turn): boolean {
  return turn.happens(`in parts ${turn.draft.callerTurns}`, turn.character.temper.speaks_in_parts);
}
