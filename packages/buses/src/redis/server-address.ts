import type { ConnectionOptions as TlsOptions } from 'node:tls'

/** The host of a server and the credentials for it. */
export interface ServerAddress {
  /** Host and port without credentials, for messages. */
  readonly hostAndPort: string
  readonly options: {
    readonly host: string
    readonly port: number
    readonly db: number
    readonly username?: string
    readonly password?: string
    readonly tls?: TlsOptions
  }
}

/**
 * Adds TLS options to an address of `rediss://`.
 *
 * @throws TypeError for an address without TLS
 */
export function withTls(address: ServerAddress, tls: TlsOptions | undefined): ServerAddress {
  if (tls === undefined) return address
  if (address.options.tls === undefined)
    throw new TypeError('tls needs a URL of the form rediss://host:6379/0')
  return { ...address, options: { ...address.options, tls } }
}

/**
 * Parses `redis://user:password@host:6379/0`; everything except the host is optional. `rediss://` uses TLS.
 *
 * @throws TypeError if the URL is invalid; the message does not quote the URL
 */
export function readAddress(url: string): ServerAddress {
  const address = parseAddress(url)
  if (address === undefined)
    throw new TypeError('The URL of a Redis server must have the form redis://host:6379/0')
  return address
}

function parseAddress(url: string): ServerAddress | undefined {
  const parsed = URL.parse(url)
  const [, db] = /^\/?(\d{0,9})$/.exec(parsed?.pathname ?? '') ?? []
  if (!parsed || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '') return undefined
  if (db === undefined) return undefined
  const port = parsed.port === '' ? 6379 : Number(parsed.port)
  try {
    const [username, password] = [parsed.username, parsed.password].map(decodeURIComponent)
    return {
      hostAndPort: `${parsed.hostname}:${port}`,
      options: {
        ...{ host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port, db: Number(db) },
        ...(username && { username }),
        ...(password && { password }),
        ...(parsed.protocol === 'rediss:' && { tls: {} }),
      },
    }
  } catch {
    return undefined
  }
}
