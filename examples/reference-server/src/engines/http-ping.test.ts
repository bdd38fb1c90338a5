import { openReceiver } from '@sallyport/test-hosts'
import { expect, it } from 'vitest'
import { originPing } from './http-ping.ts'

it('takes any answer, asks no more often than it has to, and tells no key to anybody', async () => {
  let time = 0
  const receiver = await openReceiver(404)
  const ping = originPing(`${receiver.url}/e/the-key?x`, { everyMs: 1000, now: () => time })
  await Promise.all([ping(), ping()])
  time = 999
  await ping()
  expect(receiver.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /'])
  await receiver.close()
  time = 1000
  await expect(ping()).rejects.toThrow(/^No answer over HTTP(: [A-Z_]+)?$/)
})
