import { testService } from '@sallyport/webhooks/testing'
import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { braintree } from './braintree.ts'
import samples from './braintree.samples.json' with { type: 'json' }

testService(runner, {
  provider: braintree,
  samples,
  sign: ({ text, secret }) => {
    const payload = Buffer.from(text).toString('base64')
    const key = createHash('sha1').update(secret).digest()
    const signature = createHmac('sha1', key).update(`${payload}\n`).digest('hex')
    const form = new URLSearchParams({
      bt_signature: `old|${'0'.repeat(40)}&public|${signature}`,
      bt_payload: payload,
    })
    return { headers: {}, body: Buffer.from(form.toString()) }
  },
})

it('identifies a notification by its payload alone', async () => {
  const key = createHash('sha1').update('private key').digest()
  const form = async (xml: string, changes: Readonly<Record<string, string>> = {}) => {
    const payload = `${Buffer.from(xml).toString('base64')}\n`
    const signature = createHmac('sha1', key).update(payload).digest('hex')
    const fields = { bt_signature: `public|${signature}`, bt_payload: payload, ...changes }
    const body = Buffer.from(new URLSearchParams(fields).toString())
    const delivery = { method: 'POST', headers: new Headers(), body }
    const verification = await braintree.signature.verify(delivery, ['private key'], 0)
    return verification.verified && verification.headers?.get('sallyport-signed-content')
  }
  const first = await form('<kind>check</kind>')
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(await form('<kind>check</kind>', { added: 'text' })).toBe(first)
  expect(await form('<kind>check2</kind>')).not.toBe(first)
})
