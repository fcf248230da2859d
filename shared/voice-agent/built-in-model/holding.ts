import type { PlanItem } from '../call-plan/call-plan.ts';
import { isMoment } from '../core/clause-topic.ts';
import { featuresOf } from '../understanding/features.ts';
import { guess } from '../understanding/linear-model.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';

/* Whether the person on the line asks us to wait. */

export function isHolding(heard: Heard, asked: PlanItem | null = null): boolean {
  const last = heard.moves.findLast(({ act }) => act !== 'acknowledges' && act !== 'chat');
  const at = heard.moves.findLastIndex(asksToWait);
  const [wait, ...rest] = at < 0 ? [] : heard.moves.slice(at);
  // "One sec, I'll try it by the date."
  const isRemark =
    wait !== undefined &&
    mayExplain(wait) &&
    [wait, ...rest].slice(0, -1).every(goesOn) &&
    rest.every(isRemarkOn);
  return last !== undefined && (isRemark || asksToHold(last) || isMoment(last, asked));
}

/** "And hold on to WS-1207" tells a number. */
function asksToHold({ acts, entities }: Move): boolean {
  return (
    (acts.get('hold') ?? 0) >= 0.5 && !entities.some(({ type }) => type === 'identifier' || type === 'phone')
  );
}

/** By itself, or by how it begins: "Hang on, that's a different tab." */
function asksToWait({ acts, tokens }: Move): boolean {
  const comma = tokens.findIndex(({ kind }) => kind === 'comma');
  const lead = comma < 0 || comma > mostOfLead ? [] : tokens.slice(0, comma);
  const [best] = lead.length === 0 ? [] : guess(modelOf('acts'), featuresOf(lead));
  return Math.max(acts.get('hold') ?? 0, best?.label === 'hold' ? best.confidence : 0) >= surelyWaiting;
}

const mostOfLead = 3;
const surelyWaiting = 0.9;

function mayExplain({ isQuestion, entities }: Move): boolean {
  return !isQuestion && entities.length === 0;
}

/** In the same sentence. */
function goesOn({ tokens }: Move): boolean {
  return tokens.at(-1)?.kind !== 'stop';
}

function isRemarkOn(move: Move): boolean {
  return mayExplain(move) && remarking.has(move.act);
}

const remarking: ReadonlySet<string> = new Set(['states', 'chat', 'acknowledges', 'hold']);
