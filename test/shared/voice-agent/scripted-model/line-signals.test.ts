import { describe, expect, test } from 'vitest';
import { plainOf } from '#shared/voice-agent/language/text.ts';
import { confirmationIn } from '#shared/voice-agent/scripted-model/booking-words.ts';
import { type LineSignal, signalsIn } from '#shared/voice-agent/scripted-model/line-signals.ts';
import { understand } from '#shared/voice-agent/scripted-model/understanding.ts';

const today = '2026-11-16';

describe('what words do on the line', () => {
  test.each<[LineSignal, string[]]>([
    [
      'hold',
      [
        'One moment, please.',
        'Just a second.',
        'Hold on.',
        'Let me check that for you.',
        'Bear with me while I pull that up.',
        "I'm going to put you on a brief hold.",
        'Can you hold?',
        'Would you mind holding for a minute?',
        'Give me one sec.',
        'My system is running a bit slow today.',
        "Let me see what we've got.",
        'Please hold.',
      ],
    ],
    [
      'repeat',
      [
        'Sorry?',
        'Pardon me?',
        'Could you repeat that?',
        'Can you say that again, please?',
        "I didn't catch that.",
        'What was that?',
        'Come again?',
        'You are breaking up.',
        "I couldn't hear you.",
        'One more time?',
      ],
    ],
    [
      'wrong-number',
      [
        "You've got the wrong number.",
        "There's nobody here by that name.",
        "This isn't a doctor's office.",
        'This is a private residence.',
        'We are a pizza place.',
        'You must have dialed wrong, this is my cell phone.',
      ],
    ],
    [
      'refusal',
      [
        "I don't talk to robots.",
        "We don't speak with automated assistants.",
        'Not interested.',
        "I don't want to be recorded.",
        'Have a real person call us.',
        'We only speak with real people.',
      ],
    ],
    [
      'opt-out',
      [
        'Please stop calling us.',
        "Don't call here again.",
        'Take us off your list.',
        'Remove our number from your system.',
        'Please do not contact us anymore.',
        'Never call this number again.',
        'Put us on your do not call list.',
        'No more calls, please.',
      ],
    ],
    [
      'wants-human',
      [
        'Can I speak to a human?',
        'Can I talk to a real person, please?',
        "I'd rather speak with a person.",
        'Is there a person I can talk to?',
        'Put a human on the line.',
      ],
    ],
    [
      'call-again',
      [
        'Please call back later.',
        'Can you try again tomorrow?',
        'Our computer system is down.',
        'We are closed right now.',
        "It's a bad time.",
        'The scheduler is out today.',
        'Could you call back in an hour?',
      ],
    ],
    [
      'transfer',
      ['Let me transfer you to scheduling.', "I'll connect you.", 'I am transferring your call now.'],
    ],
    ['voicemail', ['Please leave a message after the tone.', 'You have reached the voice mail of Dr. Lee.']],
    ['goodbye', ['Goodbye.', 'Bye bye.', 'Have a great day.', 'Take care.']],
    [
      'anything-else',
      [
        'Is there anything else?',
        'Anything else I can help with?',
        'Will that be all?',
        'Any other questions?',
      ],
    ],
    [
      'offer-to-help',
      [
        'How can I help you?',
        'What can I do for you?',
        'What do you need?',
        'Go ahead.',
        'What would you like to know?',
      ],
    ],
    [
      'no-openings',
      [
        "We're fully booked.",
        "I don't have anything that day.",
        "We aren't accepting new patients.",
        'Nothing available this week.',
      ],
    ],
    [
      'needs-principal',
      [
        'We can only speak with the patient.',
        "I can't release that to a third party.",
        'The provider needs to call us.',
      ],
    ],
    ['cannot-go-on', ["I can't look that up without it.", "Without that I won't be able to book."]],
  ])('%s', (signal, sayings) => {
    const missed = sayings.filter((said) => !signalsIn(plainOf(said)).has(signal));
    expect(missed).toEqual([]);
  });

  test.each<[LineSignal, string[]]>([
    [
      'refusal',
      [
        'Call us again if anything changes.',
        "We don't take that insurance.",
        'The machine is being repaired.',
      ],
    ],
    ['opt-out', ['Call us back tomorrow.', "Don't call before nine.", 'You can stop by.', 'Take your time.']],
    ['wants-human', ['Can I speak to the provider?', 'Can I speak with you about the claim?']],
    ['wrong-number', ['What is the right number?', 'This is the claims department.', 'This is not covered.']],
    [
      'call-again',
      ['You can call us back any time.', 'I have a call with her at two.', 'The office closes at five.'],
    ],
    ['voicemail', ['I got your message.', 'The fax is next to the voice recorder.']],
    ['repeat', ['That is a repeat visit.', 'The claim was resubmitted again in May.']],
    ['hold', ['The payment is on hold.']],
    ['goodbye', ['The good doctor is in.', 'We will take care of the paperwork.']],
    ['no-openings', ['We have openings on Tuesday.', 'There is no deductible.']],
  ])('not %s', (signal, sayings) => {
    const wrong = sayings.filter((said) => signalsIn(plainOf(said)).has(signal));
    expect(wrong).toEqual([]);
  });
});

describe('being put on hold', () => {
  test('counts only when nothing comes after it', () => {
    expect(understand('One moment while I look.', 1, today).endsInHold).toBe(true);
    expect(understand('Sure, let me check the schedule.', 1, today).endsInHold).toBe(true);
    expect(understand('One moment. Okay, I have Tuesday at 9.', 1, today).endsInHold).toBe(false);
    expect(understand('Let me see. What is the date of birth?', 1, today).endsInHold).toBe(false);
    expect(understand('Hold on a second. Okay, got it.', 1, today).endsInHold).toBe(false);
  });
});

describe('that something is booked', () => {
  test.each([
    "You're all set for Tuesday at 10:30.",
    "Perfect, that's booked: Wednesday the 25th at 10:30 AM.",
    'I have her down for Thursday.',
    "Okay, I've got Elena in for the 19th at 8:15.",
    "She's scheduled for Monday at nine.",
    'We will see her then.',
    'Booked.',
    "It's on the calendar.",
    'Your confirmation number is 4471.',
    "I've put him in for Friday.",
    'The appointment is confirmed.',
    "I've moved her to December 3rd.",
    "Okay, it's done.",
    'perfect i have elena down for wednesday november eighteenth at two fifteen',
    'Great, that is booked for Tuesday at 10:45.',
    'Reserved under her name.',
    "You're good to go.",
  ])('is heard in: %s', (said) => {
    expect(confirmationIn(understand(said, 1, today))).not.toBeNull();
  });

  test.each([
    'Shall I book that?',
    'Let me get that booked for you.',
    'I can put her down for Tuesday.',
    'Before I book it I need the date of birth.',
    "We're fully booked.",
    'Monday is booked up.',
    'I have Tuesday at 10:30 or Thursday at 2.',
    "It can't be confirmed yet.",
    'Once that is confirmed you will get a text.',
    'Would you like me to go ahead and schedule that?',
  ])('is not heard in: %s', (said) => {
    expect(confirmationIn(understand(said, 1, today))).toBeNull();
  });
});
