import { OidcError } from './oidc-error.ts'

/** A user at an issuer. The issuer and the subject identify the user; nothing else does. */
export interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
  /** The address; undefined if the issuer says that it is not verified. Do not find an account by it. */
  readonly email: string | undefined
  /** At most 100 characters. */
  readonly name: string | undefined
  /** All claims of the ID token. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The form of OpenID Connect Core 1.0, section 2: anything else could be shared by users, or not be stored. */
const subjectPattern = /^[\x20-\x7e]{1,255}$/

/**
 * Reads the claims of a verified ID token.
 *
 * @throws OidcError `failed` for a subject without 1 to 255 characters of ASCII
 */
export function readIdentity(
  claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
): OidcIdentity {
  const { iss: issuer, sub: subject, email, email_verified: isVerified, name } = claims
  if (!subjectPattern.test(subject)) throw new OidcError('failed', { detail: 'sub' })
  return {
    issuer,
    subject,
    email: isVerified === false || isVerified === 'false' ? undefined : readText(email, 254),
    name: readText(name, 1000)?.slice(0, 100),
    claims,
  }
}

const readText = (value: unknown, maxLength: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maxLength ? value.trim() : undefined

/**
 * Returns the groups or roles that a claim names, a text or a list of texts; empty without the claim. Of the claim `email`, only
 * an address with `email_verified` counts: at some issuers, users write any address into their profile.
 */
export function getGroups({ claims }: Pick<OidcIdentity, 'claims'>, claim: string): readonly string[] {
  if (!Object.hasOwn(claims, claim)) return []
  if (claim === 'email' && claims['email_verified'] !== true) return []
  return [claims[claim]].flat().filter((group) => typeof group === 'string')
}
