import { describe, expect, test } from 'vitest';
import {
  AddressRefusedError,
  checkedAddresses,
  isPublicAddress,
  openWebhookNetwork,
  type WebhookNetwork,
} from '#shared/webhooks/address.ts';
import { webhookAddressProblem, webhookUrlProblem } from '#shared/webhooks/webhook-url.ts';

function networkOf(addresses: readonly string[], allowsLoopback = false): WebhookNetwork {
  return { allowsLoopback, resolve: async () => addresses };
}

const specialAddresses = [
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT', '100.127.255.254'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local, the metadata of cloud machines', '169.254.169.254'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['v4-compatible', '::1.1.1.1'],
  ['v4-mapped', '::ffff:127.0.0.1'],
  ['v4-mapped, of a public one', '::ffff:1.1.1.1'],
  ['v4-translated', '::ffff:0:1.1.1.1'],
  ['NAT64', '64:ff9b::a00:1'],
  ['NAT64, of a public one', '64:ff9b::101:101'],
  ['NAT64 for local use', '64:ff9b:1::a00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['benchmarking', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['of the former 6bone', '3ffe::1'],
  ['of the former 6bone', '3ffe:ffff:ffff::1'],
  ['6to4', '2002:a00:1::1'],
  ['6to4, of a public one', '2002:101:101::1'],
  ['ISATAP', '2606:4700::5efe:a00:1'],
  ['ISATAP with the universal bit', '2606:4700::200:5efe:a00:1'],
  ['segment routing', '5f00::1'],
  ['not given out', '4000::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
] as const;

const publicAddresses = ['1.1.1.1', '100.63.255.255', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'];

describe('44: an address', () => {
  test.each(specialAddresses)('that is %s is refused: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(publicAddresses)('of the public internet is accepted: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(['', 'example.com', '1.1.1', '0x7f.1', '1.1.1.1/8'])('is not the text %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('a host', () => {
  test.each(specialAddresses)('is refused if only one of its addresses is %s: %s', async (_, address) => {
    const checking = checkedAddresses(
      networkOf(['1.1.1.1', address, '2606:4700::1']),
      new URL('https://hooks.example.com'),
    );
    await expect(checking).rejects.toBeInstanceOf(AddressRefusedError);
  });

  test('is accepted with all its addresses if they are public', async () => {
    expect(await checkedAddresses(networkOf(publicAddresses), new URL('https://hooks.example.com'))).toEqual(
      publicAddresses,
    );
  });

  test('without any address is refused', async () => {
    const checking = checkedAddresses(networkOf([]), new URL('https://hooks.example.com'));
    await expect(checking).rejects.toBeInstanceOf(AddressRefusedError);
  });

  test('that is an address is not resolved', async () => {
    const network = { allowsLoopback: false, resolve: () => Promise.reject(new Error('was asked')) };
    expect(await checkedAddresses(network, new URL('https://[2606:4700::1]/'))).toEqual(['2606:4700::1']);
    const checking = checkedAddresses(network, new URL('https://127.0.0.1/'));
    await expect(checking).rejects.toBeInstanceOf(AddressRefusedError);
  });

  test('of this machine must stay on this machine where allowed', async () => {
    const url = new URL('http://localhost:8080');
    expect(await checkedAddresses(networkOf(['127.0.0.1', '::1'], true), url)).toHaveLength(2);
    const checking = checkedAddresses(networkOf(['10.0.0.1'], true), url);
    await expect(checking).rejects.toBeInstanceOf(AddressRefusedError);
  });

  test('that reaches this machine by another name is refused even where this machine is allowed', async () => {
    const checking = checkedAddresses(networkOf(['127.0.0.1'], true), new URL('https://hooks.example.com'));
    await expect(checking).rejects.toBeInstanceOf(AddressRefusedError);
  });
});

describe('44: a webhook URL', () => {
  test.each([
    'https://hooks.example.com',
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:1024/',
    'https://hooks.example.com./',
    'https://1.1.1.1/',
    'https://[2606:4700::1]/',
    'HTTPS://HOOKS.EXAMPLE.COM/',
    'https://hooks.example.com/@someone?by=a@b',
    'https://hooks.example.com\\@127.0.0.1/',
  ])('may be %s', (url) => {
    expect(webhookUrlProblem(url, { allowsLoopback: false })).toBeNull();
  });

  const notPublic = 'The webhook URL must lead to a public address';
  const noName = 'The host of the webhook URL must be a public name, such as hooks.example.com';
  test.each([
    ['/hooks', 'The webhook URL must be complete, such as https://hooks.example.com/calls'],
    ['http://hooks.example.com/', 'The webhook URL must begin with https://'],
    ['ftp://hooks.example.com/', 'The webhook URL must begin with https://'],
    ['file:///etc/passwd', 'The webhook URL must begin with https://'],
    [
      'https://user@hooks.example.com/',
      'The webhook URL must not contain a user name or password: verify signatures instead',
    ],
    [
      'https://:secret@hooks.example.com/',
      'The webhook URL must not contain a user name or password: verify signatures instead',
    ],
    [
      'https://@hooks.example.com/',
      'The webhook URL must not contain a user name or password: verify signatures instead',
    ],
    [
      'https://:@hooks.example.com/',
      'The webhook URL must not contain a user name or password: verify signatures instead',
    ],
    [
      'https:@hooks.example.com/',
      'The webhook URL must not contain a user name or password: verify signatures instead',
    ],
    [
      'https:\\\\@hooks.example.com\\a',
      'The webhook URL must not contain a user name or password: verify signatures instead',
    ],
    [
      'https:/\t/@hooks.example.com/',
      'The webhook URL must not contain a user name or password: verify signatures instead',
    ],
    ['https://hooks.example.com/#part', 'The webhook URL must not contain # or what follows it'],
    ['https://hooks.example.com/#', 'The webhook URL must not contain # or what follows it'],
    ['https://hooks.example.com:22/', 'The port of the webhook URL must be 443, or 1024 or above'],
    ['https://hooks.example.com:80/', 'The port of the webhook URL must be 443, or 1024 or above'],
    ['https://hooks.example.com:0/', 'The port of the webhook URL must be 443, or 1024 or above'],
    [
      `https://hooks.example.com/${'x'.repeat(2048)}`,
      'The webhook URL must not be longer than 2048 characters',
    ],
    ['https://intranet/', noName],
    ['https://localhost/', noName],
    ['https://localhost./', noName],
    ['https://hooks.localhost/', noName],
    ['https://printer.local/', noName],
    ['https://metadata.google.internal/', noName],
    ['https://METADATA.GOOGLE.INTERNAL./', noName],
    ['https://127.0.0.1/', notPublic],
    ['https://127.1/', notPublic],
    ['https://2130706433/', notPublic],
    ['https://0x7f000001/', notPublic],
    ['https://0x7f.0.0.1/', notPublic],
    ['https://0177.0.0.1/', notPublic],
    ['https://127.0.0.1./', notPublic],
    ['https://１２７.0.0.1/', notPublic],
    ['https://169.254.169.254/latest/meta-data/', notPublic],
    ['https://[::1]/', notPublic],
    ['https://[::ffff:169.254.169.254]/', notPublic],
    ['https://[64:ff9b::a9fe:a9fe]/', notPublic],
  ])('cannot be %s', (url, problem) => {
    expect(webhookUrlProblem(url, { allowsLoopback: false })).toBe(problem);
  });

  test.each([
    'http://127.0.0.1:80/x',
    'http://localhost:8080',
    'http://[::1]:8080/',
    'https://127.0.0.1:8443/',
  ])('may be %s if receivers run on this machine, and only then', (url) => {
    expect(webhookUrlProblem(url, { allowsLoopback: true })).toBeNull();
    expect(webhookUrlProblem(url, { allowsLoopback: false })).not.toBeNull();
  });

  test.each(['http://10.0.0.1:8080/', 'http://hooks.example.com/', 'https://10.0.0.1/'])(
    'cannot be %s even where receivers run on this machine',
    (url) => {
      expect(webhookUrlProblem(url, { allowsLoopback: true })).not.toBeNull();
    },
  );

  test('is saved only if its host resolves to public addresses', async () => {
    const url = 'https://hooks.example.com/';
    expect(await webhookAddressProblem(url, networkOf(['1.1.1.1']))).toBeNull();
    expect(await webhookAddressProblem(url, networkOf(['1.1.1.1', '10.0.0.1']))).toBe(
      'The host of the webhook URL must have only public addresses',
    );
    const nobody = { allowsLoopback: false, resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    expect(await webhookAddressProblem(url, nobody)).toBe(
      'The host of the webhook URL cannot be found; check its spelling',
    );
    expect(await webhookAddressProblem('http://hooks.example.com/', nobody)).toBe(
      'The webhook URL must begin with https://',
    );
  });
});

describe('the network of this machine', () => {
  test('resolves with its own resolver', async () => {
    const network = openWebhookNetwork('allowed');
    const addresses = await checkedAddresses(network, new URL('http://localhost:8080'));
    expect(addresses.length).toBeGreaterThan(0);
  });

  test.each(['refused', '', 'true'])('lets nothing go to this machine when told %j', (loopback) => {
    expect(openWebhookNetwork(loopback).allowsLoopback).toBe(false);
  });
});
