import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { SallyportError } from '@sallyport/errors'
import { createOperations } from '@sallyport/operations'
import { createNodeListener, listen } from '@sallyport/rest/node'
import { createMemoryInbox } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { followStream } from '../src/app/api/follow-stream.ts'

const secret = 'a secret of at least thirty-two bytes'

/** Starts a server whose API can restart and be busy, and follows its deliveries. */
async function follow() {
  const inbox = createMemoryInbox()
  const states: string[] = []
  const items: string[] = []
  const targets: string[] = []
  let isSignedIn = true
  let end = new AbortController()
  let listener: RequestListener
  const authorize = () => {
    if (!isSignedIn) throw new SallyportError('TOKEN_MISSING', 'Log in')
    return { id: 'ann', permissions: ['read'] as const }
  }
  const start = (key = secret) => {
    end = new AbortController()
    const operations = { inbox, secrets: [key], stopping: end.signal }
    listener = createNodeListener(createOperations({ operations }, { authorize }))
  }
  start()
  const server = await listen(
    (request, response) => {
      targets.push(request.url ?? '')
      listener(request, response)
    },
    { host: '127.0.0.1', port: 0 },
  )
  const client = new AbortController()
  const following = followStream(`http://127.0.0.1:${server.port}/deliveries/stream?provider=doorbell`, {
    signal: client.signal,
    retryMs: 10,
    onOpen: () => states.push('open'),
    onInterruption: () => states.push('interrupted'),
    onSignedOut: () => states.push('signed out'),
    onItem: (event, data) => items.push(`${event} ${(JSON.parse(data) as { subject: string }).subject}`),
  })
  await expect.poll(() => states).toEqual(['open'])
  return {
    ...{ states, items, targets, following, start },
    async record(subject: string) {
      const [id, deliveryId] = [randomUUID(), randomUUID()]
      const source = { provider: 'doorbell', deliveryId, receivedAt: Date.now() }
      const event = { id, name: 'doorbell/bell.rung', subject, ts: 1000, data: {}, source }
      await inbox.record({
        ...{ id: deliveryId, provider: 'doorbell', receivedAt: source.receivedAt },
        ...{ headers: {}, body: new TextEncoder().encode('{}') },
        events: [{ event, route: 'direct', notify: false }],
      })
    },
    /** Ends the streams and answers 503 from now on. */
    async stop() {
      const before = targets.length
      end.abort()
      await expect.poll(() => targets.length).toBeGreaterThan(before + 1)
    },
    logOut() {
      isSignedIn = false
      end.abort()
    },
    async [Symbol.asyncDispose]() {
      client.abort()
      await following
      await server.stop({ graceMs: 0 })
    },
  }
}

// Regression: EventSource ended for good at the first 503.
it('continues after the last item once a server that was busy answers again', async () => {
  await using stream = await follow()
  await stream.record('first')
  await expect.poll(() => stream.items).toEqual(['delivery first'])
  await stream.stop()
  expect(stream.states.slice(0, 2)).toEqual(['open', 'interrupted'])
  await stream.record('missed')
  stream.start()
  await expect.poll(() => stream.states.at(-1)).toBe('open')
  await stream.record('last')
  await expect.poll(() => stream.items).toEqual(['delivery first', 'delivery missed', 'delivery last'])
  expect(stream.targets.at(-1)).toMatch(/^\/deliveries\/stream\?provider=doorbell&after=./)
})

it('misses nothing of an interruption before the first item', async () => {
  await using stream = await follow()
  await stream.stop()
  await stream.record('missed')
  stream.start()
  await expect.poll(() => stream.items).toEqual(['delivery missed'])
})

it('starts with new items when the API cannot read the position any more', async () => {
  await using stream = await follow()
  await stream.stop()
  stream.start('another secret of thirty-two bytes or more')
  await expect.poll(() => stream.states.at(-1)).toBe('open')
  await stream.record('new')
  await expect.poll(() => stream.items).toEqual(['delivery new'])
})

it('ends when the session has ended', async () => {
  await using stream = await follow()
  stream.logOut()
  await stream.following
  expect(stream.states).toEqual(['open', 'interrupted', 'signed out'])
})

it('waits longer before each attempt', async () => {
  let attempts = 0
  const server = await listen(
    (_, response) => {
      attempts++
      response.writeHead(503).end()
    },
    { host: '127.0.0.1', port: 0 },
  )
  const client = new AbortController()
  let interruptions = 0
  const startedAt = performance.now()
  await followStream(`http://127.0.0.1:${server.port}/`, {
    ...{ signal: client.signal, retryMs: 20, random: () => 1 },
    onOpen: () => undefined,
    onItem: () => undefined,
    onSignedOut: () => undefined,
    onInterruption() {
      if (++interruptions === 5) client.abort()
    },
  })
  expect(attempts).toBe(5)
  // 20, 40, 80 and 160 ms; a timer may be early by a fraction of a millisecond.
  expect(performance.now() - startedAt).toBeGreaterThan(290)
  await server.stop({ graceMs: 0 })
})
