/**
 * An address as it is counted and logged: without a port or brackets, which some proxies add, and IPv4 where a
 * dual-stack socket shows it as IPv6 (`::ffff:192.0.2.1`).
 */
export function plainAddress(address: string): string {
  if (isPlain.test(address)) return address
  return address
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}

/** IPv4 as almost every proxy and socket tells it. */
const isPlain = /^[\d.]+$/

/**
 * What one client is counted by: an IPv4 address, or the /64 of an IPv6 address, since a single host commands that
 * many addresses.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (!plain.includes(':')) return plain
  const bare = (plain.split('%', 1)[0] as string).toLowerCase()
  const [head = [], tail = []] = bare
    .split('::', 2)
    .map((part) => part.split(':').filter((group) => group !== ''))
  // An IPv4 address at the end stands for two groups.
  const zeros = 8 - head.length - tail.length - (bare.includes('.') ? 1 : 0)
  const groups = [...head, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tail].slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

/** The /24 of an IPv4 address, or the /48 of an IPv6 network, as {@link networkOf} writes them. */
export const widenNetwork = (network: string): string => network.replace(/[.:][^.:]+(?:::\/64)?$/, '')
