import {
  lambdaEventLattice as eventLattice,
  lambdaEventV1 as eventV1,
  type Sent,
} from '@sallyport/test-support/hosts'
import { describe, expect, it } from 'vitest'
import { encodeBody } from '../../test/doorbell.ts'
import { createGateway, defineService, hmac, createMemoryInbox, staticSecrets } from '../index.ts'
import { createLambdaHandler, type LambdaEvent } from './index.ts'
import { encodings, listQueries, type Parameters } from './queries.ts'

describe('a decoded query', () => {
  const secret = 'the secret of the bell'
  const provider = defineService({
    name: 'bell',
    signature: hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: 'x-bell-signature',
      content: ({ url, body }) => [url, body],
    }),
    kind: 'type',
  })
  const handler = createLambdaHandler(
    createGateway({
      providers: [provider],
      secrets: staticSecrets({ bell: [secret] }),
      limiter: { check: () => 0, fail: () => 0 },
      inbox: createMemoryInbox(),
    }),
    { publicUrl: 'https://hooks.example.com' },
  )
  const body = encodeBody('{"type":"ring"}')
  const send = async (signedQuery: string, passed: string, event: (sent: Sent) => LambdaEvent) => {
    const url = `https://hooks.example.com/webhooks/bell?${signedQuery}`
    const delivery = { method: 'POST', headers: new Headers(), body, url }
    const headers = Object.entries(await provider.signature.sign(delivery, secret, 0))
    return (await handler(event({ path: `/webhooks/bell?${passed}`, body, headers }))).statusCode
  }

  it.each([
    'to=a%20b',
    'to=a+b',
    'to=a%2Fb',
    'to=a/b',
    'to=me@example.com',
    'to=%28x%29',
    'to=(x)',
    'to=a~b',
    'to=a%7Eb',
    'key=YWI=',
    'key=YWI%3D',
    'flag',
    'flag=',
    'flag&to=a%20b',
    'b=2&a=1&c=3',
    'to=%C3%BC',
    'a=1&a=2&b=3',
  ])('verifies the signed query %s', async (query) => {
    for (const event of [eventV1, eventLattice]) {
      expect(await send(query, query, event)).toBe(200)
      const sorted = query.split('&').sort().join('&')
      expect(await send(query, sorted, event)).toBe(200)
    }
  })

  it.each([
    ['to=ab', 'to=a%20b'],
    ['a=1&b=2', 'a=2&b=1'],
    ['a=1', 'a=1&b=2'],
    ['a=1&a=2', 'a=2&a=1'],
    ['a=', 'a=x'],
  ])('does not verify %s for another query, %s', async (query, passed) => {
    for (const event of [eventV1, eventLattice]) expect(await send(query, passed, event)).toBe(401)
  })

  it('is not decoded twice', async () => {
    expect(await send('to=a%20b', 'to=a%2520b', eventV1)).toBe(401)
  })

  it('has at most 16 forms, with each order of three names', async () => {
    const count = (parameters: Parameters) => listQueries(parameters, encodings).length
    expect(count(undefined)).toBe(1)
    expect(count({ to: ['plain'] })).toBe(1)
    expect(count({ a: [''], b: ['(/ &'], c: ['~'] })).toBe(16)
    const usual = listQueries({ a: [''], b: ['(/ &'], c: ['~'] }, encodings.slice(0, 1)).filter((query) =>
      query.includes('a='),
    )
    expect(usual).toHaveLength(6)
    expect(listQueries({ a: [''], b: ['(/ &'], c: ['~'] }, encodings)).toEqual(expect.arrayContaining(usual))
    expect(count(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`n${n}`, ['1']])))).toBe(1)
  })

  it('may be no text that UTF-8 can hold', async () => {
    expect(listQueries({ a: ['\ud800'] }, encodings)).toEqual(['a=%EF%BF%BD'])
  })
})
