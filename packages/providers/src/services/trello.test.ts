import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { trello } from './trello.ts'
import samples from './trello.samples.json' with { type: 'json' }

testService(runner, {
  provider: trello,
  samples,
  sign: ({ text, url, secret }) => ({
    'x-trello-webhook': createHmac('sha1', secret)
      .update(text + url)
      .digest('base64'),
  }),
})

it('signs the body and the address', async () => {
  const url = 'https://example.com/hook'
  const body = Buffer.from('{"id":"1","type":"test"}')
  const headers = new Headers({ 'x-trello-webhook': 'FVFjqWkXTdHTtonYhAD9wlPoTr0=' })
  const verify = (at: string) =>
    trello.signature.verify({ method: 'POST', headers, body, url: at }, ['app-secret'], 0)
  expect(await verify(url)).toMatchObject({ verified: true })
  expect(await verify(`${url}/`)).toMatchObject({ verified: false })
})
