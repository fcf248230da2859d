import { plain } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { negations } from '../understanding/features.ts';
import { isAkin } from '../understanding/polarity-features.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { isReplyWord } from '../understanding/yes-and-no.ts';
import { isOfOtherClaim } from './other-tier.ts';

/* The claim status that a clause tells: a denied or hypothetical status did not occur. */

/** The topic of the clause, unless it denies it and names another: "It's approved, but it ain't paid yet". */
export function statusIn(move: Move, label: string | undefined): string | null {
  const status = plainStatusIn(move, label);
  const words = plain(move.tokens);
  return status === 'paid' && inPart.some((phrase) => words.includes(phrase)) ? 'partially-paid' : status;
}

const inPart = ['in part', 'partly', 'partially'];

function plainStatusIn(move: Move, label: string | undefined): string | null {
  // "Processed and paid", "approved and paid": what it came to says more.
  const outcome = label === processed || label === approved ? statusNamedIn(move) : null;
  const isReached = outcome !== null && reachedStatuses.has(outcome);
  if (isReached && (label === processed || hasHappened(outcome, move))) return outcome;
  if (label !== undefined && !isDeniedStatus(label, move)) return label;
  if (saysNotOnFile(move)) return notOnFile;
  // "The claim is not on file": denying receipt says that it was not received.
  if (isNextLikely(notOnFile, move) && isDeniedStatus('received', move)) return notOnFile;
  const named = statusNamedIn(move);
  if (named === null || named === label) return null;
  return named === approved || !isDeniedStatus(named, move) ? named : null;
}

/** "Approved and paid", not "approved and will be paid". */
function hasHappened(status: string, { tokens }: Move): boolean {
  const said = tokens.flatMap(({ norm }) => norm.split(' '));
  return said.some((word, at) => isAkin(word, status) && happening.has(said[at - 1] ?? ''));
}

const happening: ReadonlySet<string> = new Set(['and', 'been', 'was', 'is', 'already', 'got']);

/** The status by its name. */
export function saysNotOnFile({ tokens }: Pick<Move, 'tokens'>): boolean {
  return plain(tokens).includes('not on file');
}

function isNextLikely(label: string, { claims }: Move): boolean {
  return claims.some((claim) => claim.label === `claim_status=${label}` && claim.confidence >= leastNext);
}

const leastNext = 0.3;

/**
 * "Nobody has paid it", "we would have paid it": a denied or hypothetical status did not occur;
 * nor does a denied name, "I can't call it denied".
 */
function isDeniedStatus(label: string, { tokens, entities }: Move): boolean {
  // Its words deny themselves. "Nothing has been paid on it", "a claim" name an existing one.
  if (label === notOnFile) return !deniesClaim(tokens);
  // "Paid $0"
  if (reachedStatuses.has(label) && entities.some(({ type, value }) => type === 'money' && value === 0))
    return true;
  // "Yeah, no, it's denied": a reply denies nothing that follows.
  const [name = ''] = label.split('-').slice(-1);
  const own = tokens.slice(0, endOfMention(tokens, name));
  const said = withoutIdioms(own.flatMap(({ norm }, at) => (isReplyWord(own, at) ? [] : norm.split(' '))));
  const names = label === 'denied' ? turnedDown : [name];
  const isNamed = names.some((one) => namings(said, one).some((isDenied) => isDenied));
  const isSupposed = said.some((word) => (negations.has(word) && word !== 'no') || supposed.has(word));
  return isNamed || (reachedStatuses.has(label) && isSupposed);
}

/** "Approved, not paid yet", "paid, but never cashed": what is denied behind a status is something else. */
function endOfMention(tokens: Move['tokens'], name: string): number {
  const at = tokens.findIndex(({ norm }) => isAkin(norm, name));
  const end = tokens.findIndex(
    ({ kind, norm }, index) => index > at && (kind === 'comma' || contrasting.has(norm)),
  );
  return at < 0 || end < 0 ? tokens.length : end;
}

export const contrasting: ReadonlySet<string> = new Set(['but', 'though', 'although']);

/** "Says pending, we never got the receipt showing she paid": which one applies, they will say when asked. */
export function namesOtherStatus(label: string, heard: Heard): boolean {
  const own = heard.moves.filter((move) => !isOfOtherClaim(move, heard));
  const said = own.flatMap(({ tokens }) => tokens.flatMap(({ norm }) => norm.split(' ')));
  return outcomes.some(
    (status) => !label.includes(status) && namings(said, status).some((isDenied) => !isDenied),
  );
}

/** Whether each mention of a status is denied: "neither paid nor denied". */
function namings(said: readonly string[], name: string): boolean[] {
  return said.flatMap((word, at) =>
    isAkin(word, name)
      ? [said.slice(Math.max(0, at - denialScope), at).some((before) => denying.has(before))]
      : [],
  );
}

function deniesClaim(tokens: Move['tokens']): boolean {
  const said = withoutIdioms(tokens.flatMap(({ norm }) => norm.split(' ')));
  const isOther = [...outcomes, approved].some((status) => said.some((word) => isAkin(word, status)));
  return !isOther && said.some((word) => denying.has(word) || lacking.has(word));
}

const notOnFile = 'not-on-file';
/** "Not turned down" denies it; "not payable" does not. */
const turnedDown: readonly string[] = words.turned_down.split(' ');
/** "Zip for that number", "we lack it" */
const lacking: ReadonlySet<string> = new Set(words.lacking.split(' '));
/** "Never mind, here it is", "no worries, got it": these deny nothing. */
function withoutIdioms(said: readonly string[]): string[] {
  const isIdiom = (at: number): boolean => denying.has(said[at] ?? '') && dismissed.has(said[at + 1] ?? '');
  return said.filter((_, at) => !isIdiom(at) && !isIdiom(at - 1));
}

const dismissed: ReadonlySet<string> = new Set(['mind', 'worries', 'worry', 'problem', 'rush']);
const denying: ReadonlySet<string> = new Set([...negations, 'neither', 'nor', 'cannot', 'never']);

/** "So this one was denied, because …": whatever else the clause is about, it gives the outcome of the claim. */
export function statusNamedIn({ tokens }: Pick<Move, 'tokens'>): string | null {
  const said = tokens.flatMap(({ norm }) => norm.split(' '));
  const isSaid = (status: string): boolean => namings(said, status).some((isDenied) => !isDenied);
  const [named, ...others] = outcomes.filter(isSaid);
  // A paid claim was approved before, so approval counts only by itself.
  if (named === undefined) return isSaid(approved) ? approved : null;
  return others.length === 0 ? named : null;
}

const processed = 'processed';
const approved = 'approved';
const outcomes = ['paid', 'denied', 'pending'] as const;

/** "I would not say denied" */
const denialScope = 4;
const supposed = new Set(words.supposed.split(' '));

const reachedStatuses: ReadonlySet<string> = new Set(['paid', 'partially-paid', 'approved', 'received']);
