import { S3Client } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { presignGet } from '#shared/aws/presign.ts';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}
type SignLink = (object: URL, credentials: Credentials) => Promise<string>;
/** Status and body of an S3 server's response for an object with this content. */
type Expected = (content: string) => [number, unknown];

/** As `recordingLink` makes links. @param agoSeconds by the signer's clock; negative: it is ahead */
function signed(agoSeconds: number, change: (link: string) => string = (link) => link): SignLink {
  return async (object, credentials) => {
    const { config } = new S3Client({ region: 'us-east-1', credentials });
    const now = new Date(Date.now() - agoSeconds * 1000);
    const fileName = 'call.wav';
    return change(await presignGet(object, config, { lifetimeSeconds: 300, now, fileName }));
  };
}

function by(change: Partial<Credentials>): SignLink {
  return (object, credentials) => signed(0)(object, { ...credentials, ...change });
}

const given: Expected = (content) => [200, content];
const refusedAs =
  (code: string): Expected =>
  () => [403, expect.stringContaining(`<Code>${code}</Code>`)];
const altered = refusedAs('SignatureDoesNotMatch');

/** S3's responses to links: `[what the link does, how it is made, the response]`. */
export const presignedLinkCases: readonly [string, SignLink, Expected][] = [
  ['gives the object', signed(0), given],
  ['gives it to the end of its lifetime', signed(290), given],
  ['gives it when the clock of its signer is a minute ahead', signed(-60), given],
  ['expires', signed(302), refusedAs('AccessDenied')],
  ['for another object is refused', signed(0, (link) => link.replace('?', '2?')), altered],
  ['with a longer lifetime is refused', signed(302, (link) => link.replace('=300', '=3000')), altered],
  ['for another file name is refused', signed(0, (link) => link.replace('call.wav', 'tall.wav')), altered],
  ['with one more parameter is refused', signed(0, (link) => `${link}&response-expires=0`), altered],
  ['signed with another secret is refused', by({ secretAccessKey: 'other' }), altered],
  ['of an unknown access key is refused', by({ accessKeyId: 'nobody' }), () => [403, expect.anything()]],
];
