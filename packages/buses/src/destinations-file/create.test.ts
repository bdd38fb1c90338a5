import { openReceiver } from '@sallyport/test-support/hosts'
import { createEvent } from '@sallyport/webhooks/testing'
import { defineProvider, ed25519, hmac, type AnyProvider } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { createDeclaredDestination } from './create.ts'
import { destinationSchema } from '@sallyport/webhooks/filter'

const secrets = [`whsec_${Buffer.from('the secret of this destination..').toString('base64')}`]
const create = (declaration: object, providers: readonly AnyProvider[] = []) =>
  createDeclaredDestination(
    destinationSchema.parse({ name: 'orders', url: 'https://a.example.com', ...declaration }),
    {
      ...{ secrets, providers, allowPrivate: true },
    },
  )
const provide = (name: string, signature: AnyProvider['signature']): AnyProvider =>
  defineProvider({ name, signature, events: {}, normalize: () => [] })
const shared = provide('shared', hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }))
const paired = provide('paired', ed25519({ header: 'x-signature', encoding: 'hex', keyEncoding: 'hex' }))

describe('createDeclaredDestination', () => {
  it('creates a destination in original mode from a name and an address', () => {
    expect(create({})).toMatchObject({ name: 'orders', mode: 'original', order: 'none', concurrency: 10 })
  })

  it('converts every member', () => {
    const destination = create({
      ...{ mode: 'event', order: 'subject', concurrency: 3, rate_per_second: 5, max_age_seconds: 60 },
      ...{
        retry: [0.5, 1],
        timeout_seconds: 2,
        filter: { events: ['doorbell/*'], data: { 'data.door': 'front' } },
        redact: ['**.email'],
      },
    })
    expect(destination).toMatchObject({
      ...{ order: 'subject', concurrency: 3, ratePerSecond: 5, maxAgeMs: 60_000 },
      ...{ retryDelaysMs: [500, 1000], timeoutMs: 3000, redact: ['**.email'] },
    })
    const event = createEvent('a', 0, { name: 'doorbell/rung', data: { door: 'front' } })
    expect(destination.accepts?.(event)).toBe(true)
    expect(destination.accepts?.({ ...event, data: { door: 'back' } })).toBe(false)
    expect(create({ retry: { first_seconds: 1, longest_seconds: 2, for_seconds: 5 } }).retryDelaysMs).toEqual(
      [...[1000, 2000, 2000]],
    )
  })

  it('sends the declared headers and follows the declared statuses', async () => {
    await using receiver = await openReceiver(409)
    const declaration = {
      url: receiver.url,
      mode: 'event',
      headers: { 'x-team': 'a' },
      statuses: { success: [409] },
    }
    const message = { deliveryId: 'd', events: [createEvent('a', 0)], attempt: 1 }
    const destination = create(declaration)
    expect(await destination.send(message, new AbortController().signal)).toMatchObject({ outcome: 'done' })
    expect(receiver.requests[0]?.headers['x-team']).toBe('a')
    await destination.close()
  })

  it('signs as the providers that pass the filter do', () => {
    const providers = [shared, paired]
    expect(() => create({ sign: 'provider' }, providers)).toThrow(/^paired signs with a private key/)
    for (const filter of [{ provider: ['shared'] }, { events: ['shared/*'] }])
      expect(create({ sign: 'provider', filter }, providers).mode).toBe('original')
  })

  it.each([{ mode: 'event', query: true }, { mode: 'event', sign: 'provider' }, { format: 'cloudevents' }])(
    'rejects %j',
    (declaration) => {
      expect(() => create(declaration)).toThrow(/need/)
    },
  )
})

describe('destinationSchema', () => {
  it.each([
    [{ name: 'A' }, 'name'],
    [{ secret: 'whsec_a' }, 'secret'],
    [{ retry: ['5m'] }, 'retry'],
    [{ statuses: { dead: [42] } }, 'statuses'],
    [{ filter: { data: { 'data.a': {} } } }, 'filter'],
    [{ timeout_seconds: 0 }, 'timeout_seconds'],
    [{ redact: ['data..email'] }, 'redact'],
  ])('reports the member of %j', (declaration, member) => {
    const { error } = destinationSchema.safeParse({
      name: 'orders',
      url: 'https://a.example.com',
      ...declaration,
    })
    expect(error?.issues[0]?.path[0]).toBe(member)
  })
})
