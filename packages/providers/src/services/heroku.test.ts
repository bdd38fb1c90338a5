import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { heroku } from './heroku.ts'
import samples from './heroku.samples.json' with { type: 'json' }

testService(runner, {
  provider: heroku,
  samples,
  sign: ({ body, secret }) => ({
    'heroku-webhook-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})

it('writes the signature in base64', async () => {
  const headers = new Headers({
    'heroku-webhook-hmac-sha256': '9HHzn8zIo8nhw6AfAGTC0mh8t0I5RgKsDGLCpmSVayU=',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from('{"id":"1","type":"test"}') }
  expect(await heroku.signature.verify(delivery, ['secret'], 0)).toMatchObject({ verified: true })
})
