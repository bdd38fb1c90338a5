import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openGateway, signBody, rung, type Opened } from '../../test/doorbell.ts'
import { Wire, type WireAnswer } from '../../test/wire.ts'
import { createMemoryInbox, type Gateway, type GatewayOptions } from '../index.ts'
import { createNodeListener } from './index.ts'
import type { NodeListenerOptions } from './listener.ts'

const text = new TextDecoder().decode(rung())
const signed = Object.entries(await signBody(rung())).map(([name, value]) => `${name}: ${value}`)

/** Formats a request. */
function post(lines: readonly string[] = [], body = text, path = '/webhooks/doorbell'): string {
  const length = lines.some((line) => /^(content-length|transfer-encoding):/i.test(line))
    ? []
    : [`content-length: ${Buffer.byteLength(body)}`]
  return [`POST ${path} HTTP/1.1`, 'host: hooks.test', ...length, ...lines, '', body].join('\r\n')
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

interface Listening extends Opened {
  readonly dial: (sent?: string) => Wire
  /** Resolves when the next piece of a body has reached the gateway. */
  readonly arrival: () => Promise<void>
}

async function listen(
  options: Partial<GatewayOptions> = {},
  hosting: NodeListenerOptions = {},
  around: (listener: RequestListener) => RequestListener = (listener) => listener,
): Promise<Listening> {
  const opened = openGateway(options)
  let arrived: () => void = () => undefined
  const gateway: Gateway = {
    ...opened.gateway,
    handle: (request) =>
      opened.gateway.handle({
        ...request,
        readBody: (sink) =>
          request.readBody({
            timeoutMs: sink.timeoutMs,
            push(chunk) {
              sink.push(chunk)
              arrived()
            },
          }),
      }),
  }
  const server = createServer(around(createNodeListener(gateway, hosting))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    ...opened,
    arrival: () => new Promise((resolve) => (arrived = resolve)),
    dial(sent) {
      const wire = new Wire(connect(port, '127.0.0.1'))
      closing.push(async () => wire.socket.destroy())
      if (sent !== undefined) wire.socket.write(sent)
      return wire
    },
  }
}

const getCode = ({ body }: WireAnswer) => (JSON.parse(body) as { error?: { code: string } }).error?.code
const getOutcome = ({ body }: WireAnswer) => (JSON.parse(body) as { data?: { status: string } }).data?.status

describe('a body that a platform has read', () => {
  /** Cloud Functions read the body before the function and keep its bytes. */
  const around =
    (keep: (body: Buffer) => unknown): ((listener: RequestListener) => RequestListener) =>
    (listener) =>
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      Object.assign(request, { rawBody: keep(Buffer.concat(chunks)) })
      listener(request, response)
    }

  it('is read from rawBody', async () => {
    const { dial } = await listen(
      {},
      {},
      around((body) => body),
    )
    expect(getOutcome(await dial(post(signed)).answer())).toBe('accepted')
    expect((await dial(post(signed, text.replace('front', 'other'))).answer()).status).toBe(401)
  })

  it('has the limit of other bodies', async () => {
    const { dial } = await listen(
      { limits: { bodyBytes: 10 } },
      {},
      around(() => Buffer.alloc(11)),
    )
    expect((await dial(post(signed, 'small')).answer()).status).toBe(413)
  })

  it.each([undefined, text, {}])('is not read from other values', async (rawBody) => {
    const { dial } = await listen(
      {},
      {},
      around(() => rawBody),
    )
    expect((await dial(post(signed)).answer()).status).toBe(503)
  })
})

describe('bodies on the wire', () => {
  it('are abandoned when the client disconnects', async () => {
    const { dial, arrival, observed, recorded } = await listen({ limits: { bytesInFlight: 100 } })
    for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const arrived = arrival()
      const { socket } = dial(post(['content-length: 100'], 'x'.repeat(90)))
      await arrived
      socket[end]()
      await expect.poll(() => observed.splice(0)).toMatchObject([{ code: 'BAD_REQUEST' }])
    }
    expect(recorded).toEqual([])
    // The budget is free again and the server works.
    expect((await dial(post([], 'x'.repeat(100))).answer()).status).toBe(401)
  })

  it('end at the announced length', async () => {
    const { dial, recorded } = await listen()
    const wire = dial(post([...signed, `content-length: ${text.length}`], text))
    expect(getOutcome(await wire.answer())).toBe('accepted')
    wire.socket.write(`${text}\r\n\r\n`)
    expect((await wire.answer()).status).toBe(400)
    expect(await wire.rest()).toBe('')
    expect(recorded).toHaveLength(1)
    expect(getOutcome(await dial(post(signed)).answer())).toBe('duplicate')
  })

  it('can be chunked, with trailers that are ignored', async () => {
    const { dial, observed } = await listen()
    const chunked = (lines: readonly string[], trailers: readonly string[]) =>
      post(
        ['transfer-encoding: chunked', ...lines],
        [...Array.from(text).flatMap((one) => ['1', one]), '0', ...trailers, '', ''].join('\r\n'),
      )
    const good = await dial(chunked([...signed, 'trailer: x-event'], ['x-event: rung'])).answer()
    expect(getOutcome(good)).toBe('accepted')
    const wire = dial(chunked(['trailer: x-signature'], signed))
    expect(getCode(await wire.answer())).toBe('INVALID_SIGNATURE')
    expect(observed.at(-1)).toMatchObject({ reason: 'missing' })
    wire.socket.write(post(signed))
    expect(getOutcome(await wire.answer())).toBe('duplicate')
  })

  it('are awaited after Expect: 100-continue', async () => {
    const { dial } = await listen()
    const wire = dial(post([...signed, 'expect: 100-continue', `content-length: ${text.length}`], ''))
    expect((await wire.answer()).status).toBe(100)
    wire.socket.write(text)
    expect(getOutcome(await wire.answer())).toBe('accepted')
  })

  it('leave the connection open after they were read', async () => {
    const { dial } = await listen()
    const wire = dial()
    const answers: unknown[] = []
    for (const sent of [post(), post(signed), post([], 'x'), post(signed)]) {
      // In two pieces, as many clients send it.
      const end = sent.indexOf('\r\n\r\n') + 4
      wire.socket.write(sent.slice(0, end))
      await new Promise((resolve) => setTimeout(resolve, 5))
      wire.socket.write(sent.slice(end))
      const answer = await wire.answer()
      answers.push([answer.status, answer.headers.get('connection')])
    }
    expect(answers).toEqual([401, 200, 401, 200].map((status) => [status, 'keep-alive']))
  })

  it('over the limit get a response before their end', async () => {
    // The limit of bytes ends the body, because no time passes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { dial, observed } = await listen({ limits: { bodyBytes: 1000 } })
    for (const lines of [[`content-length: ${128 * 1024 * 1024}`], ['transfer-encoding: chunked']]) {
      const wire = dial(post(lines, ''))
      const data = 'x'.repeat(0x10000)
      const piece = lines[0] === 'transfer-encoding: chunked' ? `10000\r\n${data}\r\n` : data
      const sending = (async () => {
        let pieces = 2048
        while (pieces > 0 && !wire.socket.destroyed) {
          if (wire.socket.writableNeedDrain) await new Promise((resolve) => setImmediate(resolve))
          else {
            wire.socket.write(piece)
            pieces -= 1
          }
        }
      })()
      const answer = await wire.answer()
      expect([answer.status, getCode(answer), answer.headers.get('connection')]).toEqual([
        413,
        'PAYLOAD_TOO_LARGE',
        'close',
      ])
      await sending
      expect(await wire.rest()).toBe('')
    }
    expect(observed.map(({ code }) => code)).toEqual(['PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE'])
  })

  it('over the limit get a response when the sender reads late', async () => {
    const { dial, observed } = await listen({ limits: { bodyBytes: 1000 } })
    const piece = 'x'.repeat(50_000)
    const wire = dial()
    const { socket } = wire
    socket.pause()
    socket.write(post([`content-length: ${4 * piece.length}`], piece))
    await expect.poll(() => observed).toHaveLength(1)
    for (let sent = 1; sent < 4; sent++) {
      await new Promise((resolve) => setImmediate(resolve))
      await new Promise<void>((resolve, reject) => {
        socket.write(piece, (error) => {
          if (error) reject(error)
          else resolve()
        })
      })
    }
    socket.resume()
    expect((await wire.answer()).status).toBe(413)
    expect(await wire.rest()).toBe('')
  })

  it('over the limit prevent later requests on the connection', async () => {
    const { dial, observed } = await listen({ limits: { bodyBytes: 1000 } })
    const wire = dial(post([...signed], 'x'.repeat(200_000)) + post(signed))
    expect((await wire.answer()).status).toBe(413)
    expect(await wire.rest()).toBe('')
    expect(observed.map(({ code }) => code)).toEqual(['PAYLOAD_TOO_LARGE'])
  })

  it('that is far larger than what sockets hold is answered to such a sender every time', async () => {
    const { dial } = await listen({ limits: { bodyBytes: 1000 } })
    const body = Buffer.alloc(25 * 1024 * 1024 + 1, 'x')
    for (let time = 0; time < 10; time++) {
      const wire = dial(post([`content-length: ${body.length}`], ''))
      wire.socket.pause()
      await new Promise<void>((resolve, reject) => {
        wire.socket.write(body, (error) => {
          if (error) reject(error)
          else resolve()
        })
      })
      wire.socket.resume()
      const answer = await wire.answer()
      expect([answer.status, getCode(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
      expect(await wire.rest()).toBe('')
    }
  })

  it('over the limit close the connection after five seconds without data', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { dial } = await listen({ limits: { bodyBytes: 1000 } })
    const wire = dial(post(['content-length: 5000'], ''))
    expect((await wire.answer()).status).toBe(413)
    vi.advanceTimersByTime(4999)
    await new Promise((resolve) => setImmediate(resolve))
    expect([wire.socket.readyState, vi.getTimerCount()]).toEqual(['open', 1])
    vi.advanceTimersByTime(1)
    expect(await wire.rest()).toBe('')
  })

  it('that another reader has read get 503 with a clear error', async () => {
    const { dial, observed } = await listen({}, {}, (listener) => (request, response) => {
      request.resume().on('end', () => {
        listener(request, response)
      })
    })
    const answer = await dial(post(signed)).answer()
    expect([answer.status, getCode(answer)]).toEqual([503, 'PROVIDER_UNAVAILABLE'])
    expect(observed[0]?.error).toMatchObject({
      message: expect.stringMatching(/read before the gateway.*before body parsers/) as unknown,
    })
  })

  it('that another reader has read in part get 503', async () => {
    const { dial } = await listen({}, {}, (listener) => (request, response) => {
      request.once('data', () => {
        request.pause()
        listener(request, response)
      })
    })
    const wire = dial(post([...signed, `content-length: ${text.length}`], text.slice(0, 5)))
    const answer = await wire.answer()
    expect([answer.status, getCode(answer)]).toEqual([503, 'PROVIDER_UNAVAILABLE'])
    expect(answer.body).toContain('mount the gateway before body parsers')
  })
})

describe('a body that another listener has prepared', () => {
  const around: Record<string, (listener: RequestListener) => RequestListener> = {
    'is read after a pause': (listener) => (request, response) => {
      request.pause()
      listener(request, response)
    },
    'is read with a reader that started in the same turn': (listener) => (request, response) => {
      void Promise.resolve().then(() => {
        request.on('data', () => undefined)
        listener(request, response)
      })
    },
  }
  it.each(Object.entries(around))('%s', async (_, hosting) => {
    const { dial, arrival } = await listen({}, {}, hosting)
    expect((await dial(post(signed)).answer()).status).toBe(200)
    const wire = dial(post([...signed, `content-length: ${text.length}`], text.slice(0, 5)))
    await arrival()
    wire.socket.write(text.slice(5))
    expect((await wire.answer()).status).toBe(200)
  })
})

describe('requests on one connection', () => {
  it('are answered in order', async () => {
    const inner = createMemoryInbox()
    let first = true
    const { dial } = await listen({
      inbox: {
        ...inner,
        async record(record, how) {
          if (first) {
            first = false
            await new Promise((resolve) => setTimeout(resolve, 30))
          }
          return inner.record(record, how)
        },
      },
    })
    const wire = dial(
      post(signed) + post() + 'OPTIONS /webhooks/doorbell HTTP/1.1\r\nhost: x\r\n\r\n' + post(signed),
    )
    const statuses = [await wire.answer(), await wire.answer(), await wire.answer(), await wire.answer()]
    expect(statuses.map(({ status }) => status)).toEqual([200, 401, 204, 200])
  })

  it('continue after a 404', async () => {
    const { dial } = await listen()
    const nothing = 'GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n'
    const wire = dial(nothing + nothing + post(signed))
    expect(
      [await wire.answer(), await wire.answer(), await wire.answer()].map(({ status }) => status),
    ).toEqual([404, 404, 200])
  })

  it('with HEAD get no body', async () => {
    const { dial } = await listen()
    const wire = dial('HEAD /webhooks/doorbell HTTP/1.1\r\nhost: x\r\n\r\n')
    const head = await wire.answer({ bodiless: true })
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
    wire.socket.write('HEAD /nothing HTTP/1.1\r\nhost: x\r\n\r\n')
    expect((await wire.answer({ bodiless: true })).status).toBe(404)
    wire.socket.write(post(signed))
    expect((await wire.answer()).status).toBe(200)
  })

  it('can have headers named like members of Object', async () => {
    const { dial, recorded } = await listen()
    const answer = await dial(post([...signed, '__proto__: polluted', 'constructor: x'])).answer()
    expect(getOutcome(answer)).toBe('accepted')
    const headers = recorded[0]!.record.headers
    expect(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value).toBe('polluted')
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})

describe('the address and the path', () => {
  it('include the result of clientAddress', async () => {
    const clientAddress: NodeListenerOptions['clientAddress'] = ({ headers }) =>
      headers['x-client']?.toString()
    const own = await listen()
    await own.dial(post()).answer()
    expect(own.observed[0]?.address).toBe('127.0.0.1')
    const custom = await listen({}, { clientAddress })
    await custom.dial(post(['x-client: 192.0.2.7'])).answer()
    await custom.dial(post()).answer()
    expect(custom.observed.map(({ address }) => address)).toEqual(['192.0.2.7', undefined])
  })

  it('result in 500 when clientAddress throws', async () => {
    let failing = true
    const clientAddress = () => {
      if (failing) throw new Error('no such proxy: 10.0.0.1')
      return '192.0.2.7'
    }
    const { dial } = await listen({}, { clientAddress })
    const answer = await dial(post(signed)).answer()
    expect([answer.status, getCode(answer)]).toEqual([500, 'INTERNAL_ERROR'])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).not.toContain('10.0.0.1')
    failing = false
    expect(getOutcome(await dial(post(signed)).answer())).toBe('accepted')
  })

  it('can be an absolute URL with a query', async () => {
    const { dial } = await listen()
    const paths = [
      'http://hooks.test/webhooks/doorbell',
      'HTTPS://hooks.test:443/webhooks/doorbell?a=/b',
      '/webhooks/doorbell?http://x/y',
      '/webhooks/%64oorbell',
    ]
    for (const path of paths) expect((await dial(post(signed, text, path)).answer()).status).toBe(200)
    for (const path of [
      'http://hooks.test',
      'http://hooks.test?/webhooks/doorbell',
      '*',
      '/webhooks?doorbell',
    ]) {
      expect((await dial(post(signed, text, path)).answer()).status).toBe(404)
    }
  })

  it.each([
    ['/in/', '/in/doorbell'],
    ['/in', '/in/doorbell'],
    ['/', '/doorbell'],
    ['', '/doorbell'],
    ['/a/b//', '/a/b/doorbell'],
  ])('match under the base path "%s"', async (basePath, path) => {
    const { dial } = await listen({}, { basePath })
    expect((await dial(post(signed, text, path)).answer()).status).toBe(200)
    expect((await dial(post(signed, text, `/webhooks/doorbell`)).answer()).status).toBe(404)
  })

  it('that do not match are passed to otherwise', async () => {
    const { dial, observed } = await listen(
      {},
      {
        otherwise(request, response) {
          void (async () => {
            let body = ''
            for await (const chunk of request) body += String(chunk)
            response.end(`${String(request.method)} ${String(request.url)} ${body}`)
          })()
        },
      },
    )
    for (const path of [
      '/',
      '/webhooks',
      '/webhooks/',
      '/webhooks/a/b',
      '/webhooksx/doorbell',
      '/webhooks-doorbell',
      '/other?x=1',
    ]) {
      const wire = dial(post(['connection: close'], 'body', path))
      expect(await wire.rest()).toContain(`POST ${path} body`)
    }
    expect(observed).toEqual([])
    expect((await dial(post([], text, '/webhooks/%')).answer()).status).toBe(400)
  })

  it('are passed to the scheme with the public origin', async () => {
    const seen: unknown[] = []
    const { dial } = await listen(
      {
        providers: [
          {
            name: 'doorbell',
            signature: {
              headers: [],
              verify: ({ url, method }) => (seen.push([method, url]), { verified: false, reason: 'missing' }),
              sign: () => ({}),
            },
            events: {},
            normalize: () => [],
          },
        ],
      },
      { publicUrl: 'https://hooks.example.com/' },
    )
    await dial(post([], text, '/webhooks/doorbell?a=b%20c')).answer()
    await dial(post([], text, 'http://inner:3111/webhooks/doorbell')).answer()
    expect(seen).toEqual([
      ['POST', 'https://hooks.example.com/webhooks/doorbell?a=b%20c'],
      ['POST', 'https://hooks.example.com/webhooks/doorbell'],
    ])
  })
})

describe('concurrent requests', () => {
  it('keep their asynchronous contexts', async () => {
    const context = new AsyncLocalStorage<string | undefined>()
    const seen: unknown[] = []
    const { dial } = await listen(
      { observe: ({ requestId }) => seen.push([requestId, context.getStore()]) },
      { requestId: ({ headers }) => headers['x-request-id']?.toString() },
      (listener) => (request, response) => {
        context.run(request.headers['x-request-id']?.toString(), () => {
          listener(request, response)
        })
      },
    )
    const ids = ['r-1', 'r-2', 'r-3']
    // One segment arrives in one turn of the event loop.
    const wire = dial(ids.map((id) => post([...signed, `x-request-id: ${id}`])).join(''))
    while (seen.length < ids.length) expect((await wire.answer()).status).toBe(200)
    expect(seen).toEqual(ids.map((id) => [id, id]))
  })

  it('are all answered', async () => {
    const { dial } = await listen()
    const count = 400
    const wire = dial(post(signed).repeat(count))
    for (let index = 0; index < count; index++) expect((await wire.answer()).status).toBe(200)
  })

  it('are answered with fake timers', async () => {
    vi.useFakeTimers()
    const { dial } = await listen()
    expect((await dial(post(signed)).answer()).status).toBe(200)
    vi.useRealTimers()
    expect((await dial(post(signed)).answer()).status).toBe(200)
  })

  it('are closed separately when a gateway throws', async () => {
    const inner = openGateway().gateway
    const gateway: Gateway = {
      ...inner,
      handle(request) {
        if (request.headers.get('x-broken') !== null) throw new Error('failed')
        return inner.handle(request)
      },
    }
    const { dial } = await listen({}, {}, () => createNodeListener(gateway))
    const broken = dial(post(['x-broken: yes']))
    const whole = dial(post(signed))
    expect((await whole.answer()).status).toBe(200)
    expect(await broken.rest()).toBe('')
  })
})

describe('the id of a request', () => {
  it('is part of the observation', async () => {
    const requestId = vi.fn<NonNullable<NodeListenerOptions['requestId']>>(({ headers }) =>
      headers['x-request-id']?.toString(),
    )
    const { dial, observed } = await listen({}, { requestId })
    await dial(post(['x-request-id: r-1'])).answer()
    await dial(post()).answer()
    expect(observed.map((one) => one.requestId)).toEqual(['r-1', undefined])
  })

  it('results in 500 without details when requestId throws', async () => {
    const { dial, observed } = await listen(
      {},
      {
        requestId: () => {
          throw new Error('no such proxy: 10.0.0.1')
        },
      },
    )
    const answer = await dial(post()).answer()
    expect(answer.status).toBe(500)
    expect(JSON.stringify(answer)).not.toContain('10.0.0.1')
    expect(observed).toEqual([])
  })
})
