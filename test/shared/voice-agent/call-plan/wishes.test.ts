import { describe, expect, test } from 'vitest';
import { wishesIn } from '#shared/voice-agent/call-plan/wishes.ts';
import { expectLinearTime } from '../../../support/linear-time.ts';

const names = ['Elena', 'Marsh'];

function questionsIn(text: string): string[] {
  return wishesIn(text, names).wishes.map(({ question }) => question);
}

const cases: readonly (readonly [text: string, questions: readonly string[]])[] = [
  // What the client wants to know
  ['Also ask whether forms can be mailed.', ['Can forms be mailed?']],
  ['The dosing question goes to the pharmacist.', []],
  ['Please find out if they validate parking.', ['Do you validate parking?']],
  ['Ask if there is wheelchair access.', ['Is there wheelchair access?']],
  ['She would like to know if her daughter can come along.', ["Can the patient's daughter come along?"]],
  ['Check whether a deposit is needed.', ['Is a deposit needed?']],
  ['Let us know whether the copay is due at the visit.', ['Is the copay due at the visit?']],
  ['Confirm that they received the referral.', ['Could you tell me whether you received the referral?']],
  ['Ask the pharmacy whether it makes a progesterone cream.', ['Do you make a progesterone cream?']],
  ['Ask the workshop whether it engraves tags.', ['Do you engrave tags?']],
  ['Ask the school whether it also teaches signing.', ['Do you also teach signing?']],
  ['Ask the school whether it does evening classes.', ['Do you do evening classes?']],
  ['Ask the workshop whether it can deliver.', ['Can you deliver?']],
  ['Ask whether she does need a referral.', ['Does the patient need a referral?']],
  ['Ask the workshop whether it has been fixed.', ['Has it been fixed?']],
  ['Ask the workshop whether it can be fixed.', ['Can it be fixed?']],
  ['Find out from the shuttle service whether it suits the patient.', ['Does it suit the patient?']],
  ['Ask the workshop about its prices.', ['Could you tell me about your prices?']],
  ['Ask the lab whether it takes walk-ins and its hours.', ['Do you take walk-ins?', 'What are your hours?']],
  ['Verify that the doctor sees children.', ['Does the doctor see children?']],
  ['Confirm with the clinic that the doctor sees children.', ['Does the doctor see children?']],
  ['Verify the benefits under the plan that her employer pays.', []],
  ['Inquire whether Elena Marsh can bring a friend.', ['Can the patient bring a friend?']],
  ["Find out whether Elena's records have arrived.", ["Have the patient's records arrived?"]],
  ['Ask if I should stop taking aspirin.', ['Should the patient stop taking aspirin?']],
  ['Clarify whether the visit can be by video.', ['Can the visit be by video?']],
  ['Ask what the fee is.', ['What is the fee?']],
  ['Ask how much a copy costs.', ['How much does a copy cost?']],
  ['Find out when they open on Saturdays.', ['When do you open on Saturdays?']],
  ['Ask where she can park.', ['Where can the patient park?']],
  ['Please ask how to appeal.', ['Could you tell me how to appeal?']],
  ['Ask which fax number the referral should go to.', ['Which fax number should the referral go to?']],
  ['Find out who can sign the form.', ['Who can sign the form?']],
  ['Ask how many visits are allowed.', ['How many visits are allowed?']],
  ['We have some questions for Elena Marsh, who has just moved here.', []],
  ["Ask Dr. Ruiz's nurse, who does the refills, whether it is ready.", ['Is it ready?']],
  [
    'Ask when they close, who is on call and whose form it is.',
    ['When do you close?', 'Who is on call?', 'Whose form is it?'],
  ],
  ['Ask why the bill was sent twice.', ['Why was the bill sent twice?']],
  [
    'Ask why, since when, and until when she can appeal.',
    ['Could you tell me why?', 'Until when can the patient appeal?'],
  ],
  ['Ask about the cancellation policy.', ['Could you tell me about the cancellation policy?']],
  ['Please ask for the fax number of the office.', ['What is the fax number of the office?']],
  ['Get the address for records.', ['What is the address for records?']],
  ['Check the status of the refill.', ['What is the status of the refill?']],
  ['Ask for an interpreter.', ['Could we get an interpreter?']],
  ['Ask the studio a few questions for a patient who wants to take lessons there.', []],
  ['Ask them to mail the forms.', ['Could you mail the forms?']],
  ['Do they take Medicare? What are their hours?', ['Do you take Medicare?', 'What are your hours?']],
  ['Questions: is there an elevator?', ['Is there an elevator?']],

  ['Please ask them not to send paper bills.', ['Could you please not send paper bills?']],
  ['Also, what is the process for records?', ['What is the process for records?']],

  // Several at once
  [
    'Verify whether out-of-state labs are covered and at what percentage.',
    ['Are out-of-state labs covered?', 'Could you tell me at what percentage?'],
  ],
  ['Ask whether they accept Medicare and what the fee is.', ['Do you accept Medicare?', 'What is the fee?']],
  [
    'Ask whether she has to fast and where she can park.',
    ['Does the patient have to fast?', 'Where can the patient park?'],
  ],
  [
    'Find out what it costs, how long it takes and whether a referral is needed.',
    ['What does it cost?', 'How long does it take?', 'Is a referral needed?'],
  ],
  [
    'Ask for the check number, the allowed amount and how much she owes.',
    ['What is the check number?', 'What is the allowed amount?', 'How much does the patient owe?'],
  ],
  ['Annual physical. Also ask whether lab work is included.', ['Is lab work included?']],
  ['Find out whether and when the claim was paid.', ['When was the claim paid?']],
  [
    'Verify coverage, whether a referral is required and the out-of-pocket maximum.',
    ['Is a referral required?', 'What is the out-of-pocket maximum?'],
  ],
  [
    'See whether Dr. Lee has evening hours and if he speaks Spanish.',
    ['Does Dr. Lee have evening hours?', 'Does he speak Spanish?'],
  ],

  // What is said to us, and what is known
  ['Call in the morning.', []],
  ['Leave no voicemail and call back twice.', []],
  ['Do not ask about the balance.', []],
  ["Don't ask whether she is pregnant.", []],
  ['If they ask about insurance, say she pays herself.', []],
  ['The office may ask for a referral.', []],
  ['Ask for Dr. Smith.', []],
  ['Ask for the billing department.', []],
  ['Ask to speak with Dana.', []],
  ['A mole on the left shoulder has changed.', []],
  ['She needs it for a passport.', []],
  ['Schedule an annual physical for Elena Marsh.', []],
  ['The check was returned by the bank.', []],
  ['', []],
];

describe("questions in a client's words", () => {
  test.each(cases)('%s', (text, questions) => {
    expect(questionsIn(text)).toEqual(questions);
  });

  test('leave the rest of the text', () => {
    expect(wishesIn('Annual physical. Also ask whether forms can be mailed. No pain.', names).rest).toBe(
      'Annual physical. No pain.',
    );
  });

  test('keep their condition', () => {
    expect(wishesIn('If it was denied, ask how to appeal.', names).wishes).toMatchObject([
      { condition: 'it was denied' },
    ]);
  });

  test('have a second wording if the first one is direct', () => {
    expect(wishesIn('Ask whether forms can be mailed.', names).wishes[0]?.otherWords).toBe(
      'Could you tell me whether forms can be mailed?',
    );
  });

  test('are read from the first 4,000 characters only, in linear time', () => {
    expect(questionsIn(`${'x'.repeat(4000)}. Ask whether forms can be mailed.`)).toEqual([]);
    expectLinearTime((size) => wishesIn('ask whether and ask how if they '.repeat(size), names), 2_500);
  });
});
