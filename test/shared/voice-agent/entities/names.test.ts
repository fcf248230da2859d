import { describe, expect, test } from 'vitest';
import { found } from './found.ts';

const names = (said: string): string[] => found(said, 'name').map(({ value }) => value);

describe('people who introduce themselves', () => {
  test.each<[string, string]>([
    ['Good morning, this is Dana. How can I help you?', 'Dana'],
    ['Thank you for calling Lakeside Clinic, my name is Robin Vance.', 'Robin Vance'],
    ['Benefits and eligibility, you’re speaking with Marcus.', 'Marcus'],
    ['Provider services, Grace speaking.', 'Grace'],
    ['Tom here.', 'Tom'],
    ['Lakeview Allergy, Mikey speaking', 'Mikey'],
    ['good afternoon summit neurology this is karen speaking how may i help you', 'Karen'],
    ['thank you for calling my name is denise how can i help', 'Denise'],
    ['my name is grace', 'Grace'],
    ['my name is may', 'May'],
    ["hi my name's will", 'Will'],
    ['my name is summer how can i help', 'Summer'],
    ['this is summer in billing', 'Summer'],
    ['hi this is dana reyes in claims', 'Dana Reyes'],
    ['this is dana', 'Dana'],
    ["it's tom in billing", 'Tom'],
    ['this is odette the office manager', 'Odette'],
    ["hi it's monique", 'Monique'],
    ['hello it is ingrid again', 'Ingrid'],
    ["I'm Priya with the eligibility team", 'Priya'],
    ["i'm deshawn how can i help", 'Deshawn'],
    ['you are speaking to olamide', 'Olamide'],
    ["you're talking to Bev", 'Bev'],
    ['billing karen speaking', 'Karen'],
    ['robin vance speaking', 'Robin Vance'],
    ['Yes, Okonkwo speaking.', 'Okonkwo'],
    ['call me Al', 'Al'],
    ['My name is Mary-Jane O’Brien.', "Mary-Jane O'Brien"],
    ['this is nurse kelly', 'Nurse Kelly'],
    ['This is Ms. Adams, how may I direct your call?', 'Ms. Adams'],
    ['my name is dana r', 'Dana R'],
    ['um hi this is uh tasha in scheduling', 'Tasha'],
    ["Sure. You've got Marcus.", 'Marcus'],
    ['THIS IS DANA SPEAKING', 'DANA'],
    ['my name is jiho thanks for holding', 'Jiho'],
  ])('%s', (said, name) => {
    expect(names(said)).toEqual([name]);
  });

  test.each([
    'This is Lakeside Family Practice.',
    'this is lakeside family practice how can i help',
    'Hello, this is Valley Neurology.',
    'this is summit cardiology',
    'I am sorry about that.',
    'This is not a clinic.',
    "I'm going to check.",
    'this is great',
    'this is billing',
    'this is billing how can i help',
    'This is Billing.',
    'this is about a claim',
    "it's in network",
    "it's active with a forty dollar copay",
    'my name is not important',
    'who am i speaking with',
    'am I speaking with a robot',
    'Dana Reyes is the patient',
    'I spoke with Karen yesterday',
    'The patient is Ana Ruiz.',
    'generally speaking yes',
    'she is not here',
    'the doctor is here',
    "Folder's here.",
    'is this dana',
    'do you have a spanish speaking agent',
    'i am with a patient',
    'this is ridiculous',
    'this is Monday',
    "i'm fine thanks",
    'this is the front desk',
    'Great Plains Health Plan',
    'name is required',
    'please stay on the line',
    'This is harassment.',
    'Okay, I’m typing.',
    'call me after lunch',
    "I'm just messing with you",
    "okay i'm pullin' it up now",
    "I'm lookin' right at it",
    'This is Palisades Transit Trust, that is right.',
    "The physician's name is Helen Marsh",
  ])('no one in: %s', (said) => {
    expect(names(said)).toEqual([]);
  });

  test.each<[string, string | null]>([
    ['Dana.', 'Dana'],
    ["Sure, it's Ingrid.", 'Ingrid'],
    ['paul', 'Paul'],
    ['yeah dana reyes', 'Dana Reyes'],
    ['they call me tug', 'Tug'],
    ['my first name is will', 'Will'],
    ['No.', null],
    ['Why do you ask?', null],
    ['hold on please', null],
    ['I would rather not say', null],
    ['Not me. Hand it to Mrs. Trask at the window.', 'Mrs. Trask'],
    ['hand it to mrs trask by the window', 'Mrs. Trask'],
    ['Mr. Orr signs those.', 'Mr. Orr'],
    ["Refunds, that's Ilka, she's here till two.", 'Ilka'],
  ])('in reply to a question for it: %s', (said, name) => {
    const entities = found(said, 'name', { expecting: ['name'] });
    expect(entities.map(({ value }) => value)).toEqual(name === null ? [] : [name]);
  });
});

describe('providers', () => {
  test.each<[string, ...string[]]>([
    ['with Dr. Okafor', 'Dr. Okafor'],
    ['doctor feld is free', 'Dr. Feld'],
    ['Dr Amara Lee has Tuesday', 'Dr. Amara Lee'],
    ['dr okafor has tuesday', 'Dr. Okafor'],
    ["Dr. Patel's schedule", 'Dr. Patel'],
    ['monday at 9:40 in the morning with tilly marr the hygienist', 'Tilly Marr'],
    ['either Dr. Patel or Dr. Kim', 'Dr. Patel', 'Dr. Kim'],
    ['friday at 1:15 in the afternoon with pa wendt do you want it', 'PA Wendt'],
    ['Friday at 2 with nurse practitioner Jane Wendt.', 'Nurse Practitioner Jane Wendt'],
    ['with NP care'],
    ['the doctor is out'],
    ['doctor does not see new patients'],
    ["yeah that's doctor park", 'Dr. Park'],
    ['Dr. Price only works Mondays', 'Dr. Price'],
    ['The ordering physician shows as Dr. T. Nakamura.', 'Dr. T. Nakamura'],
    ['the doctor will call'],
    ['Doctor faxes it over'],
    ['doctor visits are covered'],
  ])('%s', (said, ...expected) => {
    expect(found(said, 'provider').map(({ value }) => value)).toEqual(expected);
  });
});
