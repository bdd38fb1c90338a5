import { maxTimerMs } from '@sallyport/internal/deadline'
import { checkPositive } from '@sallyport/internal/options'
import { joinBytes } from '../crypto/encoding.ts'
import { overloaded, payloadTooLarge } from '../ports/refusals.ts'

/** The limits of a gateway for bodies: positive numbers. */
export interface BodyLimits {
  /** The largest body in bytes, for providers without `bodyLimit`. @default 1 MiB */
  readonly bodyBytes?: number
  /**
   * The bytes of bodies in memory, over all requests. Set at least four times the largest body: while other addresses hold
   * bytes, a body of more than about 29 % of this limit is answered 503.
   *
   * @default 256 MiB
   */
  readonly bytesInFlight?: number
  /**
   * The bytes of bodies in memory for the requests of one address. While other addresses hold bytes, the limit is lower:
   * at most the free bytes, and less when the /24 (IPv6: /48) of the address holds many bytes.
   *
   * @default 64 MiB
   */
  readonly bytesInFlightPerAddress?: number
  /** The time limit for sending a body, in milliseconds. @default 10,000 */
  readonly bodyTimeoutMs?: number
}

const mebibyte = 1024 * 1024

/**
 * Checks the limits and adds the defaults.
 *
 * @throws TypeError for a limit that is not positive and finite
 */
export function checkBodyLimits({
  bodyBytes = mebibyte,
  bytesInFlight = 256 * mebibyte,
  bytesInFlightPerAddress = 64 * mebibyte,
  bodyTimeoutMs = 10_000,
}: BodyLimits = {}): Required<BodyLimits> {
  const limits = { bodyBytes, bytesInFlight, bytesInFlightPerAddress, bodyTimeoutMs }
  for (const [name, value] of Object.entries(limits)) checkPositive(`limits.${name}`, value)
  return limits
}

/** Receives the chunks of one body. */
export interface BodySink {
  /** The time limit for the whole body, in milliseconds. */
  readonly timeoutMs: number
  /**
   * Adds the next chunk. The caller must not change the chunk afterwards.
   *
   * @throws SallyportError `PAYLOAD_TOO_LARGE` (413) over the limit of the body and after the response, `OVERLOADED` (503)
   * over the memory budget
   */
  push(chunk: Uint8Array): void
}

/** A sink whose bytes count against the budget until `release`. */
export interface OpenSink extends BodySink {
  readonly bytes: () => Uint8Array
  readonly release: () => void
}

/**
 * Limits the memory of all bodies and shares it between addresses. While other addresses hold bytes, an address may hold
 * as many bytes as are free, multiplied by `1 - 2 × (bytes of its /24 or /48) / budget`. A few addresses with large bodies
 * then leave memory for the deliveries of all others. A body without an address counts as a separate address.
 */
export function createBodyBudget(
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
    function checkBudget(bytes: number): void {
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
      timeoutMs: Math.min(limits.bodyTimeoutMs, maxTimerMs),
      push(chunk) {
        // The negation rejects every chunk when an unchecked provider has a limit of NaN.
        if (!(length + chunk.byteLength <= limit)) throw payloadTooLarge(limit)
        checkBudget(chunk.byteLength)
        count(chunk.byteLength)
        addChunk(parts, chunk)
      },
      bytes: () => joinBytes(parts),
      release() {
        count(-length)
        // Rejects later chunks, which would count without a release.
        limit = 0
      },
    }
  }
}

/** Adds to a sum, and deletes a sum of zero to free its memory. */
function addTo(sums: Map<string, number>, key: string | undefined, bytes: number): void {
  if (key === undefined) return
  const sum = (sums.get(key) ?? 0) + bytes
  if (sum > 0) sums.set(key, sum)
  else sums.delete(key)
}

/** The overhead of a smaller array would be larger than its bytes. */
const minPartBytes = 1024
const maxJoinedBytes = 64 * 1024

/** Adds a chunk to the parts of a body. The parts take about the memory of their bytes for any chunk size. */
export function addChunk(parts: Uint8Array[], chunk: Uint8Array): void {
  let part = chunk
  if (chunk.byteLength < minPartBytes) {
    // A small chunk may be a view of a large buffer that the host reuses.
    part = new Uint8Array(chunk)
    // Joining with smaller parts keeps the number of parts low, even for a body of single bytes.
    for (let last; (last = parts.at(-1)) && last.length <= part.length && part.length < maxJoinedBytes;) {
      parts.pop()
      part = joinBytes([last, part])
    }
  }
  parts.push(part)
}

/** Returns the /24 of an IPv4 address, or the /48 of an IPv6 network of `getClientNetwork`. */
export const widenNetwork = (network: string): string => network.replace(/[.:][^.:]+(?:::\/64)?$/, '')
