/** Where a server is, and who we are there. */
export interface ServerAddress {
  /** Without user or password: for messages. */
  readonly host: string
  readonly options: {
    readonly servers: string
    readonly user?: string
    readonly pass?: string
    readonly token?: string
    readonly tls?: object
  }
}

/**
 * Reads `nats://host:4222`, with `user:password@` or `token@` where the server asks for one; `tls://` insists on TLS,
 * which the other scheme uses when the server does.
 *
 * @throws TypeError when it is no such address; the message does not quote it
 */
export function readAddress(url: string): ServerAddress {
  const parsed = URL.parse(url)
  if (parsed === null || !['nats:', 'tls:'].includes(parsed.protocol) || parsed.hostname === '')
    throw new TypeError('The address of a NATS server reads like nats://host:4222')
  const host = `${parsed.hostname}:${parsed.port === '' ? '4222' : parsed.port}`
  const [user, pass] = [parsed.username, parsed.password].map(decodeURIComponent)
  return {
    host,
    options: {
      servers: host,
      ...(user && (pass ? { user, pass } : { token: user })),
      ...(parsed.protocol === 'tls:' && { tls: {} }),
    },
  }
}
