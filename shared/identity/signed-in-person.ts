import type { Person } from '#shared/domain/person.ts';
import { environment } from '#shared/triggers/environment.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { tokenAuthentication } from './verify-token.ts';

/** Who sent a request, by a token of the identity provider that the stack names to the function. */
export function signedInPerson(): (request: Pick<RawRequest, 'headers'>) => Promise<Person> {
  return tokenAuthentication({
    issuer: environment('OIDC_ISSUER'),
    clientId: environment('OIDC_CLIENT_ID'),
  });
}
