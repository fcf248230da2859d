/** An endpoint: who answers it, whom it lets in and what it is for. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Resource path as API Gateway writes it, with `{name}` for a path parameter. */
  readonly path: string;
  /** File in `functions/` (without `.ts`) that answers. */
  readonly function: string;
  /**
   * `api-key`: a client's bearer key. `oidc`: a person's OpenID Connect token. `carrier-signature`: the carrier signed it.
   * `session`: a person's session cookie, which signing in begins. `basic`: account SID and auth token. `none`: everybody may.
   */
  readonly authentication: 'api-key' | 'oidc' | 'session' | 'carrier-signature' | 'basic' | 'none';
  /** What the function may do with the service's table; its grants are made from this. */
  readonly tableAccess: 'read' | 'write' | 'none';
  readonly summary: string;
}
