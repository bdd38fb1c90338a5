/**
 * Normalizes an address for counters and logs: removes the port and brackets that some proxies add, and writes an
 * IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) as IPv4.
 */
export function normalizeAddress(address: string): string {
  if (ipv4.test(address)) return address
  return address
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}

const ipv4 = /^[\d.]+$/

/**
 * Returns the network that limits count a client by: an IPv4 address, or the /64 of an IPv6 address, since one host can
 * use all addresses of a /64.
 */
export function getClientNetwork(address: string): string {
  const normalized = normalizeAddress(address)
  if (!normalized.includes(':')) return normalized
  const withoutZone = (normalized.split('%', 1)[0] as string).toLowerCase()
  const [head = [], tail = []] = withoutZone
    .split('::', 2)
    .map((part) => part.split(':').filter((group) => group !== ''))
  // An IPv4 address at the end has the length of two groups.
  const zeros = 8 - head.length - tail.length - (withoutZone.includes('.') ? 1 : 0)
  const groups = [...head, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tail].slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
