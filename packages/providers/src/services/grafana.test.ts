import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { grafana } from './grafana.ts'
import samples from './grafana.samples.json' with { type: 'json' }

testService(runner, {
  provider: grafana,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now / 1000)
    return {
      'x-grafana-alerting-timestamp': time,
      'x-grafana-alerting-signature': createHmac('sha256', secret).update(`${time}:${text}`).digest('hex'),
    }
  },
})

it('refuses a signature over the body without a time', async () => {
  const body = Buffer.from('{}')
  const headers = new Headers({
    'x-grafana-alerting-signature': createHmac('sha256', 's').update(body).digest('hex'),
  })
  expect(await grafana.signature.verify({ method: 'POST', headers, body }, ['s'], 0)).toMatchObject({
    verified: false,
  })
})
