import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import type { LocalSecret } from '../servers/secrets-server.ts';
import type { StackState } from '../stack-state.ts';
import type { Deployment } from '../template/deployment.ts';
import { secretArn, secretName } from '../template/resource-types.ts';

const secretSchema = z.object({
  SecretString: z.optional(z.string()),
  GenerateSecretString: z.optional(
    z.object({
      SecretStringTemplate: z.optional(z.string()),
      GenerateStringKey: z.optional(z.string()),
      PasswordLength: z._default(z.number(), 32),
      ExcludeCharacters: z._default(z.string(), ''),
      ExcludeLowercase: z._default(z.boolean(), false),
      ExcludeUppercase: z._default(z.boolean(), false),
      ExcludeNumbers: z._default(z.boolean(), false),
      ExcludePunctuation: z._default(z.boolean(), false),
      IncludeSpace: z._default(z.boolean(), false),
      RequireEachIncludedType: z._default(z.boolean(), true),
    }),
  ),
});

type Generation = NonNullable<z.infer<typeof secretSchema>['GenerateSecretString']>;

/** The template's secrets with their values; a generated value is made once and kept. */
export function provisionSecrets(deployment: Deployment, state: StackState): LocalSecret[] {
  return deployment.ofType('AWS::SecretsManager::Secret').map((resource) => {
    const name = secretName(resource);
    const properties = deployment.properties(resource, secretSchema);
    return { name, arn: secretArn(name), value: properties.SecretString ?? generatedOnce(name) };

    function generatedOnce(key: string): string {
      const kept = state.secret(key);
      if (kept !== null) return kept;
      const value = generate(properties.GenerateSecretString ?? generationDefaults);
      state.saveSecret(key, value);
      return value;
    }
  });
}

const generationDefaults: Generation = {
  PasswordLength: 32,
  ExcludeCharacters: '',
  ExcludeLowercase: false,
  ExcludeUppercase: false,
  ExcludeNumbers: false,
  ExcludePunctuation: false,
  IncludeSpace: false,
  RequireEachIncludedType: true,
};

function generate(generation: Generation): string {
  const password = generatePassword(generation);
  const { SecretStringTemplate: template, GenerateStringKey: key } = generation;
  if (template === undefined || key === undefined) return password;
  return JSON.stringify({
    ...z.record(z.string(), z.unknown()).parse(JSON.parse(template)),
    [key]: password,
  });
}

function generatePassword(generation: Generation): string {
  const kinds = [
    generation.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    generation.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    generation.ExcludeNumbers ? '' : '0123456789',
    generation.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    generation.IncludeSpace ? ' ' : '',
  ]
    .map((kind) => [...kind].filter((character) => !generation.ExcludeCharacters.includes(character)))
    .filter((kind) => kind.length > 0);
  const all = kinds.flat();
  for (;;) {
    const password = Array.from({ length: generation.PasswordLength }, () => all[randomInt(all.length)]);
    const hasEach = kinds.every((kind) => kind.some((character) => password.includes(character)));
    if (hasEach || !generation.RequireEachIncludedType) return password.join('');
  }
}
