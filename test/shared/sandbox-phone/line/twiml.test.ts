import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { conversationDocument, farewellDocument, hangUpDocument } from '#shared/carrier/answer-document.ts';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import { pollyVoices } from '#shared/sandbox-phone/line/polly-voices.ts';
import { parseTwiml } from '#shared/sandbox-phone/line/twiml.ts';

const relay = (attributes: string, content = ''): string =>
  `<Response><Connect><ConversationRelay url="wss://relay.example.test/relay" ${attributes}>${content}` +
  '</ConversationRelay></Connect></Response>';

describe('a document', () => {
  test('is parsed in the order of its verbs', () => {
    expect(
      parseTwiml(
        '<?xml version="1.0"?><!-- first --><Response> <Pause length="2"/> ' +
          '<Say voice="Polly.Joanna">Tom &amp; Ann </Say><Hangup/></Response>',
      ),
    ).toEqual([
      { verb: 'pause', seconds: 2 },
      { verb: 'say', text: 'Tom & Ann', voice: 'Polly.Joanna' },
      { verb: 'hangup' },
    ]);
    expect(parseTwiml('<Response/>')).toEqual([]);
  });

  test('may use every documented option of the relay', () => {
    const [verb] = parseTwiml(
      relay(
        'welcomeGreeting="Hi" language="en-US" ttsProvider="Amazon" voice="Joanna-Neural" speechTimeout="auto" ' +
          'eotThreshold="0.7" interruptible="any" dtmfDetection="true" events="tokens-played speaker-events" ' +
          'hints="a,b"',
        '<Language code="es-US" voice="x"/><Parameter name="token" value="&lt;1&gt;"/>',
      ),
    );
    expect(verb).toMatchObject({
      verb: 'connect',
      action: null,
      relay: {
        welcomeGreeting: 'Hi',
        dtmfDetection: true,
        tellsSpeakers: true,
        tellsTokensPlayed: true,
        parameters: { token: '<1>' },
      },
    });
  });

  test.each([
    defaultAgentSettings,
    { ...defaultAgentSettings, voice: 'Matthew-Neural', speech_hints: ['Dr. Okafor', 'Lee & "Sons"'] },
    { ...defaultAgentSettings, language: 'en-GB' },
  ])('of the service is understood, with any voice settings: %j', (speech) => {
    const document = conversationDocument({
      publicBaseUrl: 'https://api.example.test',
      relayUrl: 'wss://relay.example.test/relay',
      taskId: 't',
      callId: 'c',
      token: 'secret',
      speech,
    });
    const verbs = parseTwiml(document);
    expect(verbs.map(({ verb }) => verb)).toEqual(['start-recording', 'connect']);
    expect(verbs[1]).toMatchObject({ relay: { language: speech.language } });
    expect(parseTwiml(farewellDocument('Bye <now> & "then".', speech))[0]).toMatchObject({
      text: 'Bye <now> & "then".',
    });
    expect(parseTwiml(hangUpDocument())).toEqual([{ verb: 'hangup' }]);
  });

  test.each([
    ['', true],
    ['language="en-GB"', true],
    ['voice="Amy-Neural" ttsLanguage="en-GB"', true],
    ['voice="Kajal-Neural" language="hi-IN"', true],
    ['voice="Mathew-Neural"', false],
    ['voice="Matthew-Long"', false],
    ['voice="Matthew-Neural" language="en-GB"', false],
    ['language="tlh"', false],
  ])(
    'asks with %j for a voice and a language of Amazon that the carrier has: %s',
    (attributes, isSpeakable) => {
      expect(parseTwiml(relay(`ttsProvider="Amazon" ${attributes}`))[0]).toMatchObject({
        relay: { isSpeakable },
      });
    },
  );

  test.each([
    ['an unknown verb', '<Response><Gather/></Response>'],
    ['a verb in other letters', '<Response><hangup/></Response>'],
    ['an unknown attribute', relay('speechtimeout="auto"')],
    ['a value outside its list', relay('interruptible="sometimes"')],
    ['a number outside its range', relay('speechTimeout="100"')],
    ['a relay without address', '<Response><Connect><ConversationRelay/></Connect></Response>'],
    ['an unsafe relay', relay('').replace('wss:', 'https:')],
    ['an unencrypted relay that is not this machine', relay('').replace('wss:', 'ws:')],
    [
      'a relative recording callback',
      '<Response><Start><Recording recordingStatusCallback="/x"/></Start></Response>',
    ],
    ['text between verbs', '<Response>Hello<Hangup/></Response>'],
    ['a verb in a verb', '<Response><Say><Pause/></Say></Response>'],
    ['an empty start', '<Response><Start/></Response>'],
    ['another root', '<Answer/>'],
    ['two roots', '<Response/><Response/>'],
    ['broken XML', '<Response><Say>Hi</Response>'],
    ['entities of its own', '<!DOCTYPE r [<!ENTITY a "b">]><Response><Say>&a;</Say></Response>'],
    ['no document', '{"message":"Internal server error"}'],
    ['nothing', ''],
  ])('with %s is refused', (_, xml) => {
    expect(() => parseTwiml(xml)).toThrow();
  });
});

test('the voices of Amazon are those of the official client', async () => {
  const types = new URL(import.meta.resolve('twilio/lib/twiml/VoiceResponse.d.ts'));
  const named = (await readFile(types, 'utf8')).matchAll(/"Polly\.([\w-]+)"/g);
  const official = new Set([...named].map(([, id]) => id));
  expect([...new Set([...pollyVoices.values()].flat())].sort()).toEqual([...official].sort());
});
