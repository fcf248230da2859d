import { escapeSpeech, type OutboundRelayFrame } from '#shared/carrier/relay-frames.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import { keysPressed } from '../core/our-words.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import { type DialogueRecord, withDisclosures } from '../dialogue/dialogue-record.ts';
import { type Farewell, type FarewellId, farewellHandoff, farewellWords } from '../dialogue/farewells.ts';
import { recordAfter } from '../dialogue/record-after.ts';
import { disclosedIn } from '../result/disclosures.ts';

/** The outcome of one turn of the model: its memory, its transcript, its relay frames. */
export interface TurnOutcome {
  readonly record: DialogueRecord;
  readonly memory: unknown;
  /** Our words in the transcript; null if the model stayed silent. */
  readonly words: string | null;
  /** Facts of the plan that these words tell. */
  readonly disclosed: readonly string[];
  readonly frames: readonly OutboundRelayFrame[];
  readonly ended: boolean;
}

/**
 * Carries out the actions of a turn. Pure.
 *
 * @param turn future index of our words in the transcript, for the record of disclosures
 */
export function carryOut(
  actions: readonly DialogueAction[],
  before: { readonly record: DialogueRecord; readonly memory: unknown },
  turn: number,
  plan: Pick<CallPlan, 'facts' | 'voicemail' | 'identity'>,
): TurnOutcome {
  let { record, memory } = before;
  const declared: string[] = [];
  const spoken: string[] = [];
  const words: string[] = [];
  const keys: OutboundRelayFrame[] = [];
  let farewell: Farewell | null = null;
  for (const action of actions) {
    switch (action.type) {
      case 'say':
        spoken.push(action.text);
        words.push(action.text);
        break;
      case 'press':
        keys.push({ type: 'sendDigits', digits: action.digits });
        words.push(`${keysPressed}${[...action.digits].join(' ')}]`);
        break;
      case 'wait':
        break;
      case 'disclose':
        declared.push(action.field);
        break;
      case 'remember':
        memory = action.memory;
        break;
      case 'end':
        record = recordAfter(record, action, turn);
        farewell = farewellOf(action.farewell, plan);
        break;
      case 'record':
      case 'retract':
      case 'meet':
      case 'follow-up':
      case 'obstacle':
        record = recordAfter(record, action, turn);
        break;
    }
    // Actions after the end are ignored.
    if (farewell !== null) break;
  }
  // Spoken by the document that follows the session, but still said by us.
  const lastWords = farewell === null ? null : farewellWords(farewell);
  if (lastWords !== null) words.push(lastWords);
  const disclosed = disclosedIn(spoken.join(' '), plan.facts, declared);
  return {
    record: withDisclosures(record, disclosed, turn),
    memory,
    words: words.length === 0 ? null : words.join(' '),
    disclosed,
    frames: [...keys, ...textFrames(spoken), ...(farewell === null ? [] : [endFrame(farewell)])],
    ended: farewell !== null,
  };
}

function farewellOf(
  farewell: FarewellId,
  { voicemail, identity: { organization } }: Pick<CallPlan, 'voicemail' | 'identity'>,
): Farewell {
  if (farewell !== 'voicemail' || voicemail === null) return { farewell };
  const { callback_number } = voicemail;
  return { farewell, callback_number, ...(organization === null ? {} : { organization }) };
}

function endFrame(farewell: Farewell): OutboundRelayFrame {
  return { type: 'end', handoffData: farewellHandoff(farewell) };
}

/** One talk cycle: the carrier starts speaking at the first token, and `last` marks the end. */
function textFrames(spoken: readonly string[]): OutboundRelayFrame[] {
  return spoken.map((text, position) => {
    const last = position === spoken.length - 1;
    return { type: 'text', token: escapeSpeech(last ? text : `${text} `), last };
  });
}
