import type { OwnClaims } from '../http/context.ts'

/** The server's own claims of an access token; throws when a token does not have them. */
export function parseClaims({ role, sid }: Readonly<Record<string, unknown>>): OwnClaims {
  if (role !== 'user' && role !== 'admin') throw new TypeError('The role of the token is unknown')
  if (typeof sid !== 'string') throw new TypeError('The token belongs to no session')
  return { role, sid }
}
