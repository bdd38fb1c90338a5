import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { merge } from './merge.ts'
import samples from './merge.samples.json' with { type: 'json' }

const signText = (text: string, secret: string) =>
  createHmac('sha256', secret).update(text).digest('base64').replaceAll('+', '-').replaceAll('/', '_')

testService(runner, {
  provider: merge,
  samples,
  sign: ({ text, secret }) => ({ 'x-merge-webhook-signature': signText(text, secret) }),
})

it('refuses a signature without padding, and one with more of it', async () => {
  const verify = async (signature: string) => {
    const headers = new Headers({ 'x-merge-webhook-signature': signature })
    const delivery = { method: 'POST', headers, body: Buffer.from('{}') }
    return (await merge.signature.verify(delivery, ['secret'], 0)).verified
  }
  const signature = signText('{}', 'secret')
  expect(signature.endsWith('=')).toBe(true)
  expect(await verify(signature)).toBe(true)
  expect(await verify(signature.slice(0, -1))).toBe(false)
  expect(await verify(`${signature}=`)).toBe(false)
})
