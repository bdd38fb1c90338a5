/**
 * An address as it is counted and logged: without a port or brackets, which some proxies add, and IPv4 where IPv6 stands
 * for it, as on a dual-stack socket (`::ffff:192.0.2.1`), however that is written.
 */
export function plainAddress(address: string): string {
  if (isPlain.test(address)) return address
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  const mapped = hostOf(bare)?.match(/^.::ffff:(\w+):(\w+).$/)
  // A number is the host that it is the IPv4 address of.
  return mapped ? new URL(`http://0x${mapped[1]}${(mapped[2] as string).padStart(4, '0')}`).hostname : bare
}

/** IPv4 as almost every proxy and socket tells it. */
const isPlain = /^[\d.]+$/

/**
 * What one client is counted by: an IPv4 address, or the /64 of an IPv6 address, since a single host commands that
 * many addresses.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  const groups = hostOf(plain)?.match(/\w+|::/g)
  if (!groups) return plain
  const all = groups.join().replace('::', '0,'.repeat(8 - groups.length) + '0')
  return `${all.split(',', 4).join(':')}::/64`
}

/** An IPv6 address in brackets, the same one for all of its spellings; without a zone. */
const hostOf = (address: string) => URL.parse(`http://[${address.replace(/%.*/, '')}]`)?.hostname
