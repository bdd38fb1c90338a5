import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { z } from 'zod'
import { createApi } from '../api/api.ts'
import { answerEventStream } from '../event-stream/answer-event-stream.ts'
import { createFetchHandler } from '../fetch/index.ts'
import { createRouteGroup } from '../route-group.ts'
import { ClientError } from './client-error.ts'
import { createClient, type ClientOptions } from './client.ts'
import { readLines, readServerSentEvents } from './read-lines.ts'
import { wait } from './retry.ts'

const Order = z.object({ id: z.number(), at: z.date() })
const at = new Date(0)
const headers = { 'Last-Event-ID': z.coerce.number().int().default(0) }
const route = createRouteGroup({ access: 'public', rateLimit: false })

/** The server ends each connection after two events. */
const api = createApi({
  routes: [
    route.get(
      '/orders/events',
      { operationId: 'watchOrders', headers, responses: { 200: { events: Order }, 204: {} } },
      ({ headers: { 'Last-Event-ID': last } }, context) => {
        if (last >= 6) return { status: 204 }
        return answerEventStream(context, {
          async *events() {
            yield { retry: 20 }
            for (const id of [last + 1, last + 2]) {
              yield { id: String(id), event: 'order', data: { id, at: await Promise.resolve(at) } }
            }
          },
        })
      },
    ),
    route.get(
      '/orders',
      { operationId: 'exportOrders', responses: { 200: { lines: Order } } },
      (_, context) =>
        answerEventStream(context, {
          async *events() {
            for (const id of [1, 2]) yield { data: { id, at: await Promise.resolve(at) } }
          },
        }),
    ),
    route.get('/names', { operationId: 'listNames', data: z.string() }, () => 'x'),
  ],
})

function open(options: Partial<ClientOptions> = {}) {
  const sleep = vi.fn(() => Promise.resolve())
  const fetch = createFetchHandler(api)
  const given = { baseUrl: 'https://a.test', fetch, sleep, random: () => 0, ...options }
  return { client: createClient<typeof api>(given), sleep }
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of source) found.push(one)
  return found
}

const sse = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })

describe('stream', () => {
  it('reads events, and continues after the last one until the server answers 204', async () => {
    const { client, sleep } = open()
    const events = await collect(client.stream('/orders/events'))
    expect(events.map(({ data }) => data.id)).toEqual([1, 2, 3, 4, 5, 6])
    expect(events[0]).toEqual({ id: '1', event: 'order', data: { id: 1, at: at.toISOString() } })
    expectTypeOf(events[0]!.data).toEqualTypeOf<{ id: number; at: string }>()
    expect(sleep.mock.calls).toEqual([
      [20, undefined],
      [20, undefined],
      [20, undefined],
    ])
  })

  it('waits as long as a busy server says, with jitter', async () => {
    const answers = [
      sse('id: 5\ndata: {"id":5,"at":""}\n\n'),
      Response.json(
        { error: { code: 'RATE_LIMITED', message: 'Later' } },
        { status: 429, headers: { 'retry-after': '60' } },
      ),
      new Response(null, { status: 204 }),
    ]
    const fetch = () => Promise.resolve(answers.shift() ?? Response.error())
    const { client, sleep } = open({ fetch, random: () => 0.5 })
    expect(await collect(client.stream('/orders/events'))).toHaveLength(1)
    expect(sleep.mock.calls.map(([delay]: readonly unknown[]) => delay)).toEqual([1250, 75_000])
  })

  // Node.js fires a timer of more than 24 days at once.
  it('waits for an hour at least when the server asks for years', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const ended = vi.fn()
      void wait(999_999_999_000).then(ended)
      await vi.advanceTimersByTimeAsync(3_600_000)
      expect(ended).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })

  it('starts after the event of a given id', async () => {
    const { client } = open()
    const stream = client.stream('/orders/events', { headers: { 'Last-Event-ID': '4' } })
    expect((await collect(stream)).map(({ id }) => id)).toEqual(['5', '6'])
  })

  it('reads JSON lines to their end', async () => {
    const { client, sleep } = open()
    const lines = await collect(client.stream('/orders'))
    expect(lines.map(({ data }) => data.id)).toEqual([1, 2])
    expect(sleep).not.toHaveBeenCalled()
  })

  it('reads only the paths of streams', () => {
    const { client } = open()
    // @ts-expect-error not a stream
    expect(() => client.stream('/names')).not.toThrow()
  })

  it('connects again after a failure of the server, with a growing delay', async () => {
    const handle = createFetchHandler(api)
    let requests = 0
    const { client, sleep } = open({
      attempts: 1,
      fetch: (request) => {
        requests++
        return requests === 2 || requests === 3
          ? Promise.resolve(new Response('<html>', { status: 502 }))
          : handle(request)
      },
    })
    expect((await collect(client.stream('/orders/events'))).map(({ id }) => id)).toHaveLength(6)
    expect(sleep.mock.calls.map(([ms]: readonly unknown[]) => ms)).toEqual([20, 40, 80, 20, 20])
  })

  it('throws when the first connection fails, and for a later answer that is not temporary', async () => {
    const down = open({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
    await expect(collect(down.client.stream('/orders/events'))).rejects.toMatchObject({
      failure: { code: 'NETWORK_ERROR' },
    })
    let requests = 0
    const { client } = open({
      fetch: () =>
        Promise.resolve(
          ++requests === 1
            ? sse('id: 1\ndata: 1\n\n')
            : Response.json({ error: { code: 'FORBIDDEN', message: 'No' } }, { status: 403 }),
        ),
    })
    await expect(collect(client.stream('/orders/events'))).rejects.toMatchObject({
      failure: { code: 'FORBIDDEN' },
    })
  })

  it('throws for data that are not JSON', async () => {
    const { client } = open({ fetch: () => Promise.resolve(sse('data: {\n\n')) })
    const reading = collect(client.stream('/orders/events'))
    await expect(reading).rejects.toBeInstanceOf(ClientError)
    await expect(reading).rejects.toMatchObject({ failure: { code: 'UNREADABLE_RESPONSE' } })
  })

  it('connects again when the stream is silent, and closes the connection when the loop ends', async () => {
    const canceled = vi.fn()
    const silent = () => {
      const body = new ReadableStream<Uint8Array>({ cancel: canceled })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    let requests = 0
    const { client } = open({
      silenceMs: 5,
      fetch: () => Promise.resolve(++requests === 1 ? silent() : sse('data: {"id":1}\n\n')),
    })
    for await (const { data } of client.stream('/orders/events')) {
      expect(data.id).toBe(1)
      break
    }
    expect(canceled).toHaveBeenCalledOnce()
    expect(requests).toBe(2)
  })

  it('rejects with the reason of an aborted signal', async () => {
    const controller = new AbortController()
    const { client } = open({
      sleep: () => {
        controller.abort(new Error('left'))
        return Promise.reject(controller.signal.reason as Error)
      },
    })
    const stream = client.stream('/orders/events', { signal: controller.signal })
    await expect(collect(stream)).rejects.toThrow('left')
  })
})

describe('readServerSentEvents', () => {
  const read = async (...chunks: readonly string[]) => {
    const body = ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)))
    const events = await collect(readServerSentEvents(readLines(body as ReadableStream<Uint8Array>, 1000)))
    return events.map(({ id, event, data, retryMs }) => [id, event, data, retryMs])
  }

  it('joins lines and chunks, and skips comments', async () => {
    expect(
      await read('\uFEFFid: 1\r', '\nda', 'ta: a\rdata:  b\n\n: x\n\nretry: 5\nevent: e\ndata\n\n'),
    ).toEqual([
      ['1', 'message', 'a\n b', undefined],
      [undefined, 'message', undefined, undefined],
      [undefined, 'e', '', 5],
    ])
  })

  it('leaves out an event that the end cuts off', async () => {
    expect(await read('data: a\n\ndata: b\n')).toEqual([[undefined, 'message', 'a', undefined]])
  })

  it('keeps the line separators of Unicode', async () => {
    expect(await read('data: a\u2028b\n\n')).toEqual([[undefined, 'message', 'a\u2028b', undefined]])
  })

  it('reads the same lines wherever the chunks end', async () => {
    const bytes = new TextEncoder().encode('a\r\n\r\né\r\rb\n\n\rc\r')
    const expected = ['a', '', 'é', '', 'b', '', '', 'c']
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const ends = [0, first, second, bytes.length]
        const chunks = ends.slice(1).map((end, index) => bytes.slice(ends[index], end))
        expect(await collect(readLines(ReadableStream.from(chunks), 1000))).toEqual(expected)
      }
    }
  })

  // Regression: each chunk searched the whole line again, which took seconds.
  it('takes time in proportion to the length of a line', async () => {
    const chunks = Array.from({ length: 640 }, () => new Uint8Array(16_384).fill(120))
    const startedAt = performance.now()
    const [line = ''] = await collect(readLines(ReadableStream.from(chunks), 1000))
    expect(line).toHaveLength(640 * 16_384)
    expect(performance.now() - startedAt).toBeLessThan(1500)
  })
})
