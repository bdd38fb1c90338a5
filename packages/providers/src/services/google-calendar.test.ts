import { testService } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { googleCalendar } from './google-calendar.ts'
import samples from './google-calendar.samples.json' with { type: 'json' }

testService(runner, {
  provider: googleCalendar,
  samples,
  sign: ({ secret }) => ({ 'x-goog-channel-token': secret }),
})

const read = (headers: Readonly<Record<string, string>>, body = '') => {
  const bytes = Buffer.from(body)
  const payload = googleCalendar.parse?.(bytes)
  return googleCalendar.normalize({ payload, headers: new Headers(headers), body: bytes, receivedAt: 0 })
}

it('passes the values of the headers through without the token', () => {
  const { headers } = samples[0]!
  const [event] = read({ ...headers, 'x-goog-channel-token': 'secret' })
  expect(event?.data).toMatchObject({ resource_state: samples[0]?.kind, message_number: '10' })
  expect(JSON.stringify(event)).not.toContain('secret')
})

it('ignores the first message of a channel', () => {
  expect(read({ 'x-goog-resource-state': 'sync', 'x-goog-message-number': '1' })).toEqual([])
})
