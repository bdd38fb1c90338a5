import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changed } from '../../test/fields.ts'
import { now, secret, send } from '../../test/send.ts'
import { frontApplication } from './index.ts'
import { sample } from './samples.ts'

const { body } = sample('message.received')

function sign(text: string, at: number | string = now) {
  const digest = createHmac('sha256', secret).update(`${at}:`).update(text).digest('base64')
  return {
    'X-Front-Signature': digest,
    'X-Front-Request-Timestamp': String(at),
  }
}

describe('signatures', () => {
  it('verify the compact JSON of a body in any formatting', async () => {
    const compact = JSON.stringify(body)
    for (const sent of [JSON.stringify(body, null, 2), ` ${compact}\r\n`]) {
      expect((await send(frontApplication, sent, { signed: sign(compact) })).outcome).toBe('accepted')
    }
  })

  it('use milliseconds and reject seconds as too old', async () => {
    const text = JSON.stringify(body)
    for (const at of [now - 300_000, now + 300_000])
      expect((await send(frontApplication, text, { signed: sign(text, at) })).outcome).toBe('accepted')
    for (const at of [now / 1000, now - 300_001, now + 300_001])
      expect((await send(frontApplication, text, { signed: sign(text, at) })).outcome).toBe('401')
  })
})

// The header is not signed: an attacker could add it to a delivery whose text contains the marker of a challenge.
it('treats a delivery with the marker of a challenge as a delivery', async () => {
  const text = JSON.stringify(changed(body, ['payload', 'conversation', 'subject'], { to: 'sync' }))
  expect(text).toContain('"sync"')
  const headers = { 'x-front-challenge': 'challenge' }
  const { outcome, events } = await send(frontApplication, text, {
    headers,
    signed: sign(text),
  })
  expect(outcome).toBe('accepted')
  expect(events).toHaveLength(1)
})
