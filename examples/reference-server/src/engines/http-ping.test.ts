import { openReceiver } from '@sallyport/test-hosts'
import { expect, it } from 'vitest'
import { createOriginPing } from './http-ping.ts'

it('accepts any response, caches the result and sends no key', async () => {
  let time = 0
  const receiver = await openReceiver(404)
  const ping = createOriginPing(`${receiver.url}/e/the-key?x`, { everyMs: 1000, now: () => time })
  await Promise.all([ping(), ping()])
  time = 999
  await ping()
  expect(receiver.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /'])
  await receiver.close()
  time = 1000
  await expect(ping()).rejects.toThrow(/^No answer over HTTP(: [A-Z_]+)?$/)
})
