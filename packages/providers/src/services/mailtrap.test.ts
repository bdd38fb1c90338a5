import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { mailtrap } from './mailtrap.ts'
import samples from './mailtrap.samples.json' with { type: 'json' }

testService(runner, {
  provider: mailtrap,
  samples,
  sign: ({ body, secret }) => ({
    'mailtrap-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
})

it('reads each line of the format JSON Lines as an event', () => {
  const [open, bounce] = ['open', 'bounce'].map((event) => JSON.stringify({ event, message_id: 'm-1' }))
  const readKinds = (text: string) => {
    const body = new TextEncoder().encode(text)
    const delivery = { payload: mailtrap.parse?.(body), headers: new Headers(), body, receivedAt: 0 }
    return mailtrap.normalize(delivery).map(({ kind }) => kind)
  }
  expect(readKinds(`${open}\n${bounce}\n`)).toEqual(['open', 'bounce'])
  expect(readKinds(`${open}`)).toEqual(['open'])
  expect(readKinds(`{ "events": [${open}] }`)).toEqual(['open'])
  expect(readKinds(`{\n  "events": [\n${open}\n]\n}`)).toEqual(['open'])
})
