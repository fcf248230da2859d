/** The port `npm run sign-in` listens on, fixed because providers register the whole address. */
export const signInPort = 8976;

export const signInPath = '/callback';

/**
 * Redirect address for signing in from a terminal. By name, because Amazon Cognito allows plain HTTP only for
 * localhost.
 */
export const signInRedirectUri = `http://localhost:${signInPort}${signInPath}`;
