import { bytesOf, opener, testHost, testStreamingHost } from '@sallyport/test-hosts'
import { describe, expect, it } from 'vitest'
import { fetch, hosts, node } from '../test/hosts.ts'

for (const [name, open] of Object.entries(hosts)) testHost(name, open)
for (const [name, open] of Object.entries({ node, fetch })) testStreamingHost(name, open)

describe.each(Object.entries(hosts))('what %s has no provider for', (_, open) => {
  const start = opener(open)

  it('is answered 404, in the same bytes', async () => {
    const send = await start()
    for (const path of [
      '/',
      '/webhooks',
      '/webhooks/',
      '/webhooks/doorbell/more',
      '/other?x=/webhooks/doorbell',
    ]) {
      const { status, headers, text } = await send({ path, body: bytesOf('{}') })
      expect([status, text]).toEqual([
        404,
        '{"error":{"code":"NOT_FOUND","message":"There is nothing here"}}',
      ])
      expect(headers.get('content-type')).toMatch(/^application\/json/)
    }
  })
})
