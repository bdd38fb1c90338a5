import { BodyCollector } from './body-collector.ts'
import { overloaded, payloadTooLarge } from './refusals.ts'

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

export const defaultBodyLimits: Required<BodyLimits> = {
  bodyBytes: mebibyte,
  bytesInFlight: 256 * mebibyte,
  bytesInFlightPerAddress: 64 * mebibyte,
  bodyTimeoutMs: 10_000,
}

/** Takes one body while it comes in. */
export interface BodySink {
  /** How long the body may take in all, in milliseconds. */
  readonly timeoutMs: number
  /**
   * Takes the next chunk over; it must not be changed afterwards.
   *
   * @throws SallyportError `PAYLOAD_TOO_LARGE` (413) past the body's limit, `OVERLOADED` (503) past the budget
   * @throws TypeError once the request is answered
   */
  push(chunk: Uint8Array): void
}

/** Bounds the memory that bodies take, whatever the number of connections. */
export class BodyBudget {
  readonly #limits: Required<BodyLimits>
  readonly #byClient = new Map<string, number>()
  #inFlight = 0

  constructor(limits: Required<BodyLimits>) {
    this.#limits = limits
  }

  /** Room for one body; its bytes count until `release`. */
  open(limit: number, client: string | undefined): BodySink & { bytes(): Uint8Array; release(): void } {
    const collector = new BodyCollector()
    let held = 0
    let released = false
    return {
      timeoutMs: this.#limits.bodyTimeoutMs,
      push: (chunk) => {
        // Nobody would give these bytes back.
        if (released) throw new TypeError('The request of this body was answered')
        if (collector.length + chunk.byteLength > limit) throw payloadTooLarge(limit)
        this.#reserve(chunk.byteLength, client)
        held += chunk.byteLength
        collector.push(chunk)
      },
      bytes: () => collector.bytes(),
      release: () => {
        this.#return(held, client)
        held = 0
        released = true
      },
    }
  }

  #reserve(bytes: number, client: string | undefined): void {
    if (this.#inFlight + bytes > this.#limits.bytesInFlight) throw overloaded()
    if (client !== undefined) {
      const own = (this.#byClient.get(client) ?? 0) + bytes
      if (own > this.#limits.bytesInFlightPerAddress) throw overloaded()
      this.#byClient.set(client, own)
    }
    this.#inFlight += bytes
  }

  #return(bytes: number, client: string | undefined): void {
    this.#inFlight -= bytes
    if (client === undefined) return
    const left = (this.#byClient.get(client) ?? 0) - bytes
    // A client without a request in flight takes no memory.
    if (left > 0) this.#byClient.set(client, left)
    else this.#byClient.delete(client)
  }
}
