/** The columns of a file of patients and tasks. */
export const importHeadings = [
  'Patient external ID',
  'First name',
  'Last name',
  'Date of birth',
  'Patient phone number',
  'Task type',
  'Goal',
  'Number to call',
] as const;

/** An invented person whose visit is scheduled, one per number. */
export function importRow(number: number, numberToCall: string): string[] {
  return [
    `MRN-${number}`,
    `Given${number}`,
    'Example',
    '7/12/1984',
    '(202) 555-0142',
    'Schedule an appointment',
    'Find a morning slot.',
    numberToCall,
  ];
}
