import { afterEach, describe, expect, it, vi } from 'vitest'
import { openGateway, signBody, rung } from '../../test/doorbell.ts'
import { createFetchHandler } from './index.ts'

afterEach(() => {
  vi.useRealTimers()
})

const url = 'https://hooks.test/webhooks/doorbell'
const delivery = async () =>
  new Request(url, { method: 'POST', headers: await signBody(rung()), body: rung() })
const getCode = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code

describe('createFetchHandler', () => {
  it('passes the arguments of the platform to clientAddress', async () => {
    const { gateway, observed } = openGateway()
    const handler = createFetchHandler(gateway, {
      clientAddress: (_, { ip }: { readonly ip?: string }) => ip,
    })
    await handler(await delivery(), { ip: '::ffff:192.0.2.7' })
    await handler(await delivery(), {})
    expect(observed.map(({ address }) => address)).toEqual(['192.0.2.7', undefined])
  })

  it('answers 500 without details when clientAddress throws', async () => {
    const handler = createFetchHandler(openGateway().gateway, {
      clientAddress: () => {
        throw new Error('no such proxy: 10.0.0.1')
      },
    })
    const response = await handler(await delivery())
    expect(response.status).toBe(500)
    expect(await response.text()).toBe(
      '{"error":{"code":"INTERNAL_ERROR","message":"An unexpected error occurred"}}',
    )
  })

  it('ignores the status of foreign errors', async () => {
    const thrown = Object.assign(new Error('too large: 10.0.0.1'), { status: 413, expose: true })
    const handler = createFetchHandler(openGateway().gateway, {
      clientAddress: () => {
        throw thrown
      },
    })
    const response = await handler(await delivery())
    expect([response.status, await getCode(response)]).toEqual([500, 'INTERNAL_ERROR'])

    const { send, observed } = openGateway()
    expect(await send({ readBody: () => Promise.reject(thrown) })).toMatchObject({
      status: 500,
      said: 'INTERNAL_ERROR',
    })
    expect(observed[0]?.error).toBe(thrown)
  })

  it('reports a body that was read before', async () => {
    const { gateway, observed } = openGateway()
    const handler = createFetchHandler(gateway)
    const request = await delivery()
    await request.text()
    const response = await handler(request)
    expect([response.status, await getCode(response)]).toEqual([503, 'PROVIDER_UNAVAILABLE'])
    expect(observed[0]?.error).toMatchObject({
      message: expect.stringContaining('read before') as unknown,
    })
  })

  it('releases the bytes of an aborted body', async () => {
    const { gateway, observed } = openGateway({ limits: { bytesInFlight: rung().length } })
    const handler = createFetchHandler(gateway)
    for (let time = 0; time < 2; time++) {
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(rung())
        },
        pull: (controller) => {
          controller.error(new Error('the connection was reset'))
        },
      })
      const response = await handler(new Request(url, { method: 'POST', body, duplex: 'half' }))
      expect([response.status, await getCode(response)]).toEqual([400, 'BAD_REQUEST'])
    }
    expect(observed).toHaveLength(2)
    expect((await handler(await delivery())).status).toBe(200)
  })

  it('cancels the rest of a rejected body', async () => {
    const { gateway } = openGateway({ limits: { bodyBytes: 10 } })
    let cancellations = 0
    const body = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(100))
      },
      cancel: () => {
        cancellations++
      },
    })
    const request = new Request(url, { method: 'POST', body, duplex: 'half' })
    expect((await createFetchHandler(gateway)(request)).status).toBe(413)
    expect(cancellations).toBe(1)
  })

  it('clears its timers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const handler = createFetchHandler(openGateway({ limits: { bodyBytes: rung().length } }).gateway)
    const requests = [
      await delivery(),
      new Request(url, { method: 'POST', body: rung() }),
      new Request(url, { method: 'POST', body: new Uint8Array(1000) }),
    ]
    for (const [index, request] of requests.entries()) {
      expect((await handler(request)).status).toBe([200, 401, 413][index])
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it('passes the complete URL to a scheme', async () => {
    const seen: unknown[] = []
    const scheme = {
      headers: [],
      verify: ({ url: given }: { readonly url?: string }) => {
        seen.push(given)
        return { verified: false, reason: 'missing' } as const
      },
      sign: () => ({}),
    }
    const { gateway } = openGateway({
      providers: [{ name: 'doorbell', signature: scheme, events: {}, normalize: () => [] }],
    })
    const send = (options = {}) =>
      createFetchHandler(gateway, options)(new Request(`${url}?a=b%20c`, { method: 'POST', body: 'x' }))
    await send()
    await send({ publicUrl: 'https://public.test' })
    await send({ publicUrl: 'https://public.test/under/' })
    expect(seen).toEqual([
      `${url}?a=b%20c`,
      'https://public.test/webhooks/doorbell?a=b%20c',
      'https://public.test/under/webhooks/doorbell?a=b%20c',
    ])
  })
})
