import * as z from 'zod/mini';
import { liveCarrierBaseUrl } from '../../shared/carrier/carrier-client.ts';
import type { CarrierCredentials } from '../../shared/carrier/credentials.ts';
import { ask, parseJson, type Reply, whyNoAnswer } from './ask.ts';
import { cannotTell, type Finding, missing, ok } from './finding.ts';

/** What live projects need from the carrier's account. */
export interface CarrierNeeds {
  /** E.164, each once. */
  readonly callerNumbers: readonly string[];
  /** ISO 3166-1, each once. */
  readonly countries: readonly string[];
}

export interface CarrierAccess {
  readonly credentials: CarrierCredentials;
  /** Origin and optional path before `/2010-04-01`; one other than the carrier's serves its other APIs, too. */
  readonly baseUrl: string;
  /** The voice URL each number should have; null when the service's URL is unknown. */
  readonly voiceUrl: string | null;
  readonly timeoutMs: number;
}

/** The same name when the secret cannot be read. */
export const secretCheck = 'carrier secret';

const renewKey =
  'Create a standard API key under Account > API keys & tokens; store it in the secret: api_key_sid, api_key_secret.';

/** The sandbox phone, at another address, lacks some of the carrier's resources. */
function unclear({ baseUrl }: CarrierAccess, check: string, reply: Reply): Finding {
  const todo =
    reply.status === 404 && baseUrl !== liveCarrierBaseUrl
      ? 'Run this without --carrier-url: the sandbox phone does not have this.'
      : 'Run this again in a minute, and look at the status page of the carrier.';
  return cannotTell(check, `The carrier ${whyNoAnswer(reply)}.`, todo);
}

/** All that the carrier's API can answer, and what only its console shows. */
export async function checkCarrier(access: CarrierAccess, needs: CarrierNeeds): Promise<Finding[]> {
  const { credentials } = access;
  const [account, key] = await Promise.all([checkAccount(access), checkKey(access)]);
  // Without access, every further check would fail the same way.
  const isLetIn = key.state !== 'missing';
  const rest = isLetIn
    ? await Promise.all([
        ...needs.callerNumbers.map((number) => checkNumber(access, number)),
        ...needs.countries.map((country) => checkCountry(access, country)),
        checkMedia(access),
      ])
    : [];
  return [checkForm(credentials), account, key, ...rest.flat(), relayAddendum];
}

/** Twilio's identifiers: two letters for the kind, and 32 hexadecimal digits. */
const accountSidForm = /^AC[0-9a-f]{32}$/i;
const keySidForm = /^SK[0-9a-f]{32}$/i;

function checkForm({ accountSid, restUser }: CarrierCredentials): Finding {
  const check = secretCheck;
  if (!accountSidForm.test(accountSid)) {
    return missing(
      check,
      'account_sid is not AC and 32 hexadecimal digits.',
      'Store the account SID of the console’s first page in the secret.',
    );
  }
  if (restUser !== accountSid && !keySidForm.test(restUser)) {
    return missing(check, 'api_key_sid is not SK and 32 hexadecimal digits.', renewKey);
  }
  return ok(
    check,
    restUser === accountSid
      ? 'An account SID with its auth token.'
      : 'An account SID, an API key and auth tokens.',
  );
}

const Account = z.object({ status: z.string(), type: z.optional(z.nullable(z.string())) });

/**
 * Reads the account with its newest auth token: a standard API key may not (twilio.com/docs/iam/api-keys), and the
 * token must work anyway, because it signs callbacks.
 */
async function checkAccount(access: CarrierAccess): Promise<Finding> {
  const check = 'account';
  const { credentials, baseUrl, timeoutMs } = access;
  const { accountSid, authTokens } = credentials;
  const reply = await ask(`${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}.json`, {
    headers: basicLogin(accountSid, authTokens[0]),
    timeoutMs,
  });
  if (reply.status === 401 || reply.status === 403) {
    return missing(
      check,
      `The carrier rejects the newest auth token (status ${reply.status}).`,
      'Copy the auth token from Account > API keys & tokens to the front of auth_tokens in the secret.',
    );
  }
  const account = read(reply, Account);
  if (account === null) return unclear(access, check, reply);
  if (account.status !== 'active') {
    return missing(
      check,
      `The account is ${account.status}.`,
      "Check Admin > Account billing for unpaid charges, or ask the carrier's support to reactivate it.",
    );
  }
  if (account.type === 'Trial') {
    return missing(
      check,
      'The account is active but a trial, which calls verified numbers only.',
      'Upgrade it under Admin > Account billing.',
    );
  }
  return ok(check, 'The account is active and not a trial, and the newest auth token works.');
}

async function checkKey(access: CarrierAccess): Promise<Finding> {
  const check = 'requests to the carrier';
  const reply = await askAccount(access, 'IncomingPhoneNumbers.json?PageSize=1');
  if (reply.status === 401 || reply.status === 403) {
    return missing(check, `The carrier rejects the login in the secret (status ${reply.status}).`, renewKey);
  }
  if (reply.status !== 200) return unclear(access, check, reply);
  return ok(check, 'The carrier accepts the credentials in the secret.');
}

const OwnNumbers = z.object({
  incoming_phone_numbers: z.optional(
    z.array(
      z.object({
        phone_number: z.nullable(z.string()),
        capabilities: z.optional(z.nullable(z.object({ voice: z.optional(z.nullable(z.boolean())) }))),
        voice_url: z.optional(z.nullable(z.string())),
        voice_method: z.optional(z.nullable(z.string())),
        voice_application_sid: z.optional(z.nullable(z.string())),
        trunk_sid: z.optional(z.nullable(z.string())),
      }),
    ),
  ),
  outgoing_caller_ids: z.optional(z.array(z.object({ phone_number: z.nullable(z.string()) }))),
});

async function checkNumber(access: CarrierAccess, number: string): Promise<Finding[]> {
  const check = `caller number ${number}`;
  const query = new URLSearchParams({ PhoneNumber: number, PageSize: '50' });
  const bought = await askAccount(access, `IncomingPhoneNumbers.json?${query}`);
  const numbers = read(bought, OwnNumbers);
  if (numbers === null) return [unclear(access, check, bought)];
  // The filter also finds numbers that merely contain these digits.
  const own = numbers.incoming_phone_numbers?.find(({ phone_number }) => phone_number === number);
  if (own !== undefined) {
    if (own.capabilities?.voice ?? true) {
      return [ok(check, 'The account has this number, with voice.'), checkVoiceUrl(access, own, number)];
    }
    const todo =
      'Buy one with voice under Phone Numbers > Manage > Buy a number, and assign it with npm run grant-live.';
    return [missing(check, 'The account has this number, but without voice.', todo)];
  }
  const verified = await askAccount(access, `OutgoingCallerIds.json?${query}`);
  const callerIds = read(verified, OwnNumbers);
  if (callerIds === null) return [unclear(access, check, verified)];
  const isVerified = callerIds.outgoing_caller_ids?.some(({ phone_number }) => phone_number === number);
  if (isVerified === true) return [ok(check, 'The account has verified it as a caller ID.')];
  const todo =
    'Buy it under Phone Numbers > Manage, verify it under Verified Caller IDs, ' +
    'or assign another with npm run grant-live.';
  return [missing(check, 'The account does not have this number.', todo)];
}

type OwnNumber = NonNullable<z.infer<typeof OwnNumbers>['incoming_phone_numbers']>[number];

/**
 * Whether this service answers people who call back. An application or trunk overrides a number's own URL
 * (twilio.com/docs/phone-numbers/api/incomingphonenumber-resource).
 */
function checkVoiceUrl({ voiceUrl }: CarrierAccess, own: OwnNumber, number: string): Finding {
  const check = `inbound calls of ${number}`;
  if (voiceUrl === null) {
    return cannotTell(
      check,
      "The service's address is not given.",
      'Give it with --base-url (output BaseUrl).',
    );
  }
  const isOurs =
    own.voice_url === voiceUrl &&
    (own.voice_method ?? 'POST') === 'POST' &&
    (own.voice_application_sid ?? '') === '' &&
    (own.trunk_sid ?? '') === '';
  return isOurs
    ? ok(check, 'The service answers them.')
    : missing(
        check,
        'The service does not answer them.',
        `Under Phone Numbers > Manage > Active numbers, send incoming calls to the webhook ${voiceUrl} by HTTP POST.`,
      );
}

const Permission = z.object({
  low_risk_numbers_enabled: z.boolean(),
  high_risk_tollfraud_numbers_enabled: z.optional(z.nullable(z.boolean())),
});

/**
 * Countries that share another country's permission, which the carrier calls "United States/Canada"
 * (twilio.com/docs/voice/api/dialingpermissions-country-resource).
 */
const standsWith: Readonly<Record<string, string>> = { CA: 'US' };

function askPermission({ credentials, baseUrl, timeoutMs }: CarrierAccess, country: string): Promise<Reply> {
  const origin = baseUrl === liveCarrierBaseUrl ? 'https://voice.twilio.com' : baseUrl;
  return ask(`${origin}/v1/DialingPermissions/Countries/${country}`, {
    headers: basicLogin(credentials.restUser, credentials.restPassword),
    timeoutMs,
  });
}

async function checkCountry(access: CarrierAccess, country: string): Promise<Finding> {
  const check = `calls to ${country}`;
  const console = 'Voice > Settings > Geo permissions';
  const own = await askPermission(access, country);
  const other = standsWith[country];
  const reply = own.status === 404 && other !== undefined ? await askPermission(access, other) : own;
  const permission = read(reply, Permission);
  if (permission === null) {
    return cannotTell(
      check,
      `The carrier ${whyNoAnswer(reply)}.`,
      `Check whether the country is selected under ${console}.`,
    );
  }
  if (!permission.low_risk_numbers_enabled) {
    return missing(check, 'The account may not call this country.', `Select the country under ${console}.`);
  }
  return permission.high_risk_tollfraud_numbers_enabled === true
    ? missing(
        check,
        'The account may call this country, including its high-risk numbers.',
        `Deselect the country's high-risk numbers under ${console}.`,
      )
    : ok(check, 'The account may call this country.');
}

const Recordings = z.object({ recordings: z.array(z.object({ sid: z.string() })) });

/**
 * No API has the switch, but its effect shows: requests the newest recording without credentials, and without its
 * audio being sent. It is refused if the switch is on.
 */
async function checkMedia(access: CarrierAccess): Promise<Finding> {
  const check = 'authentication for recordings';
  const todo = 'Enable Enforce HTTP Auth on Media URLs under Voice > Settings > General.';
  const list = await askAccount(access, 'Recordings.json?PageSize=1');
  const recording = read(list, Recordings)?.recordings[0];
  if (recording === undefined) {
    const seen =
      list.status === 200
        ? 'The account has no recording to check with.'
        : `The carrier ${whyNoAnswer(list)}.`;
    return cannotTell(check, seen, todo);
  }
  const reply = await ask(`${accountUrl(access)}/Recordings/${encodeURIComponent(recording.sid)}.wav`, {
    method: 'HEAD',
    timeoutMs: access.timeoutMs,
  });
  if (reply.status === 401 || reply.status === 403) {
    return ok(check, 'The carrier refuses recordings to unauthenticated requests.');
  }
  if (reply.status !== null && reply.status < 400) {
    return missing(check, 'Anyone with the address of a recording can hear it.', todo);
  }
  return cannotTell(check, `The carrier ${whyNoAnswer(reply)}.`, todo);
}

/** Without it, answered calls end at once (twilio.com/docs/voice/conversationrelay/onboarding). */
const relayAddendum = cannotTell(
  'addendum for ConversationRelay',
  "The carrier's APIs do not show it.",
  'Check that the Predictive and Generative AI/ML Features Addendum is accepted under Voice > Settings > General.',
);

function accountUrl({ baseUrl, credentials }: CarrierAccess): string {
  return `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(credentials.accountSid)}`;
}

function askAccount(access: CarrierAccess, resource: string): Promise<Reply> {
  const { restUser, restPassword } = access.credentials;
  return ask(`${accountUrl(access)}/${resource}`, {
    headers: basicLogin(restUser, restPassword),
    timeoutMs: access.timeoutMs,
  });
}

function basicLogin(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** The content of a successful response; null for any other. */
function read<Body>(reply: Reply, schema: z.ZodMiniType<Body>): Body | null {
  if (reply.status !== 200) return null;
  const body = schema.safeParse(parseJson(reply.text));
  return body.success ? body.data : null;
}
