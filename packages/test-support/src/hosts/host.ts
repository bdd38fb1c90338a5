/** A request of a service. */
export interface Sent {
  /** @default 'POST' */
  readonly method?: string
  /** Path with query. @default '/webhooks/doorbell' */
  readonly path?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** The body; an async iterable sends it in chunks. */
  readonly body?: Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array<ArrayBuffer>>
  /** A Content-Length that is larger than the body. The rest is never sent. */
  readonly announcedLength?: number
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Send = (sent: Sent) => Promise<Received>

/** A server or handler that passes requests to a gateway. */
export interface Host {
  readonly send: Send
  readonly close: () => Promise<void>
}

export const toBytes = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
