import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { mercadoPago } from './mercado-pago.ts'
import samples from './mercado-pago.samples.json' with { type: 'json' }

testService(runner, {
  provider: mercadoPago,
  samples,
  sign: ({ headers, secret, now }) => {
    const time = Math.floor(now / 1000)
    const content = `id:999999999;request-id:${headers['x-request-id']};ts:${time};`
    return { 'x-signature': `ts=${time},v1=${createHmac('sha256', secret).update(content).digest('hex')}` }
  },
  url: 'https://hooks.example.com/webhooks/mercado-pago?data.id=999999999&type=payment',
})

describe('the manifest of mercado-pago', () => {
  const now = Date.UTC(2026, 0)
  const address = 'https://hooks.example.com/webhooks/mercado-pago'
  const sign = (manifest: string) =>
    `ts=${now / 1000},v1=${createHmac('sha256', 'secret')
      .update(`${manifest}ts:${now / 1000};`)
      .digest('hex')}`

  async function verify(manifest: string, url: string, id: string, requestId?: string, at = now) {
    const signature = { 'x-signature': sign(manifest) }
    const headers = new Headers({
      ...signature,
      ...(requestId !== undefined && { 'x-request-id': requestId }),
    })
    const delivery = { method: 'POST', url, headers, body: Buffer.from(JSON.stringify({ data: { id } })) }
    return (await mercadoPago.signature.verify(delivery, ['secret'], at)).verified
  }

  it('omits an absent part', async () => {
    expect(await verify('id:7;', `${address}?data.id=7`, '7')).toBe(true)
    expect(await verify('request-id:r-1;', address, '7', 'r-1')).toBe(true)
    expect(await verify('id:7;', `${address}?data.id=7`, '7', 'r-1')).toBe(false)
  })

  it('has the id as it is or in lower case', async () => {
    const url = `${address}?data.id=ABC`
    for (const id of ['ABC', 'abc']) expect(await verify(`id:${id};`, url, 'ABC')).toBe(true)
    expect(await verify('id:Abc;', url, 'ABC')).toBe(false)
  })

  it('belongs to the resource in the body', async () => {
    expect(await verify('id:7;', `${address}?data.id=7`, '8')).toBe(false)
  })

  it('has no value that moves a border', async () => {
    expect(
      await verify('id:7;request-id:r-1;', `${address}?data.id=7;request-id:r-1`, '7;request-id:r-1'),
    ).toBe(false)
  })

  it('is valid for a later attempt', async () => {
    const url = `${address}?data.id=7`
    expect(await verify('id:7;', url, '7', undefined, now + 4 * 86_400_000)).toBe(true)
    expect(await verify('id:7;', url, '7', undefined, now + 6 * 86_400_000)).toBe(false)
  })
})
