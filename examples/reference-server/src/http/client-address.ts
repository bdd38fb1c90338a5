import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { normalizeAddress } from '@sallyport/internal/client-address'
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

/**
 * Creates the function that returns the address of a client: of the socket, or the nearest untrusted one in X-Forwarded-For.
 *
 * @param onHidden called when a proxy on this machine, such as a tunnel, sends addresses that are not used
 */
export function createClientAddress(trust: TrustProxy | undefined, onHidden: () => void) {
  return (request: IncomingMessage): string | undefined => {
    const address = trust === undefined ? request.socket.remoteAddress : proxyAddr(request, trust)
    if (address === undefined) return undefined
    const normalized = normalizeAddress(address)
    const isLoopback = normalized === '::1' || normalized.startsWith('127.')
    if (trust === undefined && isLoopback && request.headers['x-forwarded-for'] !== undefined) onHidden()
    return normalized
  }
}
