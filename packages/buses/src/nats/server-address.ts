/** The hosts of the servers and the credentials for them. */
export interface ServerAddress {
  /** Hosts and ports without credentials, for messages. */
  readonly hostAndPort: string
  readonly endpoints: readonly { readonly host: string; readonly port: number }[]
  readonly options: {
    readonly servers: string[]
    readonly user?: string
    readonly pass?: string
    readonly token?: string
    readonly tls?: object
  }
}

/**
 * Parses `nats://host:4222`, optionally with `user:password@` or `token@`, or a list of such URLs with the credentials in
 * the first one. `tls://` requires TLS; `nats://` uses TLS if the server requires it.
 *
 * @throws TypeError if a URL is invalid; the message does not quote the URL
 */
export function readAddress(urls: string | readonly string[]): ServerAddress {
  const parsed = [urls].flat().map(parseAddress)
  const known = parsed.filter((one) => one !== undefined)
  const [first] = known
  if (first === undefined || known.length < parsed.length)
    throw new TypeError('The URL of a NATS server must have the form nats://host:4222')
  const servers = known.map(({ hostAndPort }) => hostAndPort)
  return {
    hostAndPort: servers.join(', '),
    endpoints: known.map(({ endpoint }) => endpoint),
    options: { servers, ...first.credentials, ...(known.some(({ isTls }) => isTls) && { tls: {} }) },
  }
}

function parseAddress(url: string) {
  const parsed = URL.parse(url)
  if (parsed === null || !/^(?:nats|tls):$/.test(parsed.protocol) || parsed.hostname === '') return undefined
  const port = parsed.port === '' ? 4222 : Number(parsed.port)
  try {
    const [user, pass] = [parsed.username, parsed.password].map(decodeURIComponent)
    return {
      hostAndPort: `${parsed.hostname}:${port}`,
      endpoint: { host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port },
      credentials: user ? (pass ? { user, pass } : { token: user }) : {},
      isTls: parsed.protocol === 'tls:',
    }
  } catch {
    return undefined
  }
}
