import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { coinbaseCdp } from './coinbase-cdp.ts'
import samples from './coinbase-cdp.samples.json' with { type: 'json' }

testService(runner, {
  provider: coinbaseCdp,
  samples,
  sign: ({ text, headers, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const content = `${time}.content-type.${headers['content-type']}.${text}`
    const signature = createHmac('sha256', secret).update(content).digest('hex')
    return { 'x-hook0-signature': `t=${time},h=content-type,v1=${signature}` }
  },
})

it('rejects a signature of v0 in the field of v1', async () => {
  const now = 1_700_000_000_000
  const delivery = { method: 'POST', headers: new Headers(), body: Buffer.from('{}') }
  const signed = await coinbaseCdp.signature.sign(delivery, 'secret', now)
  const verify = async (value: string) => {
    const headers = new Headers({ 'x-hook0-signature': value })
    return (await coinbaseCdp.signature.verify({ ...delivery, headers }, ['secret'], now)).verified
  }
  const header = new Headers(signed).get('x-hook0-signature') ?? ''
  expect(await verify(header)).toBe(true)
  expect(await verify(header.replace('v0=', 'v1='))).toBe(false)
})
