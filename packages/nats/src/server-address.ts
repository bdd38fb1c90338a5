/** Where a server is, and who we are there. */
export interface ServerAddress {
  /** Without user or password: for messages. */
  readonly host: string
  readonly place: { readonly host: string; readonly port: number }
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
  const address = addressIn(url)
  if (address === undefined) throw new TypeError('The address of a NATS server reads like nats://host:4222')
  return address
}

function addressIn(url: string): ServerAddress | undefined {
  const parsed = URL.parse(url)
  if (parsed === null || !/^(?:nats|tls):$/.test(parsed.protocol) || parsed.hostname === '') return undefined
  const port = parsed.port === '' ? 4222 : Number(parsed.port)
  const host = `${parsed.hostname}:${port}`
  try {
    const [user, pass] = [parsed.username, parsed.password].map(decodeURIComponent)
    return {
      host,
      place: { host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port },
      options: {
        servers: host,
        ...(user && (pass ? { user, pass } : { token: user })),
        ...(parsed.protocol === 'tls:' && { tls: {} }),
      },
    }
  } catch {
    return undefined
  }
}
