import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Role } from '../../shared/domain/person.ts';
import { signIn } from '../authorization-code.ts';
import { given, oneOf, runCommand, UsageError, type Values } from '../command.ts';
import { signInPort, signInRedirectUri } from '../sign-in-redirect.ts';
import { signInAs } from './identity/sign-in-as.ts';

const defaultTimeoutSeconds = 300;

const help = `Signs you in to the management API and prints a token for it.

  npm run sign-in -- --issuer URL --client-id ID [--timeout SECONDS]
  npm run sign-in -- --data DIR [--as ROLE] [--timeout SECONDS]

  --issuer URL       where people sign in (output SignInIssuer of the stack)
  --client-id ID     the service's client there (output SignInClientId); ${signInRedirectUri}
                     must be among its redirect URIs
  --data DIR         sign in at the local stack that runs on this data directory
  --as ROLE          as this invented person of the local stack, without a browser: ${Role.options.join(' or ')}
  --timeout SECONDS  how long you may take (default: ${defaultTimeoutSeconds})
  --help             this text

Prints the address to open on standard error and only the token on standard output, so that you can store it:
TOKEN=$(npm run --silent sign-in -- --data .local --as owner)`;

interface Arguments {
  readonly provider: { readonly issuer: string; readonly clientId: string };
  readonly role: Role | null;
  readonly timeoutMs: number;
}

const options = {
  issuer: { type: 'string' },
  'client-id': { type: 'string' },
  data: { type: 'string' },
  as: { type: 'string' },
  timeout: { type: 'string', default: String(defaultTimeoutSeconds) },
} as const;

async function readArguments(values: Values<typeof options>): Promise<Arguments> {
  if (!/^[1-9]\d{0,4}$/.test(values.timeout)) {
    throw new UsageError('--timeout must be a whole number of seconds');
  }
  if (values.as !== undefined && values.data === undefined) throw new UsageError('--as needs --data');
  return {
    provider:
      values.data === undefined
        ? {
            issuer: issuerOf(given('--issuer', values.issuer)),
            clientId: given('--client-id', values['client-id']),
          }
        : await providerOf(values.data),
    role: values.as === undefined ? null : oneOf('--as', Role.options, values.as),
    timeoutMs: Number(values.timeout) * 1000,
  };
}

function issuerOf(text: string): string {
  if (!URL.canParse(text)) throw new UsageError('--issuer must be an address');
  return text;
}

/** The local stack's provider, from its `stack.env`. */
async function providerOf(dataDirectory: string): Promise<Arguments['provider']> {
  const path = join(dataDirectory, 'stack.env');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new UsageError(`${path} cannot be read: start the local stack on this data directory`);
  }
  const value = (name: string): string => {
    const [, found] = new RegExp(`^${name}='(.*)'$`, 'm').exec(text) ?? [];
    if (found === undefined) throw new UsageError(`${path} has no ${name}: start the local stack again`);
    return found;
  };
  return { issuer: value('SignInIssuer'), clientId: value('SignInClientId') };
}

await runCommand('sign-in', 'The sign-in failed', { help, options }, async (values) => {
  const args = await readArguments(values);
  const { provider, role, timeoutMs } = args;
  if (role !== null) return signInAs(role, provider);
  return signIn({
    ...provider,
    port: signInPort,
    timeoutMs,
    visit: (address) => console.error(`Open this address in a browser on this machine:\n\n  ${address}\n`),
  });
});
