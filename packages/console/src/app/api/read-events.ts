/** A block of fields of a stream. Without `data`, it has only a position. */
export interface StreamEvent {
  /** The position after the event. */
  readonly id?: string
  readonly event?: string
  readonly data?: string
}

/** The API sends one item per event, far below this number of characters. */
const maxLength = 1_000_000

/**
 * Reads Server-Sent Events, whose lines end with a line feed as in the API. Unlike `EventSource`, it yields the positions
 * without data, too.
 *
 * @throws RangeError for an event of more than a million characters
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > maxLength) throw new RangeError('An event of the stream is too long')
      for (const block of blocks) yield parseEvent(block)
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function parseEvent(block: string): StreamEvent {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    const earlier = name === 'data' ? fields[name] : undefined
    fields[name] = earlier === undefined ? value : `${earlier}\n${value}`
  }
  return fields
}
