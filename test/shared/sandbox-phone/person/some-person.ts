import { type Casting, type Character, castCharacter } from '#shared/sandbox-phone/person/character.ts';
import { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { bundledDirectory, type Directory } from '#shared/sandbox-phone/personas/directory.ts';

/** A receptionist with a little of everything, for one additional ability. */
const receptionist = {
  id: 'receptionist',
  about: 'Answers questions and makes appointments.',
  numbers: ['+12025550150'],
  name: 'Ines',
  business: 'Maple Street Clinic',
  voice: 'slt',
  moment_styles: ['short'],
  greeting: ['Maple Street Clinic, Ines speaking.'],
  knows: {
    fee: { money: 40 },
    hours: { text: 'Monday to Friday from 8 AM to 5 PM' },
    fax: { phone: '+12025550161' },
    confirmation: { identifier: 'MS####' },
  },
  desks: [
    {
      desk: 'questions',
      purpose: ['question*', 'information'],
      topics: [
        {
          topic: 'fee',
          asked_by: ['fee', 'cost*', 'charge'],
          says: ['The fee is {fee}. It is due at the visit.'],
          vaguely: ['That depends.'],
        },
        { topic: 'hours', asked_by: ['hours', 'open'], says: ['We are open {hours}.'] },
        { topic: 'fax', asked_by: ['fax'], says: ['The fax number is {fax}.'] },
      ],
    },
    {
      desk: 'appointments',
      purpose: ['appointment*', 'schedul*', 'book*'],
      needs: [
        {
          slot: 'patient_name',
          hears: 'name',
          cues: ['patient', 'behalf of', 'appointment for'],
          ask: ['Who is it for?'],
        },
      ],
      calendar: {
        openings: [
          { in_working_days: 2, time: '14:15', with: 'Dr. Okafor' },
          { in_working_days: 3, time: '10:30', with: 'Dr. Brandt' },
          { in_working_days: 4, time: '09:00', with: 'Dr. Okafor' },
        ],
        offers_at_a_time: 3,
        booked: ['Booked, {booking} with {provider}, number {confirmation}.'],
      },
      topics: [{ topic: 'number', asked_by: ['confirmation', 'number'], says: ['It is {confirmation}.'] }],
    },
  ],
};

export function somePerson(changes: Record<string, unknown> = {}): PersonaFile {
  return PersonaFile.parse({ ...receptionist, ...changes });
}

export function cast(file: PersonaFile, choices: Partial<Casting> = {}): Character {
  const bundled: Directory = bundledDirectory();
  return castCharacter({
    file,
    personas: [file, ...bundled.personas],
    defaults: bundled.defaults,
    today: { year: 2026, month: 11, day: 20 },
    seed: 'a',
    callSid: 'CA1',
    ...choices,
  });
}

export function somePersona(
  changes: Record<string, unknown> = {},
  choices: Partial<Casting> = {},
): Character {
  return cast(somePerson(changes), choices);
}

/** A person whose manners do not add a random "Anything else?", so that a test knows every word. */
export const quiet = { manners: { anything_else: ['{nothing}'] } };
