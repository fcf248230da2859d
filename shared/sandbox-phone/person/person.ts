import { type Character, playedBy } from './character.ts';
import { pickUp } from './conversation.ts';
import { withAccount } from './exchange.ts';
import { hear } from './heard.ts';
import { operateMachine, startMachine } from './machine.ts';
import {
  listening,
  newPerson,
  type PersonEvent,
  type PersonState,
  type Reaction,
  type Reply,
  type Utterance,
} from './person-state.ts';
import { chanceBetween } from './seeded.ts';
import { answerByTraits, bargesIn, noticeSilenceByTraits, speaksInParts, type TraitReply } from './traits.ts';
import { Turn } from './turn.ts';
import { sentencesOf, utter } from './utterance.ts';

/** After a farewell, the caller has this long to respond before the person hangs up. */
const farewellSilenceMs = 3000;
/** A telephone that a call is put through to rings for a moment. */
const arrivalMs = [1500, 4000] as const;

/** The other end's reaction to an event on the line. Pure: same state, event and character, same reaction. */
export function react(character: Character, state: PersonState, event: PersonEvent): Reaction {
  return withAccount(character, state, event, reactOnLine(character, state, event));
}

function reactOnLine(character: Character, state: PersonState, event: PersonEvent): Reaction {
  if (event.kind === 'picked-up') return enter(character, state, character.firstStage, [], '', true);
  const stage = character.stages[state.stage];
  if (stage !== undefined && stage.kind !== 'person') {
    const step = operateMachine(character, state, stage, event);
    if ('reaction' in step) return step.reaction;
    return enter(character, step.state, step.to, [], step.keysAhead, stage.kind === 'hold');
  }
  return reactInPerson(playedBy(character, state.stage), state, event);
}

function reactInPerson(
  character: Character,
  state: PersonState,
  event: Exclude<PersonEvent, { kind: 'picked-up' }>,
): Reaction {
  const { awaiting } = state;
  if (awaiting !== null) {
    // No one listens; the line need not report it.
    if (event.kind !== 'time') return { ...listening(state, 0), waitsMs: 1000 };
    if (awaiting.kind === 'answer') {
      return perform(character, new Turn(character, awaiting.state), { reply: awaiting.reply, delay: null });
    }
    return greet(character, { ...state, awaiting: null });
  }
  const turn = new Turn(character, state);
  switch (event.kind) {
    case 'heard':
      if (hear(event.text).words.length === 0 && event.wasCut !== true) return stillListening(turn);
      return perform(character, turn, answerByTraits(turn, event.text, event.wasCut ?? false));
    case 'silence':
      return perform(character, turn, { reply: noticeSilenceByTraits(turn), delay: null });
    case 'keys':
    case 'time':
      // Tones mean nothing to a person.
      return stillListening(turn);
    default:
      return event satisfies never;
  }
}

function greet(character: Character, state: PersonState): Reaction {
  const turn = new Turn(character, state);
  return perform(character, turn, { reply: pickUp(turn), delay: null });
}

/** Leads the caller to a stage: a person picks up, or a machine starts. */
function enter(
  character: Character,
  state: PersonState,
  to: string,
  said: readonly Utterance[],
  keysAhead: string,
  isPickedUpAtOnce: boolean,
): Reaction {
  if (to === 'hang-up') return { ...listening(state, 0), utterances: said, hangsUp: true };
  const there: PersonState = { ...state, stage: to, awaiting: null };
  const stage = character.stages[to];
  if (stage === undefined || stage.kind === 'person') {
    const met = metAnew(there);
    if (isPickedUpAtOnce) return after(said, greet(playedBy(character, to), met));
    const waitsMs = chanceBetween(character.seed, `${to} picks up`, ...arrivalMs);
    return { ...listening({ ...met, awaiting: { kind: 'arrival' } }, 0), utterances: said, waitsMs };
  }
  const step = startMachine(character, there, stage, keysAhead);
  if ('reaction' in step) return after(said, step.reaction);
  return enter(character, step.state, step.to, said, step.keysAhead, false);
}

/** Another person knows nothing of the conversation, except keyed-in values. */
function metAnew({ stage, keyedIn, told, booking }: PersonState): PersonState {
  return { ...newPerson, stage, keyedIn, told, booking, said: keyedIn, settled: Object.keys(keyedIn) };
}

function after(said: readonly Utterance[], reaction: Reaction): Reaction {
  return { ...reaction, utterances: [...said, ...reaction.utterances] };
}

function stillListening({ draft, character }: Turn): Reaction {
  return listening(draft, draft.saidGoodbye ? farewellSilenceMs : character.defaults.silence_ms);
}

/** Turns a reply into actions of the line. */
function perform(character: Character, turn: Turn, { reply, delay }: TraitReply): Reaction {
  if (delay !== null) {
    const state: PersonState = {
      ...delay.before,
      occasions: turn.draft.occasions,
      awaiting: { kind: 'answer', state: turn.draft, reply },
    };
    return {
      ...listening(state, 0),
      utterances: delay.says === null ? [] : [utter(character, delay.says, character.voice)],
      waitsMs: delay.ms,
    };
  }
  const utterances = speak(character, turn, reply);
  if (reply.putsThrough !== null)
    return enter(character, turn.draft, reply.putsThrough, utterances, '', false);
  return {
    ...stillListening(turn),
    utterances,
    presses: reply.presses,
    hangsUp: reply.hangsUp,
    bargesIn: reply.hangsUp ? null : bargesIn(turn),
  };
}

function speak(character: Character, turn: Turn, { says }: Reply): Utterance[] {
  if (says.length === 0) return [];
  const whole = says.join(' ');
  const parts = speaksInParts(turn) ? sentencesOf(whole) : [whole];
  return parts.map((part) => utter(character, part, character.voice));
}
