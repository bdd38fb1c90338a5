import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** The IPv4 networks that are not public, from the registry of IANA, and the address of Azure's metadata. */
const reserved = createList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Within the public IPv6 network: protocol assignments with Teredo, documentation, and 6to4.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])
/** The IPv6 network of public addresses. Mapped IPv4 and NAT64 addresses are outside of it. */
const publicIpv6 = createList(['2000::/3'])

export interface NetworkOptions {
  /**
   * Permits addresses that are not public, such as private, loopback and link-local addresses: `true` for all of them, or
   * networks such as `10.0.0.0/8`. A permitted address is also reachable over `http:`; a public address never is.
   *
   * @default false
   */
  readonly allowPrivate?: boolean | readonly string[]
}

/** Reports whether a destination may connect to an address. */
export type IsAllowedAddress = (address: string) => boolean

/**
 * Creates a test for the addresses of a destination.
 *
 * @throws TypeError for a text that is not a network
 */
export function createAddressTest(
  { allowPrivate = false }: NetworkOptions,
  protocol: string,
): IsAllowedAddress {
  const allowed = typeof allowPrivate === 'boolean' ? undefined : createList(allowPrivate)
  return (text) => {
    // A link-local address can have a zone.
    const [address = ''] = text.split('%', 1)
    const family = toFamily(address)
    if (family === undefined) return false
    if (isPublic(address, family)) return protocol === 'https:'
    return allowed?.check(address, family) ?? allowPrivate === true
  }
}

function isPublic(address: string, family: 'ipv4' | 'ipv6'): boolean {
  if (reserved.check(address, family)) return false
  return family === 'ipv4' || publicIpv6.check(address, family)
}

function toFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}

function createList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [, address = '', prefix = ''] = /^([^/]{1,45})\/(\d{1,3})$/.exec(network) ?? []
    const family = toFamily(address)
    if (family === undefined || Number(prefix) > (family === 'ipv4' ? 32 : 128))
      throw new TypeError('A network reads like 10.0.0.0/8 or fd00::/8')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/** The code of a refused address, in errors. */
export const addressRefused = 'ADDRESS_REFUSED'

/**
 * Creates the `lookup` of a connection, which fails if one of the addresses of a name is not allowed. The connection uses the
 * checked addresses, so that a second resolution cannot change them.
 */
export function createLookup(isAllowed: IsAllowedAddress, lookup: typeof resolve = resolve): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '')
        return
      }
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        callback(Object.assign(new Error('The address is not allowed'), { code: addressRefused }), '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/**
 * Checks the host of an address that needs no resolution. Connections to an IP address make no lookup.
 *
 * @throws TypeError for an address that is not allowed; the message does not contain the address
 */
export function checkHost({ hostname }: URL, isAllowed: IsAllowedAddress): void {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  const address = isLocal ? '127.0.0.1' : host
  if (isIP(address) !== 0 && !isAllowed(address))
    throw new TypeError('The address of the destination is not allowed: see network.allowPrivate')
}
