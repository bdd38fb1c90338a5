import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openGateway, encodeBody, receivedAt, signature } from '../../test/doorbell.ts'
import type { UnprocessedRequest } from '../gateway/gateway-contract.ts'
import { bodyToken, defineProvider, defineService, type AnyProvider } from '../index.ts'
import { createRedactor, type RedactPaths } from './redactor.ts'

const passed = defineService({ name: 'doorbell', signature, kind: 'type', id: 'id' })

/** Delivers a body, and returns what the gateway recorded. */
async function record(provider: AnyProvider, paths: RedactPaths, text: string) {
  const { deliver, recorded } = openGateway({ providers: [provider], redactor: createRedactor(paths) })
  const { said } = await deliver({ body: encodeBody(text), headers: { 'x-name': 'Ann Example' } })
  const [{ record: stored } = { record: undefined }] = recorded
  return { said, stored, body: new TextDecoder().decode(stored?.body), event: stored?.events[0] }
}

describe('createRedactor', () => {
  it('keeps the body and the data equal, with large integers as text', async () => {
    const text = '{"type":"rang","id":1,"n":12345678901234567890,"email":"ann@example.com"}'
    const { body, event } = await record(passed, { doorbell: ['email'] }, text)
    expect(body).toBe(text.replace('ann@example.com', '[redacted]'))
    expect(event?.event.data).toEqual({ ...JSON.parse(body), n: '12345678901234567890' })
    // JSON.parse would round the integer of the body.
    expect(event?.dataIsBody).toBeUndefined()
    const small = await record(passed, { doorbell: ['email'] }, text.replace('12345678901234567890', '1'))
    expect(small.event?.dataIsBody).toBe(true)
  })

  it('removes values beside a member with the name toJSON', async () => {
    const text = '{"type":"rang","id":1,"toJSON":1,"email":"ann@example.com"}'
    const { event } = await record(passed, { doorbell: ['email'] }, text)
    expect(event?.event.data).toEqual({ type: 'rang', id: 1, toJSON: 1, email: '[redacted]' })
  })

  it('removes values that a parser decodes', async () => {
    const decodes = defineService({
      ...passedOptions,
      parse: (body) => {
        const outer = JSON.parse(new TextDecoder().decode(body)) as { message: string }
        return JSON.parse(outer.message) as unknown
      },
    })
    const message = JSON.stringify({ type: 'rang', id: 1, email: 'ann@example.com' })
    const { body, event } = await record(decodes, { doorbell: ['email'] }, JSON.stringify({ message }))
    expect(body).toBe('[redacted]')
    expect(event?.event.data).toEqual({ type: 'rang', id: 1, email: '[redacted]' })
  })

  it('keeps the exact integers of a provider with numbers', async () => {
    const numbers = defineService({ ...passedOptions, largeIntegers: 'number', searchPaths: ['n'] })
    const text = '{"type":"rang","id":1,"n":12345678901234567890,"email":"ann@example.com"}'
    const { stored, event } = await record(numbers, { doorbell: ['email'] }, text)
    expect(event?.event.data).toMatchObject({ n: 12345678901234567890, email: '[redacted]' })
    expect(stored?.values).toContain('12345678901234567890')
  })

  it('removes values from data that a normalizer makes, by paths of the body and of the data', async () => {
    const { event } = await record(
      defineProvider({
        ...{ name: 'doorbell', signature },
        events: { rang: z.object({ who: z.unknown(), mail: z.string() }) },
        normalize({ payload, headers }) {
          const { person } = payload as { person: { name: string; mail: string } }
          const data = { who: person, mail: person.mail }
          return { kind: 'rang', key: [1], subject: `people/${headers.get('x-name') ?? ''}`, data }
        },
      }),
      { doorbell: ['person.name', 'mail', 'header:x-name'] },
      JSON.stringify({ person: { name: 'Ann', mail: 'ann@example.com' } }),
    )
    expect(event?.event.data).toEqual({
      who: { name: '[redacted]', mail: 'ann@example.com' },
      mail: '[redacted]',
    })
    expect(event?.event.subject).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  it('hashes an id with a removed value, and keeps the others', async () => {
    const text = '{"type":"rang","id":"ann@example.com","email":"ann@example.com"}'
    const { event } = await record(passed, { doorbell: ['id'] }, text)
    expect(event?.event.id).toMatch(/^doorbell:rang:sha256:[0-9a-f]{64}$/)
    const other = await record(passed, { doorbell: ['email'] }, text.replace('ann@', 'bob@'))
    expect(other.event?.event.id).toBe('doorbell:rang:bob@example.com')
  })

  it('keeps the JSON of a quarantined delivery of a provider with a parser', async () => {
    const parse = (body: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(body))
    const parsing = defineProvider({
      ...{ name: 'doorbell', signature, parse, events: { rang: z.unknown() } },
      normalize: () => {
        throw new RangeError('no')
      },
    })
    const { said, body } = await record(parsing, { doorbell: ['email'] }, '{"email":"ann@example.com","a":1}')
    expect({ said, body }).toEqual({ said: 'quarantined', body: '{"email":"[redacted]","a":1}' })
  })

  it('applies the paths of * to every provider', async () => {
    const text = '{"type":"rang","id":1,"a":{"email":"x"},"b":2}'
    const { body } = await record(passed, { doorbell: ['b'], '*': ['**.email'] }, text)
    expect(body).toBe('{"type":"rang","id":1,"a":{"email":"[redacted]"},"b":"[redacted]"}')
    expect((await record(passed, { other: ['b'] }, text)).body).toBe(text)
  })

  it.each([{ doorbell: [] }, { doorbell: ['header:x-name'] }])(
    'keeps a body that %j does not name',
    async (paths) => {
      expect(await record(passed, paths, 'no JSON')).toMatchObject({ said: 'quarantined', body: 'no JSON' })
    },
  )

  it('quarantines data with a cycle', async () => {
    const data: { self?: unknown } = {}
    data.self = data
    const cyclic = defineProvider({
      ...{ name: 'doorbell', signature, events: { rang: z.unknown() } },
      normalize: () => ({ kind: 'rang', key: [1], subject: '', data }),
    })
    expect(await record(cyclic, { doorbell: ['x'] }, '{"x":1}')).toMatchObject({
      said: 'quarantined',
      body: '{"x":"[redacted]"}',
    })
  })
})

const passedOptions = { name: 'doorbell', signature, kind: 'type', id: 'id' } as const

describe('an unverified request', () => {
  const redact = (body: string, changes: Partial<UnprocessedRequest> = {}) => {
    const { redactUnverified } = createRedactor({ '*': ['email', 'header:x-name'] })
    const request: UnprocessedRequest = {
      ...{ id: '1', provider: passed, endpoint: undefined, outcome: 'refused', status: 401, method: 'POST' },
      ...{ headers: new Headers({ 'x-name': 'Ann' }), body: encodeBody(body), address: undefined },
      ...{ url: 'http://a/?x=1', alternativeUrls: ['http://b/?email=x'], receivedAt },
      ...changes,
    }
    const redacted = redactUnverified(request)
    return { ...redacted, text: new TextDecoder().decode(redacted.body), length: request.body.length }
  }

  it('is complete without values at paths', () => {
    const { text, bodyBytes, headers, url } = redact('{"a":1}', { alternativeUrls: undefined })
    expect({ text, bodyBytes, url }).toEqual({ text: '{"a":1}', bodyBytes: undefined, url: 'http://a/?x=1' })
    expect(headers.get('x-name')).toBe('[redacted]')
  })

  it.each(['{"email":"ann@example.com"}', '{"email":1}', 'email: 1', '{"email":"ann@exam'])(
    'is cut without the values of %j',
    (body) => {
      const { text, bodyBytes, length, url, alternativeUrls } = redact(body)
      expect(text).not.toContain('ann@')
      expect({ bodyBytes, url, alternativeUrls }).toEqual({ bodyBytes: length, url: 'http://a/' })
      expect(text.length).toBeLessThan(length)
    },
  )

  it.each(['email=ann%40example.com', 'to=/?a&email=ann%40example.com'])(
    'is cut without the query %s',
    (query) => {
      const { url, bodyBytes } = redact('{"a":1}', { url: `http://a/?${query}` })
      expect({ url, bodyBytes }).toEqual({ url: 'http://a/', bodyBytes: 7 })
    },
  )

  it('has no credential that a scheme reads from the body', () => {
    const provider = defineService({ ...passedOptions, signature: bodyToken('token') })
    expect(
      redact('{"token":"guess","email":"ann@example.com","a":1234567}', { provider }).text,
    ).not.toContain('guess')
  })
})
