import type { OwnClaims } from '../http/context.ts'

/** Parses the private claims of an access token. @throws TypeError for missing claims */
export function parseClaims({ role, sid }: Readonly<Record<string, unknown>>): OwnClaims {
  if (role !== 'user' && role !== 'admin') throw new TypeError('The role of the token is unknown')
  if (typeof sid !== 'string') throw new TypeError('The token belongs to no session')
  return { role, sid }
}
