/** An event of a stream. */
export interface ServerSentEvent<Data = unknown> {
  /** The client sends the id of the last event as `Last-Event-ID` when it connects again. */
  readonly id?: string
  /** The type of the event. @default 'message' */
  readonly event?: string
  /** A value that is sent as JSON. Without it, a client stores the id and dispatches nothing. */
  readonly data?: Data
  /** The time that the client waits before it connects again, in milliseconds. */
  readonly retry?: number
}

/**
 * Formats an event for the media type `text/event-stream`.
 *
 * @throws TypeError for a line break in `id` or `event`, or NUL in `id`: the client would read other fields
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function formatServerSentEvent({ id, event, data, retry }: ServerSentEvent): string {
  const lines: string[] = []
  if (retry !== undefined) lines.push(`retry: ${Math.trunc(retry)}`)
  if (id !== undefined) lines.push(`id: ${requireLine('id', id)}`)
  if (event !== undefined) lines.push(`event: ${requireLine('event', event)}`)
  // JSON has no line breaks.
  if (data !== undefined) lines.push(`data: ${JSON.stringify(data)}`)
  return `${lines.join('\n')}\n\n`
}

/** Formats an event as a JSON line, which holds the data only. */
export function formatJsonLine({ data }: ServerSentEvent): string {
  return data === undefined ? '' : `${JSON.stringify(data)}\n`
}

function requireLine(name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new TypeError(`${name} of an event must be one line without NUL`)
  return value
}
