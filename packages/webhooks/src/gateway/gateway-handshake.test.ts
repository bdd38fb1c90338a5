import { SallyportError } from '@sallyport/errors'
import { describe, expect, it } from 'vitest'
import { encodeBody, doorbell, openGateway, rung, signature } from '../../test/doorbell.ts'
import { defineProvider, createMemoryFailureLimiter, type GatewayOptions, type Handshake } from '../index.ts'
import type { HandshakeAnswer } from '../provider/provider.ts'

const withHandshake = (handshake: Handshake, options: Partial<GatewayOptions> = {}) =>
  openGateway({ providers: [defineProvider({ ...doorbell, handshake })], ...options })

const echo: Handshake = {
  methods: ['GET', 'POST'],
  answer({ method, query, body }) {
    if (method === 'GET') {
      const challenge = query.get('challenge')
      return challenge === null ? undefined : { contentType: 'text/plain', body: challenge }
    }
    const text = new TextDecoder().decode(body)
    return text.startsWith('challenge ') ? { contentType: 'application/json', body: text } : undefined
  },
}

describe('handshake', () => {
  it('answers a challenge by GET or POST without recording it', async () => {
    const { send, deliver, observed, recorded } = withHandshake(echo)
    const got = await send({ method: 'GET', query: 'challenge=a%20b' })
    expect([got.status, got.text]).toEqual([200, 'a b'])
    expect(got.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(got.headers['x-content-type-options']).toBe('nosniff')
    const posted = await deliver({ body: encodeBody('challenge 1') })
    expect([posted.status, posted.text]).toEqual([200, 'challenge 1'])
    expect(posted.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(observed.map(({ outcome, deliveryId }) => [outcome, deliveryId])).toEqual([
      ['handshake', undefined],
      ['handshake', undefined],
    ])
    expect(recorded).toEqual([])
    expect((await deliver()).said).toBe('accepted')
  })

  it('limits an answer to 1 KB', async () => {
    const { send } = withHandshake(echo)
    const challenge = (text: string) => send({ method: 'GET', query: `challenge=${text}` })
    expect((await challenge('x'.repeat(1024))).status).toBe(200)
    expect(await challenge('x'.repeat(1025))).toMatchObject({ status: 400, said: 'BAD_REQUEST' })
    expect((await challenge('é'.repeat(512))).status).toBe(200)
    expect((await challenge('é'.repeat(513))).status).toBe(400)
  })

  it('counts a GET without a challenge as a failure and never records it', async () => {
    const { deliver, send, recorded } = withHandshake(echo)
    for (let failure = 0; failure < 20; failure++) {
      const answer = await deliver({ method: 'GET' })
      expect(answer).toMatchObject({
        status: 405,
        said: 'METHOD_NOT_ALLOWED',
        headers: { Allow: 'POST, GET, OPTIONS' },
      })
    }
    expect((await send({ method: 'GET', query: 'challenge=1' })).said).toBe('RATE_LIMITED')
    expect(recorded).toEqual([])
  })

  it('does not count an unsigned answer as a failure', async () => {
    const { send } = withHandshake(echo)
    for (let request = 0; request < 25; request++) {
      expect((await send({ method: 'GET', query: 'challenge=1' })).status).toBe(200)
    }
  })

  const signing: Handshake = {
    methods: ['GET'],
    answer: () => ({ contentType: 'text/plain', body: 'signed', signed: true }),
  }

  it.each([false, true])(
    'counts a signed answer as a failure, up to the failure limit (allowVerified: %s)',
    async (allowVerified) => {
      const limiter = createMemoryFailureLimiter({ failures: 3 })
      const { send } = withHandshake(signing, { limiter, allowVerified })
      const answers = []
      for (let request = 0; request < 5; request++) answers.push((await send({ method: 'GET' })).said)
      expect(answers).toEqual(['signed', 'signed', 'signed', 'RATE_LIMITED', 'RATE_LIMITED'])
    },
  )

  it('limits signed answers to parallel challenges', async () => {
    const { send } = withHandshake(signing)
    const answers = await Promise.all(Array.from({ length: 40 }, () => send({ method: 'GET' })))
    expect(answers.filter(({ said }) => said === 'signed')).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  it('runs only for its own methods and does not bypass the signature', async () => {
    const methods: string[] = []
    const { send, recorded } = withHandshake({
      methods: ['GET'],
      answer: ({ method }) => {
        methods.push(method)
        return undefined
      },
    })
    expect((await send()).said).toBe('INVALID_SIGNATURE')
    expect((await send({ method: 'PUT' })).said).toBe('METHOD_NOT_ALLOWED')
    expect(methods).toEqual([])
    expect(recorded).toEqual([])
  })

  const verifying: Handshake = {
    methods: ['POST'],
    async answer({ verify }): Promise<HandshakeAnswer> {
      return { contentType: 'text/plain', body: String(await verify()) }
    },
  }

  it('verifies the signature of its own request', async () => {
    const { send, deliver } = withHandshake(verifying)
    expect((await deliver()).text).toBe('true')
    expect((await send()).text).toBe('false')
    expect((await send({ headers: { 'x-signature': 'sha256=00' } })).text).toBe('false')
  })

  it('treats an error of the scheme as an invalid signature', async () => {
    const verify = () => {
      throw new RangeError('unreadable')
    }
    const provider = { ...doorbell, signature: { ...signature, verify }, handshake: verifying }
    const { send } = openGateway({ providers: [provider] })
    expect((await send()).text).toBe('false')
  })

  it('reports an error without the message of the handshake', async () => {
    const { send, observed, recorded } = withHandshake({
      methods: ['POST'],
      answer: ({ body }) => {
        throw new Error(`cannot read ${new TextDecoder().decode(body)}`)
      },
    })
    const answer = await send({ body: rung('private') })
    expect([answer.status, answer.said]).toEqual([500, 'INTERNAL_ERROR'])
    const error = observed[0]?.error as Error
    expect(error.stack).toContain('gateway-handshake.test.ts')
    expect(`${error.message} ${String(error.stack)}`).not.toContain('private')
    expect(recorded).toEqual([])
  })

  it.each(['GET', 'POST'] as const)('counts an error as a failure (%s)', async (method) => {
    const limiter = createMemoryFailureLimiter({ failures: 3 })
    const answer = () => Promise.reject(new Error('unreadable'))
    const { send } = withHandshake({ methods: [method], answer }, { limiter })
    const answers = []
    for (let request = 0; request < 5; request++) answers.push((await send({ method })).status)
    expect(answers).toEqual([500, 500, 500, 429, 429])
  })

  it('counts a challenge that is too long, but not a 503', async () => {
    const limiter = createMemoryFailureLimiter({ failures: 1 })
    const { send } = withHandshake(echo, { limiter })
    const long = () => send({ method: 'GET', query: `challenge=${'x'.repeat(1025)}` })
    expect([(await long()).status, (await long()).status]).toEqual([400, 429])

    const verify = () => {
      throw new SallyportError('PROVIDER_UNAVAILABLE', 'The keys are unavailable')
    }
    const unavailable = openGateway({
      providers: [{ ...doorbell, signature: { ...signature, verify }, handshake: verifying }],
      limiter: createMemoryFailureLimiter({ failures: 1 }),
    })
    for (let request = 0; request < 3; request++) expect((await unavailable.send()).status).toBe(503)
  })

  it('verifies with one of several secrets', async () => {
    const { deliver } = withHandshake({
      methods: ['POST'],
      async answer({ verify, secrets }) {
        const each = await Promise.all([...secrets, 'another'].map((one) => verify([one])))
        return { contentType: 'application/json', body: JSON.stringify(each) }
      },
    })
    expect((await deliver()).text).toBe('[true,false]')
  })
})
