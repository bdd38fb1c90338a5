/** The host of a server and the credentials for it. */
export interface ServerAddress {
  /** Host and port without credentials, for messages. */
  readonly hostAndPort: string
  readonly socketAddress: { readonly host: string; readonly port: number }
  readonly options: {
    readonly servers: string
    readonly user?: string
    readonly pass?: string
    readonly token?: string
    readonly tls?: object
  }
}

/**
 * Parses `nats://host:4222`, optionally with `user:password@` or `token@`. `tls://` requires TLS; `nats://` uses TLS if the
 * server requires it.
 *
 * @throws TypeError if the URL is invalid; the message does not quote the URL
 */
export function readAddress(url: string): ServerAddress {
  const address = parseAddress(url)
  if (address === undefined)
    throw new TypeError('The URL of a NATS server must have the form nats://host:4222')
  return address
}

function parseAddress(url: string): ServerAddress | undefined {
  const parsed = URL.parse(url)
  if (parsed === null || !/^(?:nats|tls):$/.test(parsed.protocol) || parsed.hostname === '') return undefined
  const port = parsed.port === '' ? 4222 : Number(parsed.port)
  const hostAndPort = `${parsed.hostname}:${port}`
  try {
    const [user, pass] = [parsed.username, parsed.password].map(decodeURIComponent)
    return {
      hostAndPort,
      socketAddress: { host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port },
      options: {
        servers: hostAndPort,
        ...(user && (pass ? { user, pass } : { token: user })),
        ...(parsed.protocol === 'tls:' && { tls: {} }),
      },
    }
  } catch {
    return undefined
  }
}
