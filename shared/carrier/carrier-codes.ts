/** Whether calling again helps: at once, after the remedy, or not at all. */
export type AnotherCall = 'helps' | 'helps after that' | 'does not help';

/** What a carrier code means for the one call that it ended or prevented. */
export interface CodeMeaning {
  /** One sentence for readers without knowledge of telephony. */
  readonly meaning: string;
  /** One sentence; null if there is nothing to do. */
  readonly remedy: string | null;
  readonly anotherCall: AnotherCall;
  /** Which calls keep failing until the operator has done it; absent if only those to this number. */
  readonly fails?: 'all calls' | 'the country';
}

export type CodeKind = 'status' | 'SIP' | 'error';

const checkNumber = 'Compare the number with the one the office publishes.';
const checkCallerId =
  'Register the caller number and its profile with the carrier, and have its spam labels removed.';
const checkCountry = 'Select the country under Voice > Settings > Geo permissions in the carrier’s console.';
const checkCaller = 'Run npm run check-live, and assign a number of the account with npm run grant-live.';
const checkAccount = 'Run npm run check-live.';
const checkCallbacks = 'Check the alarms of carrier-callback and of the REST API.';
const checkRelay = 'Check the alarms of voice-agent and of the WebSocket API.';

/**
 * How calls end at the carrier, and its codes for it, by kind and code. Sources:
 * twilio.com/docs/voice/api/call-resource (status), RFC 3261, 8197 and 8688 (SIP), twilio.com/docs/api/errors.
 */
export const carrierCodes: Readonly<Record<CodeKind, Readonly<Record<string, CodeMeaning>>>> = {
  status: {
    busy: { meaning: 'The line was busy.', remedy: null, anotherCall: 'helps' },
    'no-answer': { meaning: 'It rang without an answer.', remedy: null, anotherCall: 'helps' },
    canceled: { meaning: 'The call was ended before anyone answered.', remedy: null, anotherCall: 'helps' },
    failed: {
      meaning: 'The carrier could not connect the call.',
      remedy: 'Find the call in the carrier’s call log.',
      anotherCall: 'helps',
    },
  },
  SIP: {
    400: {
      meaning: 'A network on the way did not understand the call.',
      remedy: 'Report the call to the carrier’s support.',
      anotherCall: 'helps after that',
    },
    403: {
      meaning: 'A network on the way does not allow the call.',
      remedy: checkCallerId,
      anotherCall: 'helps after that',
    },
    404: { meaning: 'The number is not in service.', remedy: checkNumber, anotherCall: 'does not help' },
    408: { meaning: 'The network of the number did not answer in time.', remedy: null, anotherCall: 'helps' },
    410: {
      meaning: 'The number is no longer in service.',
      remedy: checkNumber,
      anotherCall: 'does not help',
    },
    480: { meaning: 'The phone is turned off or out of range.', remedy: null, anotherCall: 'helps' },
    484: { meaning: 'The number is not complete.', remedy: checkNumber, anotherCall: 'does not help' },
    486: { meaning: 'The line was busy.', remedy: null, anotherCall: 'helps' },
    487: {
      meaning: 'It rang until our time limit, or the call was canceled.',
      remedy: null,
      anotherCall: 'helps',
    },
    488: {
      meaning: 'The networks could not agree on how to carry the voice.',
      remedy: 'Report the call to the carrier’s support.',
      anotherCall: 'helps after that',
    },
    500: { meaning: 'A network on the way had a fault.', remedy: null, anotherCall: 'helps' },
    502: {
      meaning: 'A network on the way got no usable answer from the next one.',
      remedy: null,
      anotherCall: 'helps',
    },
    503: {
      meaning: 'A network on the way is temporarily overloaded.',
      remedy: null,
      anotherCall: 'helps',
    },
    504: {
      meaning: 'A network on the way got no answer in time from the next one.',
      remedy: null,
      anotherCall: 'helps',
    },
    600: { meaning: 'Every line of the number was busy.', remedy: null, anotherCall: 'helps' },
    603: {
      meaning: 'The call was declined, by a person or a filter.',
      remedy: checkCallerId,
      anotherCall: 'helps',
    },
    604: { meaning: 'The number does not exist.', remedy: checkNumber, anotherCall: 'does not help' },
    607: {
      meaning: 'The person blocks calls from this caller number.',
      remedy: 'Add the number to the do-not-call list if the person asks for it.',
      anotherCall: 'does not help',
    },
    608: {
      meaning: 'A filter on the way blocked the call as unwanted.',
      remedy: checkCallerId,
      anotherCall: 'helps after that',
    },
  },
  error: {
    10001: {
      meaning: 'The account at the carrier is not active.',
      remedy: checkAccount,
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    10004: {
      meaning: 'The account had reached its limit of concurrent calls.',
      remedy: 'Lower LiveCarrierMaxCalls, or have the carrier raise the limit.',
      anotherCall: 'helps',
    },
    11200: {
      meaning: 'The carrier got no usable answer from this service.',
      remedy: checkCallbacks,
      anotherCall: 'helps after that',
    },
    11205: {
      meaning: 'The carrier could not connect to this service.',
      remedy: checkCallbacks,
      anotherCall: 'helps after that',
    },
    11210: {
      meaning: 'The carrier could not find the host of this service.',
      remedy: 'Compare PublicBaseUrl with the DNS records.',
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    11237: {
      meaning: 'The carrier does not trust the certificate of this service.',
      remedy: 'Renew the certificate of PublicBaseUrl with its whole chain.',
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    12100: {
      meaning: 'The carrier could not read our answer document.',
      remedy: checkCallbacks,
      anotherCall: 'helps after that',
    },
    12300: {
      meaning: 'Our response to the carrier had an unexpected content type.',
      remedy: checkCallbacks,
      anotherCall: 'helps after that',
    },
    13223: {
      meaning: 'The number does not have the format of a callable one.',
      remedy: checkNumber,
      anotherCall: 'does not help',
    },
    13224: {
      meaning: 'The carrier cannot reach this number: it may not exist, or a network near it is down.',
      remedy: checkNumber,
      anotherCall: 'helps after that',
    },
    13225: {
      meaning: 'The carrier blocks calls to this number.',
      remedy: 'Ask the carrier’s support why.',
      anotherCall: 'helps after that',
    },
    13227: {
      meaning: 'The account may not call this country.',
      remedy: checkCountry,
      anotherCall: 'helps after that',
      fails: 'the country',
    },
    20003: {
      meaning: 'The carrier rejects our credentials.',
      remedy: checkAccount,
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    20005: {
      meaning: 'The account at the carrier is not active, perhaps for lack of funds.',
      remedy: 'Check its balance in the carrier’s console.',
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    20404: {
      meaning: 'The carrier does not know the account or the call.',
      remedy: checkAccount,
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    20429: { meaning: 'The carrier is throttling our requests.', remedy: null, anotherCall: 'helps' },
    21210: {
      meaning: 'The account has not verified the caller number.',
      remedy: checkCaller,
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    21211: { meaning: 'The number is not valid.', remedy: checkNumber, anotherCall: 'does not help' },
    21212: {
      meaning: 'The caller number is not valid.',
      remedy: checkCaller,
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    21214: { meaning: 'The number cannot be reached.', remedy: checkNumber, anotherCall: 'does not help' },
    21215: {
      meaning: 'The account may not call this country.',
      remedy: checkCountry,
      anotherCall: 'helps after that',
      fails: 'the country',
    },
    21216: {
      meaning: 'The carrier blocks the call, because of the number or a missing customer profile.',
      remedy: 'Finish the customer profile in the carrier’s Trust Hub, or ask its support.',
      anotherCall: 'helps after that',
    },
    21217: { meaning: 'The number is not valid.', remedy: checkNumber, anotherCall: 'does not help' },
    21219: {
      meaning: 'The account is a trial, and has not verified the number.',
      remedy: 'Upgrade the account in the carrier’s console.',
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    32205: {
      meaning: 'The account may not call this country.',
      remedy: checkCountry,
      anotherCall: 'helps after that',
      fails: 'the country',
    },
    39001: {
      meaning: 'A network failure disconnected the carrier from the voice agent.',
      remedy: null,
      anotherCall: 'helps',
    },
    64101: {
      meaning: 'ConversationRelay refused our settings.',
      remedy: 'Check that its addendum is accepted, and the project’s voice and language.',
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    64102: {
      meaning: 'ConversationRelay could not connect to the voice agent.',
      remedy: `Compare PublicRelayUrl. ${checkRelay}`,
      anotherCall: 'helps after that',
      fails: 'all calls',
    },
    64104: {
      meaning: 'The conversation reached ConversationRelay’s time limit.',
      remedy: null,
      anotherCall: 'helps',
    },
    64105: {
      meaning: 'The connection to the voice agent was closed during the call.',
      remedy: checkRelay,
      anotherCall: 'helps',
    },
    64106: {
      meaning: 'ConversationRelay does not have the voice or the language.',
      remedy: 'Choose another voice or language under Project Settings > General.',
      anotherCall: 'helps after that',
    },
    64107: {
      meaning: 'ConversationRelay did not understand a frame of ours.',
      remedy: checkRelay,
      anotherCall: 'helps',
    },
    64108: { meaning: 'The line stopped sending audio.', remedy: null, anotherCall: 'helps' },
    64109: {
      meaning: 'The account had reached its limit of concurrent conversations.',
      remedy: 'Lower LiveCarrierMaxCalls, or have the carrier raise the limit.',
      anotherCall: 'helps',
    },
    64114: {
      meaning: 'ConversationRelay lost its connection to speech recognition.',
      remedy: null,
      anotherCall: 'helps',
    },
  },
};
