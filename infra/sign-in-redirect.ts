/** The port that `npm run sign-in` listens on, because a provider wants to know the whole address beforehand. */
export const signInPort = 8976;

export const signInPath = '/callback';

/**
 * Where the browser is sent back to when somebody signs in from a terminal. By name and not by address, because Amazon
 * Cognito allows plain HTTP to no other host.
 */
export const signInRedirectUri = `http://localhost:${signInPort}${signInPath}`;
