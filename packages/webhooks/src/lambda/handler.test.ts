import {
  lambdaEventAlb as eventAlb,
  lambdaEventLattice as eventLattice,
  lambdaEventV1 as eventV1,
  lambdaEventV2 as eventV2,
} from '@sallyport/test-support/hosts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeBody, openGateway, signBody, rung } from '../../test/doorbell.ts'
import type { Gateway } from '../index.ts'
import { createLambdaHandler, type LambdaEvent, type LambdaResult } from './index.ts'

const signed = async (body = rung()) => ({ body, headers: Object.entries(await signBody(body)) })
const saidBy = ({ statusCode, body }: LambdaResult) => {
  const { error, data } = JSON.parse(body) as { error?: { code: string }; data?: { status: string } }
  return [statusCode, error?.code ?? data?.status]
}

/** A gateway that responds with the request. */
const mirror: Gateway = {
  providers: ['doorbell'],
  async handle({ method, provider, headers, query, address, url, ...request }) {
    const chunks: Uint8Array[] = []
    await request.readBody({ timeoutMs: 1, push: (chunk) => chunks.push(chunk) })
    const seen = {
      method,
      provider,
      headers: Object.fromEntries(headers),
      query: String(query),
      address,
      url,
    }
    return {
      status: 200,
      headers: {},
      body: JSON.stringify({ ...seen, body: Buffer.concat(chunks).toString('hex') }),
    }
  },
}
const seenIn = ({ body }: LambdaResult) => JSON.parse(body) as Record<string, unknown>

const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }))
  .map((points) => String.fromCodePoint(...points))

describe.each([
  ['2.0', eventV2],
  ['1.0', eventV1],
])('an event in the payload format %s', (_, eventOf) => {
  it('gets a response in the form of the platform', async () => {
    const { gateway, observed } = openGateway()
    const handler = createLambdaHandler(gateway)
    expect(await handler(eventOf(await signed()))).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"data":{"status":"accepted","events":[{"id":"doorbell:bell.rung:1","name":"doorbell/bell.rung","duplicate":false}]}}',
      isBase64Encoded: false,
    })
    expect(observed[0]?.address).toBe('198.51.100.7')
  })

  it('keeps every byte of a text or base64 body', async () => {
    const handler = createLambdaHandler(mirror)
    const sentAs = async (contentType: string, body: Uint8Array<ArrayBuffer>) =>
      seenIn(await handler(eventOf({ body, headers: [['content-type', contentType]] })))['body']
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), anyText, async (some, text) => {
        const bytes = Uint8Array.from(some)
        expect(await sentAs('application/octet-stream', bytes)).toBe(Buffer.from(bytes).toString('hex'))
        expect(await sentAs('text/plain', encodeBody(text))).toBe(Buffer.from(text).toString('hex'))
      }),
    )
  })

  it.each(['*', 'QQ', 'QQ=', 'QR==', 'QUI=QUI=', 'QUJD\n', ' QUJD', 'QU-_', 'QUJDé', '===='])(
    'is rejected for the base64 "%s"',
    async (body) => {
      const { gateway } = openGateway()
      const event: LambdaEvent = { ...eventOf({}), body, isBase64Encoded: true }
      expect(saidBy(await createLambdaHandler(gateway)(event))).toEqual([400, 'BAD_REQUEST'])
    },
  )

  it('can be as large as the limit of Lambda', async () => {
    const { gateway } = openGateway({ limits: { bodyBytes: 6 * 1024 * 1024 } })
    const door = 'x'.repeat(4 * 1024 * 1024)
    const large = encodeBody({ kind: 'rung', id: '1', door })
    expect(saidBy(await createLambdaHandler(gateway)(eventOf(await signed(large))))).toEqual([
      200,
      'accepted',
    ])
    const { gateway: small } = openGateway()
    expect(saidBy(await createLambdaHandler(small)(eventOf(await signed(large))))).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ])
  })

  it('can omit optional members', async () => {
    const handler = createLambdaHandler(mirror)
    const optional = ['body', 'headers', 'multiValueHeaders', 'isBase64Encoded']
    const rest = Object.fromEntries(
      Object.entries(eventOf({})).filter(([name]) => !optional.includes(name)),
    ) as unknown as LambdaEvent
    expect(seenIn(await handler(rest))).toMatchObject({ provider: 'doorbell', headers: {}, body: '' })
    const none = { body: null, headers: null, multiValueHeaders: null }
    expect(seenIn(await handler({ ...rest, ...none }))).toMatchObject({ headers: {}, body: '' })
  })

  it('can contain headers named like members of Object', async () => {
    const headers = [
      ['__proto__', 'polluted'],
      ['constructor', 'x'],
    ] as const
    const event = JSON.parse(JSON.stringify(eventOf({ headers }))) as LambdaEvent
    const { body } = await createLambdaHandler(mirror)(event)
    expect(body).toContain('"constructor":"x"')
    expect('polluted' in {}).toBe(false)
  })

  it('has the address that clientAddress returns', async () => {
    const handler = createLambdaHandler(mirror, {
      clientAddress: ({ headers }) => [headers?.['x-client'] ?? headers?.['X-Client']].flat()[0],
    })
    const headers = [['x-client', '::ffff:192.0.2.7']] as const
    expect(seenIn(await handler(eventOf({ headers })))['address']).toBe('192.0.2.7')
    expect(seenIn(await handler(eventOf({})))['address']).toBeUndefined()
  })

  it('gets 500 without details when clientAddress throws', async () => {
    const handler = createLambdaHandler(openGateway().gateway, {
      clientAddress: () => {
        throw new Error('no such proxy: 10.0.0.1')
      },
    })
    const answer = await handler(eventOf(await signed()))
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect([answer.statusCode, answer.body]).toEqual([
      500,
      '{"error":{"code":"INTERNAL_ERROR","message":"An unexpected error occurred"}}',
    ])
  })

  it('has a URL with the public origin', async () => {
    const handler = createLambdaHandler(mirror, { publicUrl: 'https://hooks.example.com/v1/' })
    const url = async (path: string) => seenIn(await handler(eventOf({ path })))['url']
    expect(await url('/webhooks/doorbell')).toBe('https://hooks.example.com/v1/webhooks/doorbell')
    expect(await url('/webhooks/doorbell?a=b&a=c')).toBe(
      'https://hooks.example.com/v1/webhooks/doorbell?a=b&a=c',
    )
    expect(seenIn(await createLambdaHandler(mirror)(eventOf({})))['url']).toBeUndefined()
  })
})

describe('the name of the stage', () => {
  const getProvider = async (event: LambdaEvent, basePath?: string) => {
    const handler = createLambdaHandler(mirror, basePath === undefined ? {} : { basePath })
    const answer = await handler(event)
    return answer.statusCode === 200 ? seenIn(answer)['provider'] : answer.statusCode
  }

  it('can precede the path', async () => {
    expect(await getProvider(eventV2({}, 'prod'))).toBe('doorbell')
    expect(await getProvider({ ...eventV1({}), path: '/prod/webhooks/doorbell' })).toBe('doorbell')
    expect(await getProvider(eventV2({ path: '/doorbell' }, 'prod'), '/')).toBe('doorbell')
  })

  it('is not part of the signed URL', async () => {
    const handler = createLambdaHandler(mirror, { publicUrl: 'https://hooks.example.com/v1' })
    const { url } = seenIn(await handler(eventV2({}, 'prod')))
    expect(url).toBe('https://hooks.example.com/v1/webhooks/doorbell')
  })

  it('can equal the base path', async () => {
    expect(await getProvider(eventV2({}, 'webhooks'))).toBe('doorbell')
    expect(await getProvider({ ...eventV1({}, 'webhooks') })).toBe('doorbell')
  })

  it('is removed only as a complete segment', async () => {
    const staged = (rawPath: string) => ({ ...eventV2({}, 'prod'), rawPath })
    expect(await getProvider(staged('/production/webhooks/doorbell'))).toBe(404)
    expect(await getProvider(staged('/prod/prod/webhooks/doorbell'))).toBe(404)
    expect(await getProvider(staged('/other/webhooks/doorbell'))).toBe(404)
    const stageless = { ...eventV2({}), requestContext: { http: { method: 'POST' } } }
    expect(await getProvider(stageless)).toBe('doorbell')
  })
})

it('adds no question mark without a query', async () => {
  const handler = createLambdaHandler(mirror, { publicUrl: 'https://hooks.example.com' })
  const event = { ...eventV2({}), rawQueryString: undefined }
  expect(seenIn(await handler(event))['url']).toBe('https://hooks.example.com/webhooks/doorbell')
})

it('does not call clientAddress for an unknown path', async () => {
  const handler = createLambdaHandler(mirror, {
    clientAddress: () => {
      throw new Error('no such proxy: 10.0.0.1')
    },
  })
  expect(saidBy(await handler(eventV2({ path: '/elsewhere' })))).toEqual([404, 'NOT_FOUND'])
})

it('distinguishes an absent header from an empty header', async () => {
  const read: unknown[] = []
  const reader: Gateway = {
    ...mirror,
    handle: (request) => {
      read.push(request.headers.get('X-None'), request.headers.get('X-Empty'))
      return mirror.handle(request)
    },
  }
  await createLambdaHandler(reader)(eventV2({ headers: [['x-empty', '']] }))
  expect(read).toEqual([null, ''])
})

it('does not pass cookies to the gateway', async () => {
  const { body } = await createLambdaHandler(mirror)(eventV2({}))
  expect(body).not.toContain('session=of-somebody')
})

it('joins headers of a REST API that differ only in case', async () => {
  const event = { ...eventV1({}), multiValueHeaders: { 'X-Signature': ['a'], 'x-signature': ['b', 'c'] } }
  expect(seenIn(await createLambdaHandler(mirror)(event))['headers']).toEqual({ 'x-signature': 'a, b, c' })
})

it.each<[string, LambdaEvent]>([
  ['2.0', { ...eventV2({}), headers: { 'x-one': 'a', 'x-none': null } as never }],
  [
    '1.0',
    { ...eventV1({}), multiValueHeaders: { 'X-One': ['a', null], 'X-None': null, 'X-Gone': [] } as never },
  ],
  [
    '1.0, single',
    { ...eventV1({}), multiValueHeaders: null, headers: { 'X-One': 'a', 'X-None': null } as never },
  ],
])('omits headers without a value in the payload format %s', async (_, event) => {
  expect(seenIn(await createLambdaHandler(mirror)(event))['headers']).toEqual({ 'x-one': 'a' })
})

it('omits parameters without a value', async () => {
  const multiValueQueryStringParameters = { a: ['b', null], c: null } as never
  const event = { ...eventV1({}), multiValueQueryStringParameters }
  expect(seenIn(await createLambdaHandler(mirror)(event))['query']).toBe('a=b')
})

it('reads single-value headers of a REST API', async () => {
  const event = { ...eventV1({}), multiValueHeaders: null, headers: { 'X-One': 'a', 'X-None': undefined } }
  expect(seenIn(await createLambdaHandler(mirror)(event))['headers']).toEqual({ 'x-one': 'a' })
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'POST'],
  ['a list', []],
  ['an empty object', {}],
  ['a message of a queue', { Records: [{ messageId: '1', body: '{}', eventSource: 'aws:sqs' }] }],
  ['a schedule', { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} }],
  [
    'a request without a method',
    { version: '2.0', rawPath: '/webhooks/doorbell', requestContext: { http: {} } },
  ],
  ['a request without a path', { version: '2.0', requestContext: { http: { method: 'POST' } } }],
  ['a path alone', { path: '/webhooks/doorbell' }],
  ['a method alone', { httpMethod: 'POST', requestContext: {} }],
  [
    'a request of VPC Lattice without a context',
    { version: '2.0', method: 'POST', path: '/webhooks/doorbell', headers: {}, isBase64Encoded: false },
  ],
])('rejects %s', async (_, event) => {
  const { gateway, observed } = openGateway()
  await expect(createLambdaHandler(gateway)(event as LambdaEvent)).rejects.toThrow(
    /^This event is not a request of a function URL, of API Gateway/,
  )
  expect(observed).toEqual([])
})

describe('an event of a load balancer', () => {
  it('gets a response with single or multiple values', async () => {
    const handler = createLambdaHandler(openGateway().gateway)
    const type = 'application/json; charset=utf-8'
    expect(await handler(eventAlb(await signed(), 'single'))).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': type },
    })
    const answer = await handler(eventAlb(await signed(), 'multiple'))
    expect(answer).toMatchObject({ statusCode: 200, multiValueHeaders: { 'content-type': [type] } })
    expect([answer.headers, saidBy(answer)]).toEqual([{}, [200, 'duplicate']])
  })

  it.each(['single', 'multiple'] as const)(
    'has the address that the load balancer saw: %s',
    async (values) => {
      const headers = [['x-forwarded-for', '203.0.113.9']] as const
      const { body } = await createLambdaHandler(mirror)(eventAlb({ headers }, values))
      expect(JSON.parse(body)).toMatchObject({ address: '198.51.100.7' })
    },
  )

  it('has the query as the sender wrote it', async () => {
    const handler = createLambdaHandler(mirror, { publicUrl: 'https://hooks.example.com' })
    const path = '/webhooks/doorbell?to=a%20b%2Fc/d'
    for (const values of ['single', 'multiple'] as const)
      expect(seenIn(await handler(eventAlb({ path }, values)))['url']).toBe(
        `https://hooks.example.com${path}`,
      )
  })
})

it('accepts a request of VPC Lattice, which has no address of the client', async () => {
  const { gateway, observed } = openGateway()
  expect(saidBy(await createLambdaHandler(gateway)(eventLattice(await signed())))).toEqual([200, 'accepted'])
  expect(observed[0]?.address).toBeUndefined()
})

it('rejects a base path without a leading slash', () => {
  expect(() => createLambdaHandler(mirror, { basePath: 'webhooks' })).toThrow(TypeError)
})
