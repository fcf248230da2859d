import { XMLParser } from 'fast-xml-parser';
import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import { describe, expect, test } from 'vitest';
import { conversationDocument, farewellDocument, hangUpDocument } from '#shared/carrier/answer-document.ts';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';

const conversation = {
  publicBaseUrl: 'https://api.example.test/prod',
  relayUrl: 'wss://ws.example.test/relay',
  taskId: '01890a5d-ac96-774b-bcce-b302099a8057',
  callId: '01890a5d-ac96-774b-bcce-b302099a8058',
  token: 'a_token-1',
  speech: defaultAgentSettings,
};

/** Documents as ordered trees, to compare them regardless of quoting. */
function tree(document: string): unknown {
  return new XMLParser({ preserveOrder: true, ignoreAttributes: false }).parse(document);
}

describe('the answer document', () => {
  const document = conversationDocument(conversation);

  test('records both sides before it connects, in the format of the carrier’s own library', () => {
    const ids = `${conversation.taskId}/${conversation.callId}`;
    const expected = new VoiceResponse();
    expected.start().recording({
      channels: 'dual',
      track: 'both',
      trim: 'do-not-trim',
      recordingStatusCallback: `https://api.example.test/prod/carrier/recording/${ids}#rc=3&rp=5xx,ct,rt`,
      recordingStatusCallbackEvent: ['completed', 'absent'],
    });
    const relay = expected
      .connect({
        action: `https://api.example.test/prod/carrier/relay-end/${ids}#rc=3&rp=5xx,ct,rt`,
        method: 'POST',
      })
      .conversationRelay({
        url: 'wss://ws.example.test/relay',
        language: 'en-US',
        ttsProvider: 'Amazon',
        voice: 'Joanna-Neural',
        transcriptionProvider: 'Deepgram',
        interruptible: 'speech',
        interruptSensitivity: 'medium',
        dtmfDetection: true,
      });
    relay.parameter({ name: 'task_id', value: conversation.taskId });
    relay.parameter({ name: 'call_id', value: conversation.callId });
    relay.parameter({ name: 'token', value: 'a_token-1' });
    // The library types this attribute as a boolean, which it used to be.
    const typed = ' reportInputDuringAgentSpeech="speech"';
    expect(document).toContain(typed);
    expect(tree(document.replace(typed, ''))).toEqual(tree(expected.toString()));
  });

  test("stays below the carrier's size limit", () => {
    expect(document.length).toBeLessThan(4000);
  });
});

describe('a project’s voice settings', () => {
  const relayOf = (speech: Partial<typeof defaultAgentSettings>): string =>
    /<ConversationRelay[^>]*>/.exec(
      conversationDocument({ ...conversation, speech: { ...defaultAgentSettings, ...speech } }),
    )?.[0] ?? '';

  test('include voice, language and expected words', () => {
    const relay = relayOf({
      voice: 'Matthew-Neural',
      language: 'en-GB',
      speech_hints: ['Dr. Okafor', 'Lee & "Sons"'],
    });
    expect(relay).toContain(' voice="Matthew-Neural"');
    expect(relay).toContain(' language="en-GB"');
    expect(relay).toContain(' hints="Dr. Okafor,Lee &amp; &quot;Sons&quot;"');
  });

  test('leave the voice of another language to the carrier unless set', () => {
    expect(relayOf({ language: 'en-GB' })).not.toContain(' voice=');
    expect(relayOf({})).toContain(' voice="Joanna-Neural"');
    expect(relayOf({})).not.toContain(' hints=');
  });

  test('apply to the farewell', () => {
    const speech = { ...defaultAgentSettings, voice: 'Amy-Neural', language: 'en-GB' };
    expect(farewellDocument('Goodbye.', speech)).toContain(
      '<Say voice="Polly.Amy-Neural" language="en-GB">Goodbye.</Say>',
    );
    expect(farewellDocument('Goodbye.', { ...speech, voice: null })).toContain('<Say language="en-GB">');
    expect(farewellDocument('Goodbye.', speech, 2)).toContain('<Pause length="2"/><Say');
  });
});

test('a farewell is spoken as text, whatever its characters, and then the call ends', () => {
  const document = farewellDocument('Thank you & good "bye" <Dial>+1</Dial> \u0000\u000b🙂.');
  const expected = new VoiceResponse();
  expected.say({ voice: 'Polly.Joanna-Neural' }, 'Thank you & good "bye" <Dial>+1</Dial> 🙂.');
  expected.hangup();
  expect(tree(document)).toEqual(tree(expected.toString()));
  expect(document).not.toContain('<Dial>');
});

test('hanging up is one verb', () => {
  const expected = new VoiceResponse();
  expected.hangup();
  expect(tree(hangUpDocument())).toEqual(tree(expected.toString()));
});
