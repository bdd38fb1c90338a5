import type { MaybePromise } from '@sallyport/internal/promises'
import * as z from 'zod'

/** Options of every source. */
export interface SourceOptions {
  /**
   * Returns the token of a request. `isRefused` asks for a new one: the service answered 401 to the last one.
   */
  readonly token: (options: { readonly isRefused: boolean }) => MaybePromise<string>
  /** Names the source to operators. @default the name of the service */
  readonly name?: string
  /** The endpoint that receives the deliveries. @default the address without an endpoint */
  readonly endpoint?: string | undefined
  /** Another address of the API, such as that of a server of your own. */
  readonly baseUrl?: string
  /** @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** The pages of a list that one run reads, or one part of it. */
export const mostPages = 1000

/** An id of 64 bits. */
export const numericId = z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,19}$/)]).transform(String)

const textEncoder = new TextEncoder()

export const toBody = (event: unknown): Uint8Array => textEncoder.encode(JSON.stringify(event))

/** An event of this age should have been delivered. */
export const settledMs = 60_000

/** The longest part of a window that is read before the position of a run is stored, in milliseconds. */
const partMs = 3_600_000

/** Divides a window into parts, oldest first. */
export function* divide(
  since: number,
  until: number,
): Iterable<{ readonly from: number; readonly to: number }> {
  for (let from = since; from < until; from += partMs) yield { from, to: Math.min(from + partMs, until) }
}
