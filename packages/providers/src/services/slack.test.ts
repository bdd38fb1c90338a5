import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { slack } from './slack.ts'
import samples from './slack.samples.json' with { type: 'json' }

testService(runner, {
  provider: slack,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', secret).update(`v0:${time}:${text}`).digest('hex')
    return { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${signature}` }
  },
})

it('verifies the published example', async () => {
  const text =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V' +
    '&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
    '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
    '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
  const headers = new Headers({
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  })
  const delivery = { method: 'POST', headers, body: Buffer.from(text) }
  const secrets = ['8f742231b10e8888abcd99yyyzzz85a5']
  expect(await slack.signature.verify(delivery, secrets, 1531420618000)).toMatchObject({ verified: true })
})

it('gives a retry the same id, whatever the headers of the retry say', () => {
  const payload = samples[0]?.body
  const keys = [{}, { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' }].map(
    (headers) =>
      slack.normalize({ payload, headers: new Headers(headers), body: new Uint8Array(), receivedAt: 0 })[0],
  )
  expect(keys[0]).toBeDefined()
  expect(keys[1]).toEqual(keys[0])
})

it.each(['im', 'constructor', '__proto__'])('names a message of the conversation %s by it', (type) => {
  const payload = { event_id: 'Ev1', event: { type: 'message', channel_type: type } }
  const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  expect(slack.normalize(delivery)).toMatchObject([{ kind: `message.${type}` }])
})
