// Declarations of its own, because published types cannot refer to a private package.
import * as shared from '@sallyport/internal/client-address'

/**
 * Normalizes an address for counters and logs: removes the port and brackets that some proxies add, and writes an
 * IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) as IPv4.
 */
export const normalizeAddress: (address: string) => string = shared.normalizeAddress

/**
 * Returns the network that limits count a client by: an IPv4 address, or the /64 of an IPv6 address, since one host can
 * use all addresses of a /64.
 */
export const getClientNetwork: (address: string) => string = shared.getClientNetwork
