import { describe, expect, test } from 'vitest';
import { tokenize } from '#shared/voice-agent/entities/tokens.ts';
import { guess } from '#shared/voice-agent/understanding/linear-model.ts';
import { polarityFeatures, signOf } from '#shared/voice-agent/understanding/polarity-features.ts';
import { modelOf } from '#shared/voice-agent/understanding/understand.ts';

const featuresOf = (question: string, answer: string): Map<string, number> =>
  polarityFeatures(question, tokenize(answer));
const namesOf = (question: string, answer: string): string[] => [...featuresOf(question, answer).keys()];

describe('the features of an answer', () => {
  test('mask words of the question in every question', () => {
    const accepts = namesOf('Do you accept Medicaid?', 'we do not accept it');
    const offers = namesOf('Do you offer ultrasounds?', 'we do not offer it');
    expect(accepts).toContain('not <asked>');
    expect(accepts.filter((name) => !name.startsWith('asked'))).toEqual(
      offers.filter((name) => !name.startsWith('asked')),
    );
  });

  test.each<[string, string, string]>([
    ['Do you take walk-ins?', 'We do.', 'sign alone false'],
    ['Do you take walk-ins?', "we don't sorry", 'sign alone true'],
    ['Do you take walk-ins?', "We don't care for the phone", 'sign  true'],
    ['Are you open on Sundays?', 'closed', 'sign opposite false'],
    ['Is the drug covered?', "It isn't covered", 'sign asked true'],
    ['Is the drug covered?', 'yes but only the generic', 'sign yes'],
    ['Is the drug covered?', 'yes but only the generic', 'next if  false'],
    ['Is the drug covered?', "No, it's not covered", 'sign no'],
    ['Is the drug covered?', 'no problem', 'sign '],
    ['Is the drug covered?', 'covered if the doctor calls us', 'sign asked false'],
  ])('%s "%s" has the form "%s"', (question, answer, sign) => {
    expect(namesOf(question, answer)).toContain(sign);
  });

  test('separate the same words for questions of another kind', () => {
    expect(namesOf('Is there a fee for the form?', 'forty dollars')).toContain('price dollars');
    expect(namesOf('Is the form free?', 'forty dollars')).toContain('free dollars');
  });

  test('weigh an answer without a plain sign less', () => {
    const plain = featuresOf('Are you open on Saturdays?', 'yes').get('w yes') ?? 0;
    const hint = featuresOf('Are you open on Saturdays?', 'noon').get('w noon') ?? 0;
    expect(plain).toBeGreaterThan(hint);
  });
});

// None of these pairs is among the examples.
describe("yes or no to a client's question", () => {
  test.each<[string, string, string]>([
    ['Do you offer cooking classes?', 'yeah we do those on mondays', 'yes'],
    ['Do you offer cooking classes?', 'No, we stopped those last year.', 'no'],
    ['Is there a fee for the parking permit?', "no there's no fee", 'no'],
    ['Can the nurse remove the stitches?', 'she can yeah', 'yes'],
    ['Can the nurse remove the stitches?', "no she can't do that", 'no'],
    ['Do you offer cooking classes?', 'only if enough people sign up', 'depends'],
    ['Is the therapy pool heated?', "I have no idea, you'd have to ask the therapist", 'unknown'],
    ['Can visitors walk in without an appointment?', 'No appointment.', 'yes'],
    ['Is the therapy pool heated?', 'Which location are you asking about?', 'none'],
    ['Is the therapy pool heated?', "what's the member's date of birth", 'none'],
  ])('%s "%s" is %s', (question, answer, label) => {
    const [best] = guess(modelOf('polarity'), featuresOf(question, answer));
    expect(best?.label).toBe(label);
  });
});

test.each<[string, string, string | null]>([
  ['Can she come without a referral?', 'No referral.', 'yes'],
  ['Can she come without a referral?', 'She needs a referral.', 'no'],
  ['Is parking free of charge?', "Parking's free, the county pays.", 'yes'],
  ['Is parking free of charge?', 'There is a charge.', 'no'],
  ['Is the permit still valid?', "It was valid, isn't now.", 'no'],
])('%s "%s" says %s by its form', (question, answer, sign) => {
  expect(signOf(question, tokenize(answer))).toBe(sign);
});
