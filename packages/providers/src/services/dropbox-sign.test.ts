import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { dropboxSign } from './dropbox-sign.ts'
import samples from './dropbox-sign.samples.json' with { type: 'json' }

testService(runner, {
  provider: dropboxSign,
  samples,
  sign: ({ text, secret }) => {
    const delivery = JSON.parse(text) as { event: Record<string, unknown> }
    const { event } = delivery
    const content = `${String(event['event_time'])}${String(event['event_type'])}`
    event['event_hash'] = createHmac('sha256', secret).update(content).digest('hex')
    const json = JSON.stringify(delivery)
    const part = `--x\r\nContent-Disposition: form-data; name="json"\r\nContent-Type: text/plain\r\n\r\n${json}\r\n--x--\r\n`
    return { headers: {}, body: Buffer.from(part) }
  },
})

describe('dropbox-sign deliveries', () => {
  const event = { event: { event_type: 'callback_test', event_time: '1767272400', event_hash: '' } }
  event.event.event_hash = createHmac('sha256', 'key').update('1767272400callback_test').digest('hex')
  const verify = (body: string) => {
    const delivery = { method: 'POST', headers: new Headers(), body: new TextEncoder().encode(body) }
    return dropboxSign.signature.verify(delivery, ['key'], 0)
  }

  it('can be URL-encoded forms', async () => {
    const body = new URLSearchParams({ json: JSON.stringify(event) }).toString()
    expect(await verify(body)).toMatchObject({ verified: true })
  })

  it('have the field once', async () => {
    const part = `--x\r\nContent-Disposition: form-data; name="json"\r\n\r\n${JSON.stringify(event)}\r\n`
    expect(await verify(`${part}--x--\r\n`)).toMatchObject({ verified: true })
    expect(await verify(`${part}${part}--x--\r\n`)).toMatchObject({ verified: false })
    expect(await verify(JSON.stringify(event))).toMatchObject({ verified: false })
  })
})
