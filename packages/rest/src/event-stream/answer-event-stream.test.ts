import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createApi } from '../api/api.ts'
import { checkRoute } from '../check-route.ts'
import { createFetchHandler } from '../fetch/index.ts'
import { createRouteGroup } from '../route-group.ts'
import { answerEventStream, type EventStream } from './answer-event-stream.ts'
import type { EventStreamEncoding } from './event-stream-body.ts'
import { formatServerSentEvent } from './server-sent-event.ts'

const group = createRouteGroup()

afterEach(() => {
  vi.useRealTimers()
})

/** A client that disconnects when `abort` is called. */
function createContext(isStillAllowed: () => Promise<boolean> = () => Promise.resolve(true)) {
  const client = new AbortController()
  return {
    signal: client.signal,
    isStillAllowed,
    abort() {
      client.abort()
    },
  }
}

const open = (
  stream: EventStream<unknown>,
  context = createContext(),
  encoding: EventStreamEncoding = { format: 'events' },
) => {
  const { body } = answerEventStream(context, stream)
  const reader = body.encode(encoding).pipeThrough(new TextDecoderStream()).getReader()
  return { context, reader, read: async () => (await reader.read()).value }
}

async function* waitForEnd(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error)
    })
  })
}

it('formats the fields of an event', () => {
  expect(formatServerSentEvent({ id: '7', event: 'delivery', data: 'a\nb', retry: 2000 })).toBe(
    'retry: 2000\nid: 7\nevent: delivery\ndata: "a\\nb"\n\n',
  )
  expect(formatServerSentEvent({ id: '8' })).toBe('id: 8\n\n')
})

it.each([{ id: 'a\nb' }, { id: 'a\0' }, { event: 'a\rb' }])('rejects %j, which is not one line', (event) => {
  expect(() => formatServerSentEvent(event)).toThrow('must be one line')
})

it('requests an event only when the client reads', async () => {
  let requested = 0
  const { read } = open({
    async *events() {
      for (;;) yield { data: ++requested }
    },
  })
  expect(await read()).toBe('data: 1\n\n')
  await sleep(20)
  // TextDecoderStream holds one chunk.
  expect(requested).toBeLessThanOrEqual(3)
})

it('sends a comment while no event occurs', async () => {
  const { read, reader } = open({ events: waitForEnd, heartbeatMs: 5 })
  expect(await read()).toBe(': heartbeat\n\n')
  expect(await read()).toBe(': heartbeat\n\n')
  await reader.cancel()
})

it('keeps the event that occurs after a comment', async () => {
  const { read } = open({
    async *events() {
      await sleep(30)
      yield { data: 'late' }
    },
    heartbeatMs: 10,
  })
  let received = await read()
  while (received === ': heartbeat\n\n') received = await read()
  expect(received).toBe('data: "late"\n\n')
})

it('ends the source when the client cancels', async () => {
  const onEnd = vi.fn()
  let signal: AbortSignal | undefined
  const { reader, read } = open({
    async *events(given) {
      signal = given
      yield { data: 'first' }
      yield* waitForEnd(given)
    },
    onEnd,
  })
  await read()
  await reader.cancel()
  expect(signal?.aborted).toBe(true)
  expect(onEnd).toHaveBeenCalledOnce()
})

it.each(['client', 'server'] as const)('ends the stream when the %s stops', async (side) => {
  const onEnd = vi.fn()
  const server = new AbortController()
  const { context, read } = open({ events: waitForEnd, signal: server.signal, onEnd })
  const received = read()
  if (side === 'client') context.abort()
  else server.abort()
  expect(await received).toBe(undefined)
  expect(onEnd).toHaveBeenCalledOnce()
})

it('ends a stream that nothing reads when the server stops', () => {
  const onEnd = vi.fn()
  const server = new AbortController()
  answerEventStream(createContext(), { events: waitForEnd, signal: server.signal, onEnd })
  server.abort()
  expect(onEnd).toHaveBeenCalledOnce()
})

it('ends the stream once the caller has no access', async () => {
  let isAllowed = true
  let checks = 0
  const context = createContext(() => {
    checks++
    return Promise.resolve(isAllowed)
  })
  const { read } = open({ events: waitForEnd, heartbeatMs: 5, checkMs: 10 }, context)
  while (checks < 2) expect(await read()).toBe(': heartbeat\n\n')
  isAllowed = false
  let received = await read()
  while (received !== undefined) received = await read()
  expect(isAllowed).toBe(false)
})

// Regression: the access was checked each minute, and only after an event or a comment.
it('ends a silent stream five seconds after the end of the access', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const onEnd = vi.fn()
  const { read } = open(
    { events: waitForEnd, onEnd },
    createContext(() => Promise.resolve(false)),
  )
  const received = read()
  await vi.advanceTimersByTimeAsync(4999)
  expect(onEnd).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await received).toBe(undefined)
  expect(onEnd).toHaveBeenCalledOnce()
})

it('sends a comment each 15 seconds while the access is checked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const isStillAllowed = vi.fn(() => Promise.resolve(true))
  const { read, reader } = open({ events: waitForEnd, checkMs: 4000 }, createContext(isStillAllowed))
  const received = read()
  await vi.advanceTimersByTimeAsync(14_999)
  expect(isStillAllowed).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(1)
  expect(await received).toBe(': heartbeat\n\n')
  await reader.cancel()
})

it('breaks the connection after an error of the source', async () => {
  const onEnd = vi.fn()
  const { read } = open({
    async *events() {
      await Promise.resolve()
      throw new Error('The database is unavailable')
    },
    onEnd,
  })
  await expect(read()).rejects.toThrow('The database is unavailable')
  expect(onEnd).toHaveBeenCalledOnce()
})

it('writes JSON lines, and an empty line while no event occurs', async () => {
  const { read } = open(
    {
      async *events() {
        yield { id: '1', data: { a: 'b\n' } }
        await sleep(30)
        yield { data: null }
      },
      heartbeatMs: 10,
    },
    createContext(),
    { format: 'lines' },
  )
  expect(await read()).toBe('{"a":"b\\n"}\n')
  expect(await read()).toBe('\n')
  let received = await read()
  while (received === '\n') received = await read()
  expect(received).toBe('null\n')
})

const Order = z.object({ id: z.string(), state: z.enum(['open', 'paid']) })

function createOrders(
  responseSchemas: 'check' | 'strip',
  orders: readonly Readonly<Record<string, unknown>>[],
  onError = vi.fn(),
) {
  const declared = { operationId: 'watchOrders', access: 'public', errors: ['NOT_FOUND'] } as const
  const events = async function* (): AsyncGenerator<{ data: z.infer<typeof Order> }> {
    for (const data of orders) {
      await Promise.resolve()
      yield { data: data as z.infer<typeof Order> }
    }
  }
  const api = createApi({
    responseSchemas,
    onError,
    routes: [
      group.get('/orders', { ...declared, responses: { 200: { lines: Order } } }, (_, context) =>
        answerEventStream(context, { events }),
      ),
      group.post(
        '/orders',
        { ...declared, operationId: 'b', responses: { 200: { events: Order } } },
        (_, context) => answerEventStream(context, { events }),
      ),
    ],
  })
  return {
    get: (method = 'GET') => createFetchHandler(api)(new Request('http://localhost/orders', { method })),
    onError,
  }
}

const order = { id: '1', state: 'open' }

it('removes undeclared fields of an event in a declared stream', async () => {
  const { get } = createOrders('strip', [{ ...order, secret: 'x' }])
  const lines = await get()
  expect(lines.headers.get('content-type')).toBe('application/jsonl')
  expect(await lines.text()).toBe(`${JSON.stringify(order)}\n`)
  expect(await (await get('POST')).text()).toBe(`data: ${JSON.stringify(order)}\n\n`)
})

it('breaks a stream whose event does not match its schema, and reports the field', async () => {
  const { get, onError } = createOrders('check', [order, { id: 7, state: 'open' }])
  await expect((await get()).text()).rejects.toThrow()
  expect(onError).toHaveBeenCalledOnce()
  expect(String(onError.mock.calls[0]?.[0])).toContain(
    'watchOrders (GET /orders): the response 200 does not match its schema at "data.id"',
  )
})

it('types the data of events', () => {
  const responses = { 200: { events: Order } } as const
  group.get('/a', { operationId: 'a', responses }, (_, context) =>
    answerEventStream(context, {
      async *events() {
        yield { id: '1', data: await Promise.resolve({ id: '1', state: 'open' }) }
      },
    }),
  )
  const extended = { id: '1', state: 'open', secret: 'x' } as const
  // @ts-expect-error an undeclared field
  group.get('/b', { operationId: 'b', responses }, (_, context) =>
    answerEventStream(context, { events: () => ReadableStream.from([{ data: extended }]).values() }),
  )
  group.get('/c', { operationId: 'c', responses }, (_, context) =>
    // @ts-expect-error another type
    answerEventStream(context, { events: () => ReadableStream.from([{ data: 1 }]).values() }),
  )
})

it.each([
  [{ etag: true, responses: { 200: { events: Order } } }, 'set etag to false'],
  [{ responses: { 200: { lines: Order, data: Order } } }, 'more than one'],
])('refuses the declaration %j', (declared, problem) => {
  const route = { operationId: 'a', method: 'GET', path: '/a', access: 'public', ...declared } as const
  expect(() => checkRoute(route)).toThrow(problem)
})

it('outlives the timeout of the API', async () => {
  const api = createApi({
    timeoutMs: 20,
    routes: [
      group.get(
        '/time',
        {
          operationId: 'watchTime',
          access: 'public',
          responses: { 200: { description: 'The time', events: z.string() } },
        },
        (_, context) =>
          answerEventStream(context, {
            async *events() {
              await sleep(60)
              yield { data: 'late' }
            },
          }),
      ),
    ],
  })
  const response = await createFetchHandler(api)(new Request('http://localhost/time'))
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  expect(await response.text()).toBe('data: "late"\n\n')
})
