import { isIPv6 } from 'node:net'

/** A host and a port as a URL has them: IPv6 addresses stand in brackets. */
export function authorityOf(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}
