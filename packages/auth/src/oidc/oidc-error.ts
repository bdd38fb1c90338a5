/**
 * Why a login at an issuer fails.
 *
 * - `expired`: the login did not begin in this browser, or began more than ten minutes ago, or its code was used.
 * - `denied`: the user or the issuer refused it.
 * - `failed`: the answer of the issuer is not valid.
 * - `unavailable`: the issuer does not answer.
 */
export type OidcFailure = 'expired' | 'denied' | 'failed' | 'unavailable'

/** The failure of a login. Its message has no token and no code; its cause may, so do not log the cause. */
export class OidcError extends Error {
  override readonly name = 'OidcError'
  readonly reason: OidcFailure
  /** The code of the protocol or of the library, such as `invalid_client`, for a log. */
  readonly detail: string | undefined

  constructor(reason: OidcFailure, options: ErrorOptions & { readonly detail?: string | undefined } = {}) {
    super(messages[reason], options)
    this.reason = reason
    this.detail = options.detail
  }
}

const messages: Readonly<Record<OidcFailure, string>> = {
  expired: 'The login has expired; log in again',
  denied: 'The login is refused; ask an administrator for a role',
  failed: 'The answer of the issuer is not valid',
  unavailable: 'The issuer is unavailable; try again',
}
