import { expect, test } from 'vitest';
import { isAnnouncement } from '#shared/voice-agent/scripted-model/announcements.ts';
import { understand } from '#shared/voice-agent/scripted-model/understanding.ts';

const isRecorded = (said: string): boolean => isAnnouncement(understand(said, 1, '2026-11-16'));

test.each([
  'Your call is important to us.',
  'All of our representatives are currently busy.',
  'Please stay on the line.',
  'Your estimated wait time is ten minutes.',
  'you are number three in the queue',
  'There are two callers ahead of you.',
  'Please continue to hold. A representative will be with you shortly.',
  'Did you know that you can schedule appointments online? Visit our website at example dot com.',
  'thank you for your patience your call will be answered in the order it was received',
  'This call may be recorded for quality purposes. How may we help you is the question we live by.',
  'If this is a medical emergency, hang up and dial 911.',
  'Please listen carefully as our menu options have changed.',
  'For faster service, have your member ID ready.',
  'We are experiencing higher than normal call volume.',
  '♪ ♪',
  '[music]',
  'an agent will be with you shortly',
  'Thank you for holding. All our schedulers are still helping other patients.',
])('nobody speaks: %s', (said) => {
  expect(isRecorded(said)).toBe(true);
});

test.each([
  'Thank you for holding, this is Kim, how can I help?',
  'Thank you for calling Lakeside Clinic, this is Dana. How may I help you?',
  'thanks for your patience this is marcy how can i help you',
  "Please stay on the line, I'll be right back.",
  'We only schedule online, you have to go to our website.',
  'I have an appointment on Tuesday at nine.',
  'Can you hold, please?',
  'One moment, please.',
  'The representative number is four.',
  'Sorry about the wait, what can I do for you?',
  'Thank you for your patience. The next visits I have are Monday at nine or Friday at two. Would either work?',
  'thanks for your patience i have a tuesday at ten',
])('somebody speaks: %s', (said) => {
  expect(isRecorded(said)).toBe(false);
});
