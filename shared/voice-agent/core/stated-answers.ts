import type { PlanItem } from '../call-plan/call-plan.ts';
import { hasQuestionMark, type Token, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { asksInForm, firstPerson } from './clause-topic.ts';
import { mayAnswerOpenQuestion } from './open-answer.ts';

/*
 * Answers that sound like requests for what they name: the end of a list joined to the answer ("nothing to eat after
 * midnight, and her insurance card"), and a yes or a no with its reason ("in network, I checked by the address"). And
 * answers that sound like a transfer, "you'll get Dale, my husband", or like a mailbox, "call this number and leave a
 * message".
 */

/** The same words, with moves that answer our question taken as statements. */
export function withStatedAnswers(heard: Heard, asked: PlanItem | null): Heard {
  if (asked === null) return heard;
  const moves: Move[] = [];
  for (const [at, move] of heard.moves.entries()) {
    const before = moves.at(-1);
    if (
      asksAlone(move) &&
      (tells(move, asked) ||
        takesUp(move, heard.moves[at + 1]) ||
        (before !== undefined && goesOn(before, move, asked)))
    )
      moves.push(asStated(move, (act) => act.startsWith('asks-')));
    else moves.push(asAnswer(move, asked, heard));
  }
  return { ...heard, moves };
}

function asksAlone({ isQuestion, asks }: Move): boolean {
  return isQuestion || (asks[0]?.confidence ?? 0) >= leastAsked;
}

const leastAsked = 0.3;

/** Says yes or no to what was asked, and does not surely ask. */
function tells({ claims: [best], acts, tokens }: Move, { key }: PlanItem): boolean {
  const asking = [...acts].reduce(
    (sum, [act, likelihood]) => sum + (act.startsWith('asks-') ? likelihood : 0),
    0,
  );
  const hasMark = hasQuestionMark(tokens);
  const isOfItem = best?.label.startsWith(`${key}=`) === true && best.confidence >= leastTold;
  return isOfItem && !hasMark && asking < surelyAsked;
}

const leastTold = 0.7;
const surelyAsked = 0.9;

/** "PT? For sure it's covered.": a word of ours, which they go on to answer. */
function takesUp({ tokens, requests, act }: Move, next: Move | undefined): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word');
  const isRequest = requests >= leastRequesting || act === 'asks-repeat' || act === 'asks-machine';
  const goesOn = next !== undefined && !next.isQuestion && next.requests < leastRequesting;
  return words.length <= mostTakenUp && hasQuestionMark(tokens) && !isRequest && goesOn;
}

const mostTakenUp = 2;
const leastRequesting = 0.3;

function goesOn(before: Move, move: Move, { key, question, kind }: PlanItem): boolean {
  const isJoined = before.tokens.at(-1)?.kind === 'comma' || joining.has(firstWord(move));
  if (!isJoined || before.isQuestion || asksOutright(move)) return false;
  const isOfItem = before.claims.some(
    ({ label, confidence }) => label.split('=')[0] === key && confidence >= leastOfItem,
  );
  return isOfItem || (kind === 'text' && mayAnswerOpenQuestion(question, before.tokens));
}

/** A question mark, the form of a question, or words about themselves: "and I need her birth date". */
function asksOutright(move: Move): boolean {
  return (
    asksInForm(move) ||
    move.tokens.some(
      ({ kind, norm }) => kind === 'question' || norm.split(' ').some((word) => firstPerson.has(word)),
    )
  );
}

function firstWord({ tokens }: Move): string {
  return tokens.find(({ kind }) => kind === 'word')?.norm ?? '';
}

function asAnswer(move: Move, asked: PlanItem, heard: Heard): Move {
  if (tellsWhom(move, asked) || isOfTransfers(move, asked))
    return asStated(move, (act) => act === 'transfer');
  if (!hasValueOf(asked, heard)) return move;
  return asStated(move, (act) => act === 'mailbox' || (act === 'opts-out' && sparesOnlyThem(move)));
}

/** "Don't call me", beside whom to call instead; "don't call here again" and "take our number out" end all calls. */
function sparesOnlyThem({ tokens }: Move): boolean {
  const words = wordsOf(tokens);
  const isTheirs = words.some((word, at) => word === 'me' && words[at - 1] === 'call');
  return isTheirs && !words.some((word) => lasting.has(word));
}

const lasting = wordSet('again anymore ever never stop list remove off us');

/** "And they transfer it to me", asked whether a prescription can be transferred. "I'll transfer you" transfers us. */
function isOfTransfers({ tokens }: Move, { question }: PlanItem): boolean {
  const words = wordsOf(tokens);
  const takesUp = transferring.test(question) && words.some((word) => transferring.test(word));
  const isOurs = words.some(
    (word, at) => word === 'you' && [words[at - 1], words[at + 1]].some((one = '') => transferring.test(one)),
  );
  return takesUp && !isOurs && !words.some((word) => ofMoment.has(word));
}

const transferring = /\btransfer/;
const ofMoment = wordSet('hold now moment second');

function wordsOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ norm }) => norm.split(' '));
}

/** "You call 202-555-0181 and leave a message", asked for the number. */
function hasValueOf({ kind }: PlanItem, { entities }: Heard): boolean {
  return kind === 'phone-number' && entities.some(({ type }) => type === 'phone');
}

/** "You'd get Dale" tells how to reach someone; a person who transfers us says "I'll …". */
function tellsWhom({ acts, tokens }: Move, { kind }: PlanItem): boolean {
  const words = wordsOf(tokens);
  const isTransfer = kind === 'name' && (acts.get('transfer') ?? 0) >= leastTransfer;
  return isTransfer && words.includes('you') && !words.some((word) => ofTransfer.has(word));
}

const leastTransfer = 0.4;
/** Words of a transfer that happens now, and of the person who makes it. */
const ofTransfer: ReadonlySet<string> = new Set(
  'i we me hold now transferring connecting putting getting'.split(' '),
);

/** Takes what the acts mean otherwise as a statement. */
function asStated(move: Move, isOther: (act: string) => boolean): Move {
  const others = [...move.acts].filter(([act]) => isOther(act));
  const moved = others.reduce((sum, [, likelihood]) => sum + likelihood, 0);
  const acts = new Map(move.acts);
  for (const [act] of others) acts.set(act, 0);
  acts.set('states', (acts.get('states') ?? 0) + moved);
  const [act = 'states', confidence = 1] = [...acts].sort(([, a], [, b]) => b - a)[0] ?? [];
  return { ...move, acts, act, confidence, isQuestion: false, asks: [] };
}

export const joining: ReadonlySet<string> = new Set(cues.joining.split(' '));
const leastOfItem = 0.5;
