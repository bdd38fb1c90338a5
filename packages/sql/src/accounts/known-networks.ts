/** The networks from which accounts have logged in. */
export interface KnownNetworks {
  readonly add: (account: string, network: string) => void
  readonly has: (account: string, network: string) => boolean
}

export interface KnownNetworksOptions {
  /** How long a login makes a network known, in milliseconds. @default 30 days */
  readonly ttlMs?: number
  /** The largest number of pairs of an account and a network; the oldest login is forgotten first. @default 100000 */
  readonly maxPairs?: number
  /** A monotonic clock in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** Remembers in this process from which networks accounts have logged in. */
export function createKnownNetworks(options: KnownNetworksOptions = {}): KnownNetworks {
  const { ttlMs = 30 * 24 * 60 * 60 * 1000, maxPairs = 100_000, now = () => performance.now() } = options
  // In the order of the last logins.
  const lastLogins = new Map<string, number>()
  const keyFor = (account: string, network: string) => `${network} ${account}`

  return {
    add(account, network) {
      const key = keyFor(account, network)
      lastLogins.delete(key)
      lastLogins.set(key, now())
      const [oldest] = lastLogins.keys()
      if (lastLogins.size > maxPairs && oldest !== undefined) lastLogins.delete(oldest)
    },
    has(account, network) {
      const lastLogin = lastLogins.get(keyFor(account, network))
      return lastLogin !== undefined && now() - lastLogin < ttlMs
    },
  }
}
