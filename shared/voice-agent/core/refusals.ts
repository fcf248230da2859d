import { isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { plain, type Token, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Move } from '../understanding/understand.ts';
import { leastNamed } from './clause-topic.ts';

/* Words that answer nothing, because the person does not know, does not tell, or has told before. */

const refusing = ['withholds', 'not-found', 'refuses', 'refuses-machine', 'does-not-know'];
/** A referral elsewhere may be the method we asked for: "You request it on the portal." */
const sendingElsewhere = ['needs-member', 'portal-only'];
const wrongDepartment = 'wrong-department';

/** Who does not tell, or reproaches us with asking again. */
export function refuses(move: Move, asked: PlanItem | null): boolean {
  const { acts, entities, tokens } = move;
  // "I said that wrong, it's $488."
  const corrects = (acts.get('corrects') ?? 0) >= leastCorrecting;
  if ((isReproach(tokens) && !corrects) || isShrug(tokens) || isBargain(move)) return true;
  const tellsWay = asked?.kind === 'text';
  if (tellsWay && !isClientsOwn(asked) && isExcept(tokens)) return true;
  const elsewhere = tellsWay ? [] : sendingElsewhere;
  // With a number it says where, and asked who, it says who; otherwise only that it is not here.
  const tellsWho = (tellsWay && entities.length > 0) || asked?.kind === 'name';
  const all = [...refusing, ...elsewhere, ...(tellsWho ? [] : [wrongDepartment])];
  return all.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0) >= 0.5;
}

const leastCorrecting = 0.5;

/** "Not without the code" names no plan, and may well limit a yes. */
function isExcept([first, second]: readonly Token[]): boolean {
  return first?.norm === 'not' && second?.norm === 'without';
}

/** "No code, no benefits" withholds everything for lack of a code; "no copay, no deductible" tells two facts. */
export function isBargain({ tokens, claims: [best], entities }: Move): boolean {
  const said = tokens.filter(({ kind }) => kind !== 'stop').map(({ norm }) => norm);
  const at = said.lastIndexOf('no');
  const isTold = best !== undefined && best.label !== 'none' && best.confidence >= leastTold;
  const isPair = at - said.indexOf('no') > 2 && said[at - 1] === ',' && said.length > at + 1;
  return isPair && said.length <= mostOfBargain && entities.length === 0 && !isTold;
}

const leastTold = 0.6;
const mostOfBargain = 9;

/** "Dunno." */
function isShrug(tokens: readonly Token[]): boolean {
  const said = plain(tokens).split(' ');
  return said.length <= mostOfShrug && said.some((word) => shrugs.has(word));
}

const mostOfShrug = 3;
const shrugs = wordSet(cues.shrugs);

/** "I've told you that three times", "we've been through that": a reproach, not an answer. */
export function isReproach(tokens: readonly Token[]): boolean {
  const said = plain(tokens).split(' ');
  const has = (words: ReadonlySet<string>): boolean => said.some((word) => words.has(word));
  return said.length <= mostOfReproach && talkers.has(said[0] ?? '') && has(saidBefore) && has(asBefore);
}

const talkers: ReadonlySet<string> = new Set(['i', 'we', 'you']);
const mostOfReproach = 9;
const saidBefore = wordSet(cues.said_before);
const asBefore = wordSet(cues.as_before);

/** "Disregard the first letter you received in July": what they tell us to forget answers nothing. */
export function isDismissal(tokens: readonly Token[]): boolean {
  const [first = '', second = ''] = plain(tokens).split(' ');
  return dismissing.has(first === 'please' ? second : first);
}

const dismissing: ReadonlySet<string> = new Set(['disregard', 'ignore', 'forget']);

/**
 * They cannot say that a person they cannot find, or may not discuss, has nothing: "no plan, no deductible
 * under her".
 */
export function isNobodyThere({ acts }: Move): boolean {
  return nobody.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0) >= leastNobody;
}

/** A person who may not discuss a claim does not deny it: "not without the form, nothing about a claim". */
export function keepsToThemselves({ acts }: Move): boolean {
  return keeping.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0) >= leastNobody;
}

const keeping = ['needs-member', 'withholds', 'refuses'];
/** "Nobody by that name with us": about the member, once the speaker is known. */
const nobody = ['not-found', 'needs-member', 'wrong-number'];
const leastNobody = 0.6;

/** "Oh gosh, I don't have that": what leads into a refusal is one. */
export function leadsInto({ tokens, entities, claims: [best] }: Move): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word');
  const tells = best !== undefined && !['none', 'bare'].includes(best.label) && best.confidence >= leastNamed;
  return !tells && entities.length === 0 && words.length <= mostLeading && tokens.at(-1)?.kind === 'comma';
}
const mostLeading = 3;
