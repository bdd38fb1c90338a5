/** Where a server is, and who we are there. */
export interface ServerAddress {
  /** Without user or password: for messages. */
  readonly place: string
  readonly options: {
    readonly host: string
    readonly port: number
    readonly db: number
    readonly username?: string
    readonly password?: string
    readonly tls?: object
  }
}

/**
 * Reads `redis://user:password@host:6379/0`, where everything but the host may be left out; `rediss://` is for TLS.
 *
 * @throws TypeError when it is no such address; the message does not quote it
 */
export function readAddress(url: string): ServerAddress {
  const address = addressIn(url)
  if (address === undefined)
    throw new TypeError('The address of a Redis server reads like redis://host:6379/0')
  return address
}

function addressIn(url: string): ServerAddress | undefined {
  const parsed = URL.parse(url)
  const [, db] = /^\/?(\d{0,9})$/.exec(parsed?.pathname ?? '') ?? []
  if (!parsed || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '') return undefined
  if (db === undefined) return undefined
  const port = parsed.port === '' ? 6379 : Number(parsed.port)
  try {
    const [username, password] = [parsed.username, parsed.password].map(decodeURIComponent)
    return {
      place: `${parsed.hostname}:${port}`,
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
