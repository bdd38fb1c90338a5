import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { payments } from '@sallyport/providers/payments'
import { samples } from '@sallyport/providers/payments/samples'
import { stripe } from '@sallyport/providers/stripe'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { now, secret, send } from '../../providers/test/send.ts'

const library = dirname(createRequire(import.meta.url).resolve('stripe'))

it('makes an event of every type that the library of Stripe lists', async () => {
  const types = await readFile(join(library, 'resources/WebhookEndpoints.d.ts'), 'utf8')
  const [, union = ''] = /type EnabledEvent = '\*' \| ([^;]+);/.exec(types) ?? []
  const names = union.split(' | ').map((name) => name.slice(1, -1))
  expect(names.length).toBeGreaterThan(250)
  for (const type of names) {
    const { events } = await send(stripe, { id: 'evt_1', object: 'event', type, created: 1767225600 })
    expect(events).toMatchObject([{ name: `stripe/${type}`, id: `stripe:${type}:evt_1` }])
  }
})

it('makes a thin event of every type that the library of Stripe lists, each of its own kind', async () => {
  const types = await readFile(join(library, 'resources/V2/Core/Events.d.ts'), 'utf8')
  const names = [...new Set([...types.matchAll(/type: '(v[12]\.[^']+)'/g)].map(([, name = '']) => name))]
  expect(names.length).toBeGreaterThan(300)
  const kinds = new Set<string>()
  for (const type of names) {
    const event = { id: 'evt_1', object: 'v2.core.event', type, created: '2026-01-01T00:00:00.000Z' }
    const { events } = await send(stripe, event)
    expect(events).toMatchObject([{ data: { type }, ts: Date.UTC(2026, 0) }])
    kinds.add(events[0]?.name ?? '')
  }
  expect(kinds.size).toBe(names.length)
})

it('exchanges signatures of payments with the library of Stripe', async () => {
  const succeeded = samples.sample('payment.succeeded').body
  const payload = JSON.stringify(succeeded)
  const timestamp = now / 1000
  const theirs = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  const { outcome } = await send(payments, payload, { signed: { 'Payments-Signature': theirs } })
  expect(outcome).toBe('accepted')
  const delivery = { method: 'POST', headers: new Headers(), body: new TextEncoder().encode(payload) }
  const { 'payments-signature': ours = '' } = await payments.signature.sign(delivery, secret, now)
  expect(Stripe.webhooks.constructEvent(payload, ours, secret, 300, undefined, timestamp)).toEqual(succeeded)
})
