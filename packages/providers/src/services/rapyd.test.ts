import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { rapyd } from './rapyd.ts'
import samples from './rapyd.samples.json' with { type: 'json' }

testService(runner, {
  provider: rapyd,
  samples,
  sign: ({ text, headers, url, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const content = `${url}${headers['salt']}${time}${headers['access_key']}${secret}${text}`
    const hex = createHmac('sha256', secret).update(content).digest('hex')
    return { timestamp: time, signature: Buffer.from(hex).toString('base64') }
  },
})

it.each([
  ['other unused bits in the base64', (base64: string) => base64.replace('==', '').slice(0, -1) + 'h=='],
  ['upper-case digits', (base64: string) => btoa(atob(base64).toUpperCase())],
  ['no padding', (base64: string) => base64.replace('==', '')],
])('rejects a signature with %s', async (_, change) => {
  const unsigned = {
    method: 'POST',
    url: 'https://hooks.example/webhooks/rapyd',
    headers: new Headers({ salt: 'abc', access_key: 'key' }),
    body: Buffer.from('{}'),
  }
  const verify = async (edit: (base64: string) => string) => {
    const headers = new Headers(unsigned.headers)
    const signed = await rapyd.signature.sign(unsigned, 'secret', 1_700_000_000_000)
    for (const [name, value] of Object.entries(signed)) headers.set(name, value)
    headers.set('signature', edit(headers.get('signature') ?? ''))
    const { verified } = await rapyd.signature.verify({ ...unsigned, headers }, ['secret'], 1_700_000_000_000)
    return verified
  }
  expect(await verify((base64) => base64)).toBe(true)
  expect(await verify(change)).toBe(false)
})
