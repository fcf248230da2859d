import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { type KnownSentence, knownPerson } from '#shared/sandbox-phone/personas/known-sentences.ts';
import type { LabelledLine } from '#shared/voice-agent/understanding/examples.ts';
import { chance, readTrainSplits } from './people-replies.ts';

/* The people of the training splits ask us for what they need, and their files tell what that is. */

/** The requests for information of everyone in `train-*`, and their other sentences. */
export async function peopleLines(directory: string): Promise<LabelledLine[]> {
  const groups = await readTrainSplits(directory);
  return groups.flatMap((group) =>
    group.flatMap((file) => {
      const { requests, remarks } = knownPerson(file, group);
      return [
        ...requests.map(({ text }) => ({ label: 'requests', family: file.id, text })),
        ...remarks.map(({ text }) => ({ label: 'remarks', family: file.id, text })),
      ];
    }),
  );
}

/** What everyone in `train-*` asks of us, by the topic that `topicOfNeed` gives it, and some of what asks nothing. */
export async function peopleAsks(directory: string): Promise<LabelledLine[]> {
  const groups = await readTrainSplits(directory);
  const lines = groups.flatMap((group) => group.flatMap((file) => asksOf(file, group)));
  // Desks are borrowed, and their words with them.
  const distinct = [...new Map(lines.map((line) => [`${line.label} ${line.text}`, line])).values()];
  return [...Map.groupBy(distinct, ({ label }) => label)].flatMap(([label, ofLabel]) =>
    label === 'none' ? ofLabel : chosen(ofLabel, mostPerTopic),
  );
}

/** What every desk asks for must not outweigh the rest. */
function chosen(lines: readonly LabelledLine[], most: number): LabelledLine[] {
  return lines.toSorted((one, other) => chance(one.text) - chance(other.text)).slice(0, most);
}

function asksOf(file: PersonaFile, group: readonly PersonaFile[]): LabelledLine[] {
  const { needs, courtesies, remarks } = knownPerson(file, group);
  const lineOf = (label: string, { text }: KnownSentence): LabelledLine => ({ label, family: file.id, text });
  const some = remarks.filter(({ text }) => chance(text) < shareRemarked);
  return [
    ...needs.flatMap(({ slot, asks }) => {
      const topic = topicOfNeed[slot];
      return topic === undefined ? [] : asks.map((sentence) => lineOf(topic, sentence));
    }),
    ...[...courtesies, ...some].map((sentence) => lineOf('none', sentence)),
  ];
}

/** Needs of personas that mean the same topic in each file; those of other names mean one thing here, another there. */
const topicOfNeed: Readonly<Record<string, string>> = {
  patient_name: 'patient-name',
  date_of_birth: 'date-of-birth',
  address: 'address',
  patient_status: 'patient-status',
  member_id: 'member-id',
  group: 'group-number',
  group_number: 'group-number',
  claim_number: 'claim-number',
  bill_number: 'bill-number',
  service_date: 'service-date',
  date_of_service: 'service-date',
  dos: 'service-date',
  npi: 'provider-npi',
  provider_npi: 'provider-npi',
  tax_id: 'tax-id',
  caller_tax_id: 'tax-id',
  callback: 'callback-number',
  callback_number: 'callback-number',
};

/** The share of what asks nothing. */
const shareRemarked = 0.25;
const mostPerTopic = 500;
