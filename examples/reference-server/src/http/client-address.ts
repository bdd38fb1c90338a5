import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { normalizeAddress } from '@sallyport/webhooks'
import proxyAddr from 'proxy-addr'

/** Reports whether the address at a hop is a trusted proxy. */
export type TrustProxy = (address: string, hop: number) => boolean

/** Parses a number of proxies, or a comma-separated list of addresses, ranges and names of ranges; undefined if invalid. */
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

/** The names of ranges in proxy-addr. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Stricter than proxy-addr, which reads `100` and `10/8` as addresses such as 0.0.0.100. */
function isRange(text: string): boolean {
  if (namedRanges.includes(text)) return true
  const [, address = '', size = '0'] = /^([^/]+)(?:\/([^/]+))?$/.exec(text) ?? []
  return isIP(address) !== 0 && (/^[0-9]{1,3}$/.test(size) || (isIPv4(address) && isIPv4(size)))
}

/** Reports whether a proxy on this machine, such as a tunnel, sends client addresses that are not used. */
export function hidesClients(request: IncomingMessage): boolean {
  if (request.headers['x-forwarded-for'] === undefined) return false
  const peer = normalizeAddress(request.socket.remoteAddress ?? '')
  return peer === '::1' || peer.startsWith('127.')
}

/** Returns the client's address: of the socket, or the nearest untrusted address in X-Forwarded-For. */
export function clientAddress(request: IncomingMessage, trust: TrustProxy | undefined): string | undefined {
  const address = trust === undefined ? request.socket.remoteAddress : proxyAddr(request, trust)
  return address === undefined ? undefined : normalizeAddress(address)
}
