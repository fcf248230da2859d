import type { Role } from '../../../shared/domain/person.ts';
import { type SignIn, signIn } from '../../authorization-code.ts';
import { demoPeople } from './demo-people.ts';
import { choosePerson } from './walk-sign-in.ts';

/** An ID token of one of a local stack's invented people, obtained without a browser. */
export function signInAs(role: Role, provider: Pick<SignIn, 'issuer' | 'clientId'>): Promise<string> {
  return signIn({
    ...provider,
    port: 0,
    timeoutMs: 60_000,
    visit: (address) => choosePerson(address, demoPeople[role]),
  });
}
