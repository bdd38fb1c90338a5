import type { LookupFunction } from 'node:net'
import { EnvHttpProxyAgent } from 'undici'

/** The TLS of the connections, as in `tls.connect`: PEM texts or bytes. */
export interface TlsOptions {
  /** The authorities that the certificate of the destination is checked with, instead of those of Node.js. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[]
  /** The certificate of the client. */
  readonly cert?: string | Buffer
  /** The private key of the client. */
  readonly key?: string | Buffer
}

export interface AgentOptions {
  readonly connections: number
  /** Resolves the names of direct connections. */
  readonly lookup: LookupFunction
  readonly timeoutMs: number
  readonly tls?: TlsOptions | undefined
}

/**
 * Creates the connections of a destination. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` select a proxy, which resolves names
 * itself; a direct connection resolves and checks its own.
 */
export function createAgent({ connections, lookup, timeoutMs, tls: { ca, cert, key } = {} }: AgentOptions) {
  const tls = {
    allowH2: false,
    ...(ca !== undefined && { ca: typeof ca === 'object' && !Buffer.isBuffer(ca) ? [...ca] : ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
  return new EnvHttpProxyAgent({
    connections,
    // The signal of a request has the timeout. A connection that is not established would delay further requests.
    ...{ headersTimeout: 0, bodyTimeout: 0, connectTimeout: timeoutMs },
    connect: { ...tls, timeout: timeoutMs, lookup },
    requestTls: tls,
  })
}
