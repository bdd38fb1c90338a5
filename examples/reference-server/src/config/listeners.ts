import { isIPv4 } from 'node:net'
import { normalizeAddress } from '@sallyport/webhooks'
import type { Settings } from './settings.ts'

type Listeners = Pick<Settings, 'PORT' | 'HOST' | 'METRICS_PORT' | 'METRICS_HOST'>

/** What is wrong with the two places that are listened on, taken together: the second would find the first's. */
export function listenerProblems({ PORT, HOST, METRICS_PORT, METRICS_HOST }: Listeners): readonly string[] {
  // Of 0 the system makes another each time.
  if (PORT === 0 || PORT !== METRICS_PORT || !overlap(HOST, METRICS_HOST)) return []
  return ['METRICS_PORT has to be another than PORT, or METRICS_HOST an address that HOST does not cover']
}

function overlap(one: string, other: string): boolean {
  return addressesOf(one).some((first) =>
    addressesOf(other).some((second) => first === second || covers(first, second) || covers(second, first)),
  )
}

/** Which of the two `localhost` is, the system decides as it listens. */
function addressesOf(host: string): readonly string[] {
  const address = normalizeAddress(host.toLowerCase())
  return address === 'localhost' ? [address, '127.0.0.1', '::1'] : [address]
}

/** `::` is every address, and `0.0.0.0` every one of IPv4. */
const covers = (host: string, other: string): boolean =>
  host === '::' || (host === '0.0.0.0' && isIPv4(other))
