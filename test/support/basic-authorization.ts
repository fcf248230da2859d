/** The header of HTTP's Basic scheme. */
export function basicAuthorization(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
