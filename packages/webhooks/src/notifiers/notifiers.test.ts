import { openReceiver, type Receiver } from '@sallyport/test-support/hosts'
import { type NotifierUnderTest, testNotifier } from '@sallyport/testing'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, describe, expect, it } from 'vitest'
import type { WebhookEvent, Message } from '../ports/event.ts'
import type { Notifier } from '../ports/ports.ts'
import { type HttpNotification, createHttpNotifier, createLogNotifier, createSlackNotifier } from './index.ts'

const secret = `whsec_${Buffer.from('the secret of the operators.....').toString('base64')}`
const path = '/services/T0/B0/secretpath'
const runner = { describe, expect, it }
const { signal } = new AbortController()

async function overHttp(make: (url: string) => Notifier): Promise<NotifierUnderTest> {
  const receiver = await openReceiver()
  let refused = 0
  return {
    notifier: make(receiver.url + path),
    received: () => receiver.requests.slice(refused).map(({ body }) => JSON.stringify(JSON.parse(body))),
    behave(how) {
      if (how === 'take') refused = receiver.requests.length
      receiver.answer(({ take: 204, fail: 500, hang: 'hang' } as const)[how])
    },
    close: receiver.close,
  }
}

describe('createHttpNotifier as a notifier', () => {
  testNotifier(runner, {
    secrets: [secret, path],
    open: () => overHttp((url) => createHttpNotifier({ url, secret, timeoutMs: 60_000 })),
  })
})

describe('createSlackNotifier as a notifier', () => {
  testNotifier(runner, {
    secrets: [path],
    open: () => overHttp((url) => createSlackNotifier({ url, timeoutMs: 60_000 })),
  })
})

describe('createLogNotifier', () => {
  testNotifier(runner, {
    immediate: true,
    open() {
      const lines: string[] = []
      let broken = false
      const write = (fields: object, text: string) => {
        if (broken) throw new Error('The disk is full')
        lines.push(JSON.stringify({ ...fields, text }))
      }
      return {
        notifier: createLogNotifier({ info: write, warn: write, error: write }),
        received: () => lines,
        behave: (how) => {
          broken = how !== 'take'
        },
      }
    },
  })

  it('logs at the level of the severity', async () => {
    const lines: string[] = []
    const at = (level: string) => (_: object, text: string) => lines.push(`${level} ${text}`)
    const notifier = createLogNotifier({ info: at('info'), warn: at('warn'), error: at('error') })
    for (const severity of ['info', 'warning', 'error'] as const) {
      await notifier.notify({ ...message, severity }, event, signal)
    }
    expect(lines).toEqual(['info The bell rang', 'warn The bell rang', 'error The bell rang'])
  })

  it('removes control characters from the title', async () => {
    const written: [fields: object, text: string][] = []
    const info = (fields: object, text: string) => written.push([fields, text])
    const unsafe = {
      ...message,
      title: '\u001b[2J\u009b31mThe bell\r\nrang\u2028and\u2029\u202erang\u0000',
    }
    await createLogNotifier({ info, warn: info, error: info }).notify(unsafe, event, signal)
    const fields = { notification: unsafe, event: event.id, name: event.name }
    expect(written).toEqual([[fields, '[2J 31mThe bell rang and rang']])
  })
})

const event: WebhookEvent = {
  id: 'doorbell:bell.rung:1',
  name: 'doorbell/bell.rung',
  subject: 'front',
  ts: Date.UTC(2026, 0),
  data: { door: 'front' },
  source: { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: 0 },
}
const message: Message = { title: 'The bell rang', text: 'At the front door', severity: 'info' }

const receivers: Receiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})
async function receive(answer?: Parameters<typeof openReceiver>[0]): Promise<Receiver> {
  const receiver = await openReceiver(answer)
  receivers.push(receiver)
  return receiver
}
async function failure(notifying: Promise<void>): Promise<Failure> {
  try {
    await notifying
    return { code: 'none', message: '' }
  } catch (error) {
    return error as Failure
  }
}
interface Failure {
  readonly code: string
  readonly message: string
  readonly retryable?: boolean
  readonly retryAfterMs?: number
}

describe('createHttpNotifier', () => {
  it('posts the message and its event, with the data only as an option', async () => {
    const { url, requests } = await receive()
    await createHttpNotifier({ url, secret }).notify(message, event, signal)
    await createHttpNotifier({ url, secret, includeData: true }).notify(message, event, signal)
    const [without, whole] = requests.map(({ body }) => JSON.parse(body) as HttpNotification)
    const expected = {
      id: event.id,
      name: event.name,
      provider: 'doorbell',
      subject: 'front',
      occurred_at: '2026-01-01T00:00:00.000Z',
      delivery_id: 'delivery-1',
    }
    expect(without).toEqual({ ...message, links: [], event: expected })
    expect(whole).toEqual({ ...message, links: [], event: { ...expected, data: event.data } })
    expect(requests[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
  })

  it('signs for the libraries of Standard Webhooks and Svix with a stable id', async () => {
    const { url, requests } = await receive()
    const notifier = createHttpNotifier({ url, secret: () => Promise.resolve(secret) })
    await notifier.notify(message, event, signal)
    await notifier.notify({ ...message, title: 'Again' }, event, signal)
    await notifier.notify(message, { ...event, id: 'doorbell:bell.rung:2' }, signal)
    for (const { body, headers } of requests) {
      const given = headers as Record<string, string>
      expect(new StandardWebhook(secret).verify(body, given)).toEqual(JSON.parse(body))
      expect(() => {
        new SvixWebhook(secret).verify(body, given)
      }).not.toThrow()
      expect(() => new StandardWebhook(secret).verify(`${body} `, given)).toThrow()
    }
    const ids = requests.map(({ headers }) => headers['webhook-id'])
    expect(ids[0]).toMatch(/^msg_[0-9a-f]{64}$/)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })

  it.each([
    [302, true],
    [400, false],
    [401, true],
    [404, true],
    [408, true],
    [410, false],
    [413, false],
    [415, false],
    [422, false],
    [429, true],
    [500, true],
    [503, true],
  ])('rejects the status %i, retryable: %s', async (status, retryable) => {
    const { url } = await receive(status)
    const error = await failure(createHttpNotifier({ url, secret }).notify(message, event, signal))
    expect([error.code, error.retryable]).toEqual([`HTTP_${status}`, retryable])
  })

  it('reports the delay of Retry-After', async () => {
    const receiver = await receive()
    const now = Date.UTC(2026, 0)
    const notifier = createHttpNotifier({ url: receiver.url, secret, now: () => now })
    const waits: unknown[] = []
    for (const after of ['120', new Date(now + 60_000).toUTCString(), '0', 'soon', '-5']) {
      receiver.answer((response) => response.writeHead(429, { 'retry-after': after }).end())
      waits.push((await failure(notifier.notify(message, event, signal))).retryAfterMs)
    }
    expect(waits).toEqual([120_000, 60_000, undefined, undefined, undefined])
  })

  it('does not follow a redirect', async () => {
    const [other, receiver] = [await receive(), await receive()]
    const location = other.url
    receiver.answer((response) => response.writeHead(307, { location }).end())
    const error = await failure(
      createHttpNotifier({ url: receiver.url, secret }).notify(message, event, signal),
    )
    expect([error.code, other.requests]).toEqual(['HTTP_307', []])
  })

  it.each([200, 500])('does not wait for the body of a response with status %i', async (status) => {
    const { url } = await receive((response) => response.writeHead(status).write('x'.repeat(100)))
    const error = await failure(createHttpNotifier({ url, secret }).notify(message, event, signal))
    expect(error.code).toBe(status === 200 ? 'none' : 'HTTP_500')
  })

  it.each([200, 500])(
    'ignores a failed cancellation of the body of a response with status %i',
    async (status) => {
      const unhandled: unknown[] = []
      const listener = (reason: unknown) => unhandled.push(reason)
      process.on('unhandledRejection', listener)
      try {
        let cancelled = 0
        const body = new ReadableStream({
          cancel() {
            cancelled++
            return Promise.reject(new Error('The connection is closed'))
          },
        })
        const notifier = createHttpNotifier({
          ...{ url: 'https://operators.example.com', secret },
          fetch: () => Promise.resolve(new Response(body, { status })),
        })
        const error = await failure(notifier.notify(message, event, signal))
        expect([error.code, cancelled]).toEqual([status === 200 ? 'none' : 'HTTP_500', 1])
        // Node reports unhandled rejections before this callback.
        await new Promise((resolve) => setImmediate(resolve))
        expect(unhandled).toEqual([])
      } finally {
        process.off('unhandledRejection', listener)
      }
    },
  )

  it('rejects after the timeout', async () => {
    const { url } = await receive('hang')
    const notifying = createHttpNotifier({ url, secret, timeoutMs: 50 }).notify(message, event, signal)
    await expect(notifying).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('rejects a network failure with its code', async () => {
    const receiver = await openReceiver()
    await receiver.close()
    const error = await failure(
      createHttpNotifier({ url: receiver.url, secret }).notify(message, event, signal),
    )
    expect([error.code, error.retryable]).toEqual(['ECONNREFUSED', undefined])
    expect(error.message).not.toContain('127.0.0.1')
    const fetch = () => Promise.reject(new TypeError('no route to https://secret.example.com'))
    const other = await failure(
      createHttpNotifier({ url: receiver.url, secret, fetch }).notify(message, event, signal),
    )
    expect([other.code, other.message]).toEqual(['UNREACHABLE', expect.not.stringContaining('secret')])
  })

  it.each([
    'operators.example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'https://u:p@example.com',
    '',
  ])('rejects the URL %j', (url) => {
    const made = [() => createHttpNotifier({ url, secret }), () => createSlackNotifier({ url })]
    for (const make of made) {
      expect(make).toThrow(TypeError)
      if (url !== '') expect(make).not.toThrow(url)
    }
  })

  it('rejects a timeout out of range', () => {
    const url = 'https://operators.example.com'
    for (const timeoutMs of [0, 1.5, Number.NaN, Infinity, 2 ** 31]) {
      const made = [
        () => createHttpNotifier({ url, secret, timeoutMs }),
        () => createSlackNotifier({ url, timeoutMs }),
      ]
      for (const make of made) expect(make).toThrow(/^timeoutMs must be an integer /)
    }
  })

  it.each(['', 'nope!!', 'whsec_', 'whsec_nope!!', 'whsk_bm9wZQ==', 'whpk_bm9wZQ==', undefined as never])(
    'rejects the invalid secret %j',
    async (wrong) => {
      const { url, requests } = await receive()
      expect(() => createHttpNotifier({ url, secret: wrong })).toThrow(
        /^secret must be a secret of Standard Webhooks: "whsec_" and base64, or "whsk_" /,
      )
      const given = await failure(
        createHttpNotifier({ url, secret: () => wrong }).notify(message, event, signal),
      )
      expect([given.code, given.message]).toEqual([
        'SECRET_UNUSABLE',
        expect.stringMatching(/^The function for the secret must return a secret /),
      ])
      expect(given.message).not.toContain('nope')
      expect(requests).toEqual([])
    },
  )

  it('signs with a private key for Ed25519', async () => {
    const { url, requests } = await receive()
    const key = `whsk_${Buffer.alloc(32, 7).toString('base64')}`
    for (const one of [key, `${key}\n`])
      await createHttpNotifier({ url, secret: one }).notify(message, event, signal)
    for (const { headers } of requests) expect(headers['webhook-signature']).toMatch(/^v1a,/)
  })
})
