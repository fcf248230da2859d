import { castCharacter, type KnownFact, type Persona } from '../person/character.ts';
import type { PersonaFile } from '../person/person-file.ts';
import { fillPhrase, placeholdersOf, withoutPauses } from '../person/phrase.ts';
import { transcribe } from '../person/transcription.ts';
import { sentencesOf } from '../person/utterance.ts';
import { bundledDirectory } from './directory.ts';

/* What somebody on the telephone says, sentence by sentence, with the facts that each sentence tells. */

export interface KnownSentence {
  /** As the caller hears it. */
  readonly text: string;
  readonly facts: readonly { readonly name: string; readonly type: KnownFact['type'] }[];
}

/** A fact that the person first gets wrong. */
export interface KnownSlip {
  readonly fact: string;
  /** What they say instead. */
  readonly wrong: string;
  readonly right: string;
  /** How they put it right. */
  readonly corrections: readonly string[];
  /** The wrong value and its correction in one reply. */
  readonly atOnce: readonly string[];
}

export interface KnownTopic {
  readonly clientQuestion: string | null;
  /** The fact that answers it. */
  readonly answeredBy: string | null;
  /** Phrases in sentences. */
  readonly says: readonly (readonly KnownSentence[])[];
  readonly vaguely: readonly KnownSentence[];
}

/** What the person needs from the caller before they continue. */
export interface KnownNeed {
  readonly slot: string;
  readonly asks: readonly KnownSentence[];
}

export interface KnownPerson {
  /** The topics of each desk on the line. */
  readonly desks: readonly (readonly KnownTopic[])[];
  /** What they say when asked whom one has reached. */
  readonly introductions: readonly string[];
  /** What the person says beside every point, and without knowing. */
  readonly asides: readonly KnownSentence[];
  readonly doNotKnow: readonly KnownSentence[];
  /** What they say when they have looked something up. */
  readonly returns: readonly KnownSentence[];
  /** What each fact is, in words. */
  readonly spoken: ReadonlyMap<string, string>;
  readonly slip: KnownSlip | null;
  /** When they were asked before. */
  readonly reproaches: readonly KnownSentence[];
  readonly needs: readonly KnownNeed[];
  /** Requests for information: what they need, and questions of their own. */
  readonly requests: readonly KnownSentence[];
  /** What they say out of courtesy: invitations to speak, farewells. */
  readonly courtesies: readonly KnownSentence[];
  /** Statements and courtesies, which request no information. */
  readonly remarks: readonly KnownSentence[];
}

/** The topic under which people say whom one has reached. */
const introducing = 'business name';

/** No day matters here, only that it is always the same. */
const today = { year: 2026, month: 6, day: 1 };

/** @param others those whose desks may be borrowed, beside the people that come with the phone */
export function knownPerson(file: PersonaFile, others: readonly PersonaFile[]): KnownPerson {
  const { personas, defaults } = bundledDirectory();
  const character = castCharacter({
    file,
    personas: [...others, ...personas],
    defaults,
    today,
    seed: file.id,
    callSid: file.id,
  });
  const onTheLine = Object.values(character.stages).flatMap((stage) =>
    stage.kind === 'person' ? [stage.persona] : [],
  );
  const heard = (phrases: readonly string[], { facts }: Persona): KnownSentence[] =>
    phrases.flatMap(sentencesOf).flatMap((sentence) => heardSentence(sentence, facts, file));
  const everyone = [character, ...onTheLine];
  const needs = everyone.flatMap((persona) =>
    persona.desks
      .flatMap((desk) => desk.needs)
      .map(({ slot, ask }) => ({ slot, asks: heard(ask.flatMap(requestIn), persona) })),
  );
  const courtesies = heard(courtesiesOf(file), character);
  return {
    desks: everyone.flatMap((persona) =>
      persona.desks.map(({ topics }) =>
        topics.map(({ client_question, answered_by, says, vaguely }) => ({
          clientQuestion: client_question ?? null,
          answeredBy: answered_by ?? null,
          says: says.map((phrase) => heard([phrase], persona)),
          vaguely: heard(vaguely, persona),
        })),
      ),
    ),
    introductions: character.defaults.topics
      .filter(({ topic }) => topic === introducing)
      .flatMap(({ says }) => says)
      .map((phrase) => heard([phrase], character))
      .filter((sentences) => sentences.length > 0)
      .map((sentences) => sentences.map(({ text }) => text).join(' ')),
    asides: heard(
      file.temper.asides.flatMap(({ says }) => says),
      character,
    ),
    doNotKnow: heard(file.manners.do_not_know ?? [], character),
    returns: heard(file.temper.looks_up?.back ?? [], character),
    spoken: new Map(
      everyone.flatMap(({ facts }) => Object.entries(facts).map(([name, { spoken }]) => [name, spoken])),
    ),
    slip: slipOf(file, character),
    reproaches: heard(
      [...character.defaults.asked_before, ...character.defaults.asked_too_often].map(withoutAnswer),
      character,
    ),
    needs,
    requests: [
      ...needs.flatMap((need) => need.asks),
      ...everyone.flatMap((persona) => heard(questionsOf(persona), persona)),
    ],
    courtesies,
    remarks: [...everyone.flatMap((persona) => heard(remarksOf(persona), persona)), ...courtesies],
  };
}

function slipOf(file: PersonaFile, { facts, desks }: Persona): KnownSlip | null {
  const { misspeaks } = file.temper;
  const right = misspeaks === undefined ? undefined : facts[misspeaks.fact]?.spoken;
  if (misspeaks === undefined || right === undefined) return null;
  const { fact, instead: wrong } = misspeaks;
  const filled = (phrase: string, own: Readonly<Record<string, string>>): string[] => {
    const text = fillPhrase(phrase, (name) => own[name] ?? facts[name]?.spoken ?? null);
    return text === null ? [] : [heardText(text, file)];
  };
  const corrections = misspeaks.corrects.flatMap((phrase) => filled(phrase, { right }));
  const told = desks
    .flatMap(({ topics }) => topics.flatMap(({ says }) => says))
    .filter((phrase) => placeholdersOf(phrase).includes(fact));
  const atOnce = told.flatMap((phrase) =>
    filled(phrase, { [fact]: wrong }).flatMap((first) =>
      corrections.map((correction) => `${first} ${correction}`),
    ),
  );
  return { fact, wrong, right, corrections, atOnce };
}

/** The sentences that ask; before them comes what the person remarks. */
function requestIn(phrase: string): string[] {
  const sentences = sentencesOf(phrase);
  return sentences.filter((sentence, at) => asks(sentence) || at === sentences.length - 1);
}

function questionsOf({ temper }: Persona): string[] {
  return temper.asides
    .flatMap(({ says }) => says)
    .flatMap(sentencesOf)
    .filter(asks);
}

function remarksOf({ desks, greeting }: Persona): string[] {
  const told = desks.flatMap(({ welcome, needs, topics, transfer }) => [
    ...welcome,
    ...needs.flatMap((need) => need.heard),
    ...topics.flatMap(({ says }) => says),
    ...(transfer?.says ?? []),
  ]);
  return [...greeting, ...told].flatMap(sentencesOf).filter((sentence) => !asks(sentence));
}

/** An invitation to speak wants no fact, though it is a question. */
function courtesiesOf({ manners }: PersonaFile): string[] {
  const { do_not_know, noted, confirms, goodbye, how_can_i_help, anything_else, say_again } = manners;
  const statements = [do_not_know, noted, confirms, goodbye].flatMap((phrases = []) => phrases);
  const invitations = [how_can_i_help, anything_else, say_again].flatMap((phrases = []) => phrases);
  return [
    ...statements.flatMap(sentencesOf).filter((sentence) => !asks(sentence)),
    ...invitations.flatMap(sentencesOf),
  ];
}

function asks(sentence: string): boolean {
  return sentence.includes('?');
}

function withoutAnswer(phrase: string): string {
  return phrase.replace('{answer}', '').trim();
}

/** Nothing where a placeholder has no value outside of a call. */
function heardSentence(sentence: string, facts: Persona['facts'], file: PersonaFile): KnownSentence[] {
  const filled = fillPhrase(sentence, (name) => facts[name]?.spoken ?? null);
  if (filled === null) return [];
  const text = heardText(filled, file);
  const told = placeholdersOf(sentence).flatMap((name) => {
    const fact = facts[name];
    // Everybody's name and place are facts, too, and tell nothing.
    return fact === undefined || name === 'name' || name === 'business' ? [] : [{ name, type: fact.type }];
  });
  return [{ text, facts: told }];
}

function heardText(words: string, { transcription, numbers_as }: PersonaFile): string {
  return transcribe(withoutPauses(words), { transcription, numbersAs: numbers_as });
}
