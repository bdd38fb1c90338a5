import { origin, type Host } from './hosts.ts'

/** An event as a client receives it. */
interface ReceivedItem {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A client of a stream. */
export interface StreamReader {
  readonly response: Response
  /** The id of the last received event, also of events without data. */
  readonly lastId: () => string
  /** Receives items until it has the number; fewer if the stream ends. */
  readonly take: (count: number) => Promise<readonly ReceivedItem[]>
  readonly stop: () => void
}

/** Opens a stream and waits for the id of its start. */
export async function openStream(
  host: Host,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReader> {
  const client = new AbortController()
  const response = await host.fetch(
    new Request(`${origin}/operations${path}`, {
      headers: { authorization: 'Bearer read', accept: 'text/event-stream', ...headers },
      signal: client.signal,
    }),
  )
  const body = response.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>()
  const chunks = body.pipeThrough(new TextDecoderStream()).getReader()
  const items: ReceivedItem[] = []
  let lastId = ''
  let text = ''

  /** Reads one chunk. Returns false at the end. */
  async function receive(): Promise<boolean> {
    const { done, value = '' } = await chunks.read()
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
      lastId = fields.get('id') ?? lastId
      const data = fields.get('data')
      if (data === undefined) continue
      items.push({
        id: lastId,
        event: fields.get('event') ?? 'message',
        data: JSON.parse(data) as object as never,
      })
    }
    return !done
  }

  while (response.ok && lastId === '' && (await receive()));
  return {
    response,
    lastId: () => lastId,
    async take(count) {
      while (items.length < count && (await receive()));
      return items.splice(0, count)
    },
    stop() {
      client.abort()
      chunks.cancel().catch(() => undefined)
    },
  }
}
