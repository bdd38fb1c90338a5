/** An event of a stream. Without `data`, a browser stores the id and dispatches nothing. */
export interface ServerSentEvent {
  /** The client sends the id of the last event as `Last-Event-ID` when it connects again. */
  readonly id?: string
  /** The type of the event. @default 'message' */
  readonly event?: string
  /** Text of any number of lines. */
  readonly data?: string
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
  if (data !== undefined) lines.push(...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`))
  return `${lines.join('\n')}\n\n`
}

function requireLine(name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new TypeError(`${name} of an event must be one line without NUL`)
  return value
}
