import {
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type TlsOptions,
} from '@nats-io/transport-node'

export interface NatsAuthentication {
  /** The content of a credentials file (`.creds`): the JWT of a user and the seed of its NKEY. */
  readonly credentials?: string
  /** The seed of the NKEY of a user, which begins with `SU`. */
  readonly nkeySeed?: string
  /** Requires TLS: certificate authorities (`ca`), or a client certificate and its key, in PEM. */
  readonly tls?: Pick<TlsOptions, 'ca' | 'cert' | 'key'>
}

/**
 * Returns the options of the library.
 *
 * @throws TypeError if the credentials or the seed are unusable; the message does not quote them
 */
export function createAuthentication({ credentials, nkeySeed, tls }: NatsAuthentication): {
  readonly authenticator?: Authenticator[]
  readonly tls?: TlsOptions
} {
  const encoder = new TextEncoder()
  const authenticator = [
    ...(credentials === undefined
      ? []
      : [
          checked(
            'credentials',
            'the content of a .creds file',
            credsAuthenticator(encoder.encode(credentials)),
          ),
        ]),
    ...(nkeySeed === undefined
      ? []
      : [checked('nkeySeed', 'the seed of a user', nkeyAuthenticator(encoder.encode(nkeySeed.trim())))]),
  ]
  return { ...(authenticator.length > 0 && { authenticator }), ...(tls && { tls }) }
}

/** Signs once, because the library would report an unusable seed only when it connects. */
function checked(name: string, form: string, authenticator: Authenticator): Authenticator {
  try {
    authenticator('nonce')
  } catch {
    throw new TypeError(`${name} must be ${form}`)
  }
  return authenticator
}
