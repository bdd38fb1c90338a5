import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { normalizeAddress } from '@sallyport/webhooks'
import proxyAddr from 'proxy-addr'

/** Whether the address that is so many hops away is a proxy whose word counts. */
export type TrustProxy = (address: string, hop: number) => boolean

/** Reads a number of proxies, or a comma-separated list of addresses and ranges, some of which have names; undefined when it is neither. */
export function compileTrust(text: string): TrustProxy | undefined {
  const trimmed = text.trim()
  if (/^[0-9]{1,2}$/.test(trimmed)) return (_, hop) => hop < Number(trimmed)
  const ranges = trimmed.split(',').map((range) => range.trim())
  if (!ranges.every(isRange)) return undefined
  try {
    return proxyAddr.compile(ranges)
  } catch {
    return undefined
  }
}

/** Names that the parser below has for ranges. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Written out: the parser below takes `100` and `10/8` for addresses such as 0.0.0.100. */
function isRange(text: string): boolean {
  if (namedRanges.includes(text)) return true
  const [, address = '', size = '0'] = /^([^/]+)(?:\/([^/]+))?$/.exec(text) ?? []
  return isIP(address) !== 0 && (/^[0-9]{1,3}$/.test(size) || (isIPv4(address) && isIPv4(size)))
}

/** Whether a proxy on this machine, such as a tunnel's agent, tells of clients that nobody listens to. */
export function hidesClients(request: IncomingMessage): boolean {
  if (request.headers['x-forwarded-for'] === undefined) return false
  const peer = normalizeAddress(request.socket.remoteAddress ?? '')
  return peer === '::1' || peer.startsWith('127.')
}

/** The client's address: the socket's, or the nearest one in X-Forwarded-For that no trusted proxy owns. */
export function clientAddress(request: IncomingMessage, trust: TrustProxy | undefined): string | undefined {
  const address = trust === undefined ? request.socket.remoteAddress : proxyAddr(request, trust)
  return address === undefined ? undefined : normalizeAddress(address)
}
