import { describe, expect, test } from 'vitest';
import { sentencesOf } from '#shared/voice-agent/language/text.ts';
import { findAskedQuestions } from '#shared/voice-agent/scripted-model/fact-questions.ts';

function asked(said: string): string[] {
  return findAskedQuestions(sentencesOf(said)).map(({ topic }) => topic);
}

describe('what the other side asks for', () => {
  test.each<[string, string[]]>([
    // Names
    ["Can I have the patient's name, please?", ['patient-name']],
    ['What is the name of the patient?', ['patient-name']],
    ['Who is the appointment for?', ['patient-name']],
    ["Who's this appointment for?", ['patient-name']],
    ['And who are we scheduling today?', ['patient-name']],
    ['Patient name?', ['patient-name']],
    ['Name and date of birth, please.', ['patient-name', 'date-of-birth']],
    ['may i get the first and last name', ['patient-name']],
    ["What's her full name?", ['patient-name']],
    ["I'll need the member's name and birth date.", ['patient-name', 'date-of-birth']],
    ['Could you give me the last name and date of birth?', ['last-name', 'date-of-birth']],
    ["What's the last name?", ['last-name']],
    ['And the first name?', ['first-name']],
    ['Can you spell the last name for me?', ['last-name']],
    ['Which patient is this regarding?', ['patient-name']],
    ["Let me start with the subscriber's name.", ['subscriber']],
    // Date of birth
    ['And the date of birth?', ['date-of-birth']],
    ['DOB?', ['date-of-birth']],
    ['When was she born?', ['date-of-birth']],
    ["What's the patient's birthday?", ['date-of-birth']],
    ['please verify the date of birth', ['date-of-birth']],
    ['I need a date of birth to pull up the chart.', ['date-of-birth']],
    ["I can't find her under that date of birth. Could you repeat it?", ['date-of-birth']],
    // Short forms, without a question mark or a question word
    ['DOB on the member.', ['date-of-birth']],
    ['okay and just the birthday for me', ['date-of-birth']],
    ['the d o b please', ['date-of-birth']],
    ["Patient's first and last.", ['patient-name']],
    ["What name's it under?", ['patient-name']],
    ['whose bill is this', ['patient-name']],
    ['who is it under', ['patient-name']],
    ['Sure hon, whose is it?', ['patient-name']],
    ["What's the amount on it?", ['amount']],
    ["Who's the claim for.", ['patient-name']],
    ['The ID off her card.', ['member-id']],
    ['Any ID on that.', ['member-id']],
    ['read me the ID', ['member-id']],
    ['NPI on the doctor.', ['provider-npi']],
    ['date of service on that', ['service-date']],
    ["that's her birthday just need the zip", ['zip-code']],
    ['And what city and zip?', ['city', 'zip-code']],
    ['And which street.', ['street']],
    ['Her date of birth is on file.', []],
    ['The ID is on the card.', []],
    ['The zip code matches.', []],
    ['Her name came right up.', []],
    // Insurance
    ['May I have the member ID, please?', ['member-id']],
    ["What's the member ID number?", ['member-id']],
    ['Can I get the subscriber number?', ['member-id']],
    ['And the policy number on the card?', ['member-id']],
    ['ID number, please.', ['member-id']],
    ['member id and date of birth please', ['member-id', 'date-of-birth']],
    ['And the group number?', ['group-number']],
    ['What insurance does she have?', ['insurer']],
    ['And which insurance will they be using?', ['insurer']],
    ['Does the patient have insurance?', ['insurer']],
    ['Insurance?', ['insurer']],
    ['Who is the insurance carrier?', ['insurer']],
    ['Can I get the insurance information?', ['insurance-details']],
    ['Is there any secondary insurance?', ['secondary-insurance']],
    ['Who is the policyholder?', ['subscriber']],
    ["What's the patient's relationship to the subscriber?", ['relationship']],
    // Provider
    ["What's your NPI?", ['provider-npi']],
    ['Can I have the NPI number of the provider?', ['provider-npi']],
    ["And the provider's name or NPI?", ['provider-name']],
    ["What's the rendering provider's name?", ['provider-name']],
    ['And the tax ID?', ['tax-id']],
    ['Which facility are you calling from?', ['facility']],
    ['Where are you calling from?', ['facility']],
    // Claim
    ['Can I have the claim number, please?', ['claim-number']],
    ["What's the claim or bill number?", ['claim-number']],
    ['Do you have an invoice number?', ['bill-number']],
    ['What is the date of service?', ['service-date']],
    ['And the billed amount?', ['amount']],
    ['How much was the bill for?', ['amount']],
    ['What are the total charges?', ['amount']],
    // Service
    ['Do you have a CPT code?', ['procedure-codes']],
    ['Which procedure codes are you checking?', ['procedure-codes']],
    ['What service is this for?', ['service']],
    ['What type of service are you looking for?', ['service']],
    // Contact
    ["What's a good phone number for her?", ['phone']],
    ['Can I get a callback number in case we get disconnected?', ['callback-number']],
    ['And the home address?', ['address']],
    ["What's the zip code?", ['zip-code']],
    ['Do you have an email address?', ['email']],
    // Visit
    ["What's the reason for the visit?", ['visit-reason']],
    ['What is she being seen for?', ['visit-reason']],
    ['What kind of appointment does he need?', ['visit-reason']],
    ['Is this for a physical or a sick visit?', ['visit-reason']],
    ['Any symptoms?', ['visit-reason']],
    ['Is she a new or an existing patient?', ['patient-status']],
    ['Has the patient been here before?', ['patient-status']],
    ['has he been seen in our office in the past', ['patient-status']],
    ['Is this the first visit with us?', ['patient-status']],
    ['Does she have a referral?', ['referral']],
    ['Who is the referring physician?', ['referral']],
    ['Is there a particular doctor she would like to see?', ['preferred-provider']],
    ['Which doctor does she usually see?', ['preferred-provider']],
    ['Any provider preference?', ['preferred-provider']],
    ['When would you like to come in?', ['timeframe']],
    ['What days work best for her?', ['timeframe']],
    ['Does she prefer mornings or afternoons?', ['timeframe']],
    ['how soon does she need to be seen', ['timeframe']],
    ['Do you have a preference for day or time?', ['timeframe']],
    ['Which appointment would you like to change?', ['existing-appointment']],
    ['When is the current appointment?', ['existing-appointment']],
    // Ourselves
    ['Who am I speaking with?', ['caller']],
    ["May I ask who's calling?", ['caller']],
    ['And your name?', ['caller']],
    ['Am I talking to a robot?', ['caller-is-machine']],
    ['Are you a real person?', ['caller-is-machine']],
    ["What's your relationship to the patient?", ['caller-relationship']],
    ['Are you calling from a provider’s office?', ['caller-relationship']],
    // What we are not told
    ["What's her diagnosis?", ['diagnosis']],
    ['Can I get the last four of the social?', ['social-security']],
  ])('%s', (said, topics) => {
    expect(asked(said)).toEqual(topics);
  });

  test.each([
    'Please come 15 minutes early and bring the insurance card and a photo ID.',
    'Yes, we are accepting new patients.',
    "Yes, we're accepting new patients.",
    'Thank you, I found the member ID.',
    'I have the date of birth, thank you.',
    'Our fax number is 202-555-0161.',
    'The group number is 70412.',
    'The name of the plan is Choice PPO.',
    'You can find the claim number on the letter.',
    'Would you like the phone number for authorizations?',
    'Shall I give you our fax number?',
    'She should bring her insurance card.',
    'The bill number works too.',
    'The provider is in network.',
    'A referral is not required.',
    "The member's name is on the card.",
    'I have Tuesday at 10 with Dr. Okafor.',
    "You're all set for Tuesday at 10:30 AM with Dr. Okafor.",
    'Is there anything else I can help you with?',
    'What would you like to know?',
    'Which benefits do you need?',
    'How can I help you?',
    'Would one of those work?',
    'The claim was denied because the diagnosis code was missing.',
    'Okay, July 12th, 1984, got it.',
    'We have the address on file.',
    'Your reference number is 4481.',
    'The copay is $40 for a specialist visit.',
  ])('nothing is asked for in: %s', (said) => {
    expect(asked(said)).toEqual([]);
  });

  test('of two alternatives one is enough', () => {
    expect(asked('Can I have the claim number or the bill number?')).toEqual(['claim-number']);
    expect(asked('I need the NPI or tax ID.')).toEqual(['provider-npi']);
  });
});
