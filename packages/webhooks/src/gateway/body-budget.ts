import { widenNetwork } from './address.ts'
import { addChunk } from './body-collector.ts'
import { joinedBytes } from '../crypto/bytes.ts'
import { longestTimer } from '../internal/options.ts'
import { overloaded, payloadTooLarge } from './refusals.ts'

/** What a gateway takes at most: positive numbers. What is undefined is the default. */
export interface BodyLimits {
  /** The largest body in bytes, for providers that name no limit of their own. @default 1 MiB */
  readonly bodyBytes?: number
  /** Bytes of bodies in memory at once, over all requests. @default 256 MiB */
  readonly bytesInFlight?: number
  /**
   * The same for the requests of one address. While other addresses hold bytes, an address may hold fewer: at most as many
   * as are free, and less the more its /24 (IPv6: /48) holds.
   *
   * @default 64 MiB
   */
  readonly bytesInFlightPerAddress?: number
  /** How long a sender may take to send a body, in milliseconds. @default 10,000 */
  readonly bodyTimeoutMs?: number
}

const mebibyte = 1024 * 1024

/**
 * The limits that are given, and the defaults of those that are not.
 *
 * @throws TypeError when one of them would not limit anything
 */
export function bodyLimits({
  bodyBytes = mebibyte,
  bytesInFlight = 256 * mebibyte,
  bytesInFlightPerAddress = 64 * mebibyte,
  bodyTimeoutMs = 10_000,
}: BodyLimits = {}): Required<BodyLimits> {
  const limits = { bodyBytes, bytesInFlight, bytesInFlightPerAddress, bodyTimeoutMs }
  for (const [name, value] of Object.entries(limits)) refuseUnlimited(`limits.${name}`, value)
  return limits
}

/**
 * Refuses what limits nothing: `NaN`, say, which no number of bytes is larger than. In few words, of which every worker
 * bundles each.
 *
 * @throws TypeError
 */
export function refuseUnlimited(name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0)) throw new TypeError(`${name} must be positive and finite`)
}

/** Takes one body while it comes in. */
export interface BodySink {
  /** How long the body may take in all, in milliseconds. */
  readonly timeoutMs: number
  /**
   * Takes the next chunk over; it must not be changed afterwards.
   *
   * @throws SallyportError `PAYLOAD_TOO_LARGE` (413) past the body's limit and once the request is answered, `OVERLOADED`
   * (503) past the budget
   */
  push(chunk: Uint8Array): void
}

/** A sink whose bytes count until `release`. */
export interface OpenSink extends BodySink {
  readonly bytes: () => Uint8Array
  readonly release: () => void
}

/**
 * Bounds the memory of all bodies, and shares it. While other addresses hold bytes, an address may hold as many bytes as
 * are free, less the part that its /24 or /48 holds of half of the budget. A few addresses with large bodies then leave
 * room for the deliveries of all others. A body without an address counts as an address by itself.
 */
export function bodyBudget(
  limits: Required<BodyLimits>,
): (limit: number, client: string | undefined) => OpenSink {
  const byClient = new Map<string, number>()
  const byNetwork = new Map<string, number>()
  let inFlight = 0

  return (limit, client) => {
    const network = client === undefined ? undefined : widenNetwork(client)
    const parts: Uint8Array[] = []
    let length = 0

    /** @throws SallyportError `OVERLOADED` (503) */
    function refuseExcess(bytes: number): void {
      const own = bytes + (client === undefined ? length : (byClient.get(client) ?? 0))
      const near = bytes + (network === undefined ? length : (byNetwork.get(network) ?? 0))
      const used = bytes + inFlight
      const free = limits.bytesInFlight - used
      if (free < 0) throw overloaded()
      if (client !== undefined && own > limits.bytesInFlightPerAddress) throw overloaded()
      const isContended = used > own
      if (isContended && own > free * (1 - (2 * near) / limits.bytesInFlight)) throw overloaded()
    }

    function count(bytes: number): void {
      inFlight += bytes
      length += bytes
      addTo(byClient, client, bytes)
      addTo(byNetwork, network, bytes)
    }

    return {
      // A timer ends a longer wait at once.
      timeoutMs: Math.min(limits.bodyTimeoutMs, longestTimer),
      push(chunk) {
        // Written so that a limit that is not a number, of an unchecked provider, rejects every chunk.
        if (!(length + chunk.byteLength <= limit)) throw payloadTooLarge(limit)
        refuseExcess(chunk.byteLength)
        count(chunk.byteLength)
        addChunk(parts, chunk)
      },
      bytes: () => joinedBytes(parts),
      release() {
        count(-length)
        // Bytes that arrive after the release would count forever.
        limit = 0
      },
    }
  }
}

/** Adds to a sum. A sum of zero takes no memory. */
function addTo(sums: Map<string, number>, key: string | undefined, bytes: number): void {
  if (key === undefined) return
  const sum = (sums.get(key) ?? 0) + bytes
  if (sum > 0) sums.set(key, sum)
  else sums.delete(key)
}
