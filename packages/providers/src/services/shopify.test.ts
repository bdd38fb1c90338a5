import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { secret, send } from '../../test/send.ts'
import { shopify } from './shopify.ts'
import samples from './shopify.samples.json' with { type: 'json' }

testService(runner, {
  provider: shopify,
  samples,
  sign: ({ body, secret }) => ({
    'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})

describe('an event of the next generation', () => {
  const body = { topic: 'Product', action: 'update', handle: 'prices', fields_changed: { updated: [] } }
  const text = JSON.stringify(body)
  const signed = { 'shopify-hmac-sha256': createHmac('sha256', secret).update(text).digest('base64') }
  const headers = {
    'shopify-topic': 'Product',
    'shopify-shop-domain': 'a.myshopify.com',
    'shopify-webhook-id': 'one',
  }
  const deliver = async (changed: Readonly<Record<string, string>> = {}, sent = text) =>
    send(shopify, sent, { headers: { ...headers, ...changed }, signed })

  it('is verified by its own header and named by its body', async () => {
    const [event] = (await deliver()).events
    expect(event).toMatchObject({ name: 'shopify/Product.update', subject: 'a.myshopify.com' })
    expect((await deliver({}, `${text} `)).outcome).toBe('401')
  })

  it('has the id of its delivery', async () => {
    const ids = await Promise.all(
      ['one', 'one', 'two'].map(async (id) => (await deliver({ 'shopify-webhook-id': id })).events[0]?.id),
    )
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
  })

  it('cannot become a webhook of another topic', async () => {
    const { events } = await deliver({ 'x-shopify-topic': 'app/uninstalled' })
    expect(events[0]?.name).toBe('shopify/Product.update')
  })
})
