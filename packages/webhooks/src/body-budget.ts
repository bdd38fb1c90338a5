import { addChunk } from './body-collector.ts'
import { joinedBytes } from './crypto/bytes.ts'
import { longestTimer } from './options.ts'
import { overloaded, payloadTooLarge } from './refusals.ts'

/** What a gateway takes at most: positive numbers. What is undefined is the default. */
export interface BodyLimits {
  /** The largest body in bytes, for providers that name no limit of their own. @default 1 MiB */
  readonly bodyBytes?: number
  /** Bytes of bodies in memory at once, over all requests. @default 256 MiB */
  readonly bytesInFlight?: number
  /** The same for the requests of one address. @default 64 MiB */
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

/** Bounds the memory that bodies take, whatever the number of connections: gives room for one body of a client. */
export function bodyBudget(
  limits: Required<BodyLimits>,
): (limit: number, client: string | undefined) => OpenSink {
  const byClient = new Map<string, number>()
  let inFlight = 0

  /** @throws SallyportError `OVERLOADED` (503), and counts nothing then */
  function count(bytes: number, client: string | undefined): void {
    if (inFlight + bytes > limits.bytesInFlight) throw overloaded()
    if (client !== undefined) {
      const own = (byClient.get(client) ?? 0) + bytes
      if (own > limits.bytesInFlightPerAddress) throw overloaded()
      // A client without a request in flight takes no memory.
      if (own > 0) byClient.set(client, own)
      else byClient.delete(client)
    }
    inFlight += bytes
  }

  return (limit, client) => {
    const parts: Uint8Array[] = []
    let length = 0
    return {
      // A timer ends a longer wait at once.
      timeoutMs: Math.min(limits.bodyTimeoutMs, longestTimer),
      push(chunk) {
        // Asked so that what is no number, of a provider that nobody has checked, lets nothing in.
        if (!(length + chunk.byteLength <= limit)) throw payloadTooLarge(limit)
        count(chunk.byteLength, client)
        length += chunk.byteLength
        addChunk(parts, chunk)
      },
      bytes: () => joinedBytes(parts),
      release() {
        count(-length, client)
        length = 0
        // Nobody would give back what comes now.
        limit = 0
      },
    }
  }
}
