import { expect, it } from 'vitest'
import { streamDeliveries } from './delivery-stream.ts'
import type { Io } from './io.ts'

const startedAt = Date.UTC(2026, 0, 2)
const delivery = { id: 'one', provider: 'github', status: 'published', created_at: '2026-01-02T00:00:01Z' }
const connection = {
  resolve: (path: string) => new URL(`http://hooks.example.com/api/v1${path}`),
  getToken: () => Promise.resolve('token'),
}

const refused = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
}
const broken = () => new Response(new ReadableStream({ pull: refused }), { headers })
const open = () =>
  new Response(`id: 1\n\nid: 2\nevent: delivery\ndata: ${JSON.stringify(delivery)}\n\n`, { headers })
const headers = { 'content-type': 'text/event-stream' }

/** Follows a server until the first delivery. */
async function follow(...answers: readonly (() => Response)[]) {
  const requested: URL[] = []
  const lines: string[] = []
  const io = {
    now: () => startedAt,
    sleep: () => Promise.resolve(),
    fetch: async (address: URL) => answers[requested.push(address) - 1]!(),
  } as unknown as Io
  const { signal } = new AbortController()
  const options = { query: { provider: 'github' }, signal, report: (line: string) => lines.push(line) }
  for await (const value of streamDeliveries(connection, options, io)) {
    return { value, lines, queries: requested.map(({ searchParams }) => Object.fromEntries(searchParams)) }
  }
  throw new Error('The stream ended')
}

const fromTheStart = { provider: 'github', receivedAfter: '2026-01-02T00:00:00.000Z' }

it('waits for a server that does not listen yet, and asks for the deliveries since the start', async () => {
  expect(await follow(refused, open)).toEqual({
    value: delivery,
    lines: ['No server listens at http://hooks.example.com; connecting again', 'Connected again'],
    queries: [{ provider: 'github' }, fromTheStart],
  })
})

it('waits for a server that dies before the first position', async () => {
  const { value, queries } = await follow(broken, open)
  expect([value, queries]).toEqual([delivery, [{ provider: 'github' }, fromTheStart]])
})

it('ends if the server rejects the first request', async () => {
  const error = { error: { code: 'FORBIDDEN', message: 'No' } }
  await expect(follow(() => Response.json(error, { status: 403 }))).rejects.toThrow('403 FORBIDDEN')
})
