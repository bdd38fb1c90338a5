/** A request as a service sends it. */
export interface Sent {
  /** @default 'POST' */
  readonly method?: string
  /** With its query. @default the doorbell's, '/webhooks/doorbell' */
  readonly path?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** In chunks where it takes its time. */
  readonly body?: Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array<ArrayBuffer>>
  /** What Content-Length says when it is more than the body; the rest is never sent. */
  readonly announcedLength?: number
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Send = (sent: Sent) => Promise<Received>

/** Something that stands in front of a gateway and takes requests for it. */
export interface Host {
  readonly send: Send
  readonly close: () => Promise<void>
}

export const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
