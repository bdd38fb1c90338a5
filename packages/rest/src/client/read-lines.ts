import { withDeadline } from '@sallyport/internal/deadline'

/**
 * Reads the lines of a body. A line ends with a line feed, a carriage return or both.
 *
 * @throws DOMException `TimeoutError` when nothing arrives for `silenceMs`
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let line = ''
  let held = ''
  try {
    for (;;) {
      const { done, value } = await withDeadline(silenceMs, reader.read())
      if (done) break
      const text = held + decoder.decode(value, { stream: true })
      // A carriage return at the end may belong to a line feed that follows.
      held = text.endsWith('\r') ? '\r' : ''
      const [first = '', ...others] = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/)
      line += first
      if (others.length === 0) continue
      yield line
      line = others.pop() ?? ''
      yield* others
    }
    if (line !== '' || held !== '') yield line
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** An event of a stream before its data are parsed. */
export interface RawEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string | undefined
  /** The delay before the next connection, in milliseconds. */
  readonly retryMs: number | undefined
}

/**
 * Reads Server-Sent Events. An event that the end of the stream cuts off is left out.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* readServerSentEvents(
  lines: AsyncIterable<string>,
): AsyncGenerator<RawEvent, void, undefined> {
  let fields: Record<string, string> = {}
  for await (const line of lines) {
    if (line === '') {
      const { id, event, data, retry } = fields
      const retryMs = retry !== undefined && /^\d{1,9}$/.test(retry) ? Number(retry) : undefined
      yield { id, event: event ?? 'message', data, retryMs }
      fields = {}
    } else {
      const colon = line.indexOf(':')
      const name = colon === -1 ? line : line.slice(0, colon)
      const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
      const earlier = name === 'data' ? fields['data'] : undefined
      fields[name] = earlier === undefined ? value : `${earlier}\n${value}`
    }
  }
}
