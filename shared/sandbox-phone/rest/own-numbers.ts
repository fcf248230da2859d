import { createHash } from 'node:crypto';
import { rfc2822 } from '../wire.ts';
import { type PageRequest, pageObject } from './paging.ts';
import { accountPath } from './resources.ts';

export type OwnNumberResource = 'IncomingPhoneNumbers' | 'OutgoingCallerIds';

/** The simulated account's numbers, from the end of the range reserved for fiction. */
const ownNumbers: Readonly<Record<OwnNumberResource, readonly string[]>> = {
  IncomingPhoneNumbers: ['+12025550199', '+12025550198'],
  OutgoingCallerIds: ['+12025550197'],
};

/** Whether calls to this number come to the account. */
export function isIncomingNumber(phoneNumber: string): boolean {
  return ownNumbers.IncomingPhoneNumbers.includes(phoneNumber);
}

const since = rfc2822(new Date(0));

/**
 * A page of the account's numbers or verified caller IDs, as the carrier lists them: the filter `PhoneNumber` finds
 * numbers that contain it (twilio.com/docs/phone-numbers/api/incomingphonenumber-resource).
 */
export function ownNumbersPage(
  resource: OwnNumberResource,
  {
    accountSid,
    voiceUrl,
    query,
    request,
  }: {
    accountSid: string;
    /** The voice URL for inbound calls to the numbers. */
    voiceUrl: string;
    query: URLSearchParams;
    request: PageRequest;
  },
): Record<string, unknown> {
  const wanted = query.get('PhoneNumber') ?? '';
  const items = ownNumbers[resource].filter((number) => number.includes(wanted));
  const isIncoming = resource === 'IncomingPhoneNumbers';
  return pageObject({
    name: isIncoming ? 'incoming_phone_numbers' : 'outgoing_caller_ids',
    path: `${accountPath(accountSid)}/${resource}.json`,
    query,
    request,
    // They all fit on the first page, however small.
    found: { items: request.page === 0 ? items : [], next: null },
    toResource: (number) => {
      const sid = `PN${createHash('md5').update(number).digest('hex')}`;
      return {
        sid,
        account_sid: accountSid,
        friendly_name: number,
        phone_number: number,
        date_created: since,
        date_updated: since,
        ...(isIncoming
          ? {
              capabilities: { voice: true, sms: false, mms: false, fax: false },
              voice_url: voiceUrl,
              voice_method: 'POST',
              voice_application_sid: null,
              trunk_sid: null,
            }
          : {}),
        uri: `${accountPath(accountSid)}/${resource}/${sid}.json`,
      };
    },
  });
}
