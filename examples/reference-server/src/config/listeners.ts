import { isIPv4 } from 'node:net'
import { normalizeAddress } from '@sallyport/webhooks'
import type { Settings } from './settings.ts'

type Listeners = Pick<Settings, 'PORT' | 'HOST' | 'METRICS_PORT' | 'METRICS_HOST'>

/** Reports that the server and the metrics would listen on the same address and port. */
export function listenerProblems({ PORT, HOST, METRICS_PORT, METRICS_HOST }: Listeners): readonly string[] {
  // With port 0, the system selects different ports.
  if (PORT === 0 || PORT !== METRICS_PORT || !overlap(HOST, METRICS_HOST)) return []
  return [
    'METRICS_PORT has to differ from PORT, or METRICS_HOST has to be an address that HOST does not include',
  ]
}

function overlap(one: string, other: string): boolean {
  return addressesOf(one).some((first) =>
    addressesOf(other).some((second) => first === second || covers(first, second) || covers(second, first)),
  )
}

/** Lists the addresses of a host; the system resolves `localhost` to either of two. */
function addressesOf(host: string): readonly string[] {
  const address = normalizeAddress(host.toLowerCase())
  return address === 'localhost' ? [address, '127.0.0.1', '::1'] : [address]
}

/** `::` includes every address, and `0.0.0.0` every IPv4 address. */
const covers = (host: string, other: string): boolean =>
  host === '::' || (host === '0.0.0.0' && isIPv4(other))
