import { toBytes, createOpener, testHost, testStreamingHost } from '@sallyport/test-support/hosts'
import { describe, expect, it } from 'vitest'
import { fetch, hosts, node } from '../../test/hosts.ts'
import { createFetchHandler } from '../fetch/index.ts'
import { openGateway } from '../../test/doorbell.ts'
import { createLambdaHandler } from '../lambda/index.ts'
import { createNodeListener } from '../node/index.ts'
import { normalizePublicUrl } from './path.ts'

for (const [name, open] of Object.entries(hosts)) testHost(name, open)
for (const [name, open] of Object.entries({ node, fetch })) testStreamingHost(name, open)

describe.each(Object.entries(hosts))('unknown path on %s', (_, open) => {
  const start = createOpener(open)

  it('is answered 404 with the same body', async () => {
    const send = await start()
    for (const path of [
      '/',
      '/webhooks',
      '/webhooks/',
      '/webhooks/doorbell/more',
      '/other?x=/webhooks/doorbell',
    ]) {
      const { status, headers, text } = await send({ path, body: toBytes('{}') })
      expect([status, text]).toEqual([
        404,
        '{"error":{"code":"NOT_FOUND","message":"There is nothing here"}}',
      ])
      expect(headers.get('content-type')).toMatch(/^application\/json/)
    }
  })
})

describe('public URL of a host', () => {
  // Regression: signatures that cover the URL failed with 401.
  const wrong = [
    '',
    '/',
    'h.example',
    'h.example:443',
    'ftp://h.example',
    'https://',
    'https:///path',
    'https://h.example?a=b',
    'https://h.example/#a',
    'https://user:password@h.example',
    'https://h example',
    ' https://h.example',
    'https://h.example:99999',
    null as never,
  ]

  it.each([createNodeListener, createFetchHandler, createLambdaHandler])('is checked by %o', (create) => {
    const { gateway } = openGateway()
    for (const publicUrl of wrong) {
      expect(() => create(gateway, { publicUrl })).toThrow(
        new TypeError('publicUrl must be an http(s) origin'),
      )
    }
    expect(create(gateway, { publicUrl: undefined as never })).toBeInstanceOf(Function)
  })

  it.each([
    ['https://h.example', 'https://h.example'],
    ['https://h.example/', 'https://h.example'],
    ['HTTP://H.example:3111/v1//', 'HTTP://H.example:3111/v1'],
    ['http://[::1]:3111', 'http://[::1]:3111'],
  ])('normalizes %s to %s', (given, normalized) => {
    expect(normalizePublicUrl(given)).toBe(normalized)
  })
})
