declare const data: unique symbol

/** How the events of a stream are written: as Server-Sent Events or as JSON lines. */
export type EventStreamFormat = 'events' | 'lines'

export interface EventStreamEncoding {
  readonly format: EventStreamFormat
  /** Checks the data of an event, and returns the data to send. @default the data as they are */
  readonly check?: (data: unknown) => Promise<unknown>
  /** Called with the error that breaks the stream. */
  readonly onError?: (error: unknown) => void
}

/** The body of a stream of events, which the API encodes as the route declares. */
export interface EventStreamBody<Data> {
  readonly encode: (encoding: EventStreamEncoding) => ReadableStream<Uint8Array>
  readonly [data]?: Data
}
