import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { runner } from '../../test/runner.ts'
import { mailgun } from './mailgun.ts'
import samples from './mailgun.samples.json' with { type: 'json' }

const hash = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex')

function signForm(text: string, secret: string): string {
  const form = new URLSearchParams(text)
  form.set('signature', hash(`${form.get('timestamp')}${form.get('token')}`, secret))
  return form.toString()
}

testService(runner, {
  provider: mailgun,
  samples,
  sign: ({ text, secret }) => {
    if (!text.startsWith('{')) return { headers: {}, body: Buffer.from(signForm(text, secret)) }
    const delivery = JSON.parse(text) as { signature: Record<string, string> }
    const { timestamp, token } = delivery.signature
    delivery.signature['signature'] = hash(`${timestamp}${token}`, secret)
    return { headers: {}, body: Buffer.from(JSON.stringify(delivery)) }
  },
})

const now = 1767225600_000
const time = String(now / 1000)
const token = 'a'.repeat(50)

const verify = async (body: Buffer, secrets: readonly string[], at = now) =>
  (await mailgun.signature.verify({ method: 'POST', headers: new Headers(), body }, secrets, at)).verified

const multipart = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')

describe('a route with attachments', () => {
  const fields = { sender: 'a@example.com', timestamp: time, token, signature: hash(time + token, 'key') }
  const file =
    '--b\r\nContent-Disposition: form-data; name="attachment-1"; filename="a.png"\r\n\r\n\xff\xfe\r\n'
  const body = Buffer.from(`${multipart(fields)}${file}--b--\r\n`, 'latin1')

  it('is verified and parsed', async () => {
    expect(await verify(body, ['key'])).toBe(true)
    expect(await verify(body, ['another key'])).toBe(false)
    const payload = mailgun.parse!(body)
    expect(payload).toEqual({ ...fields, 'attachment-1': { filename: 'a.png', base64: '//4=' } })
    const delivery = { payload, headers: new Headers(), body, receivedAt: 0 }
    expect(mailgun.normalize(delivery)).toMatchObject([{ kind: 'inbound', key: [token] }])
  })

  it('is rejected with two tokens, also when one of them is a file', async () => {
    const tokenFile = file.replace('attachment-1', 'token')
    for (const second of [multipart({ token }), tokenFile]) {
      const twice = Buffer.from(`${multipart(fields)}${second}--b--\r\n`)
      expect(await verify(twice, ['key'])).toBe(false)
    }
  })

  // Regression: the files of an unsigned body were encoded.
  it('is encoded only after the verification', async () => {
    const encode = vi.spyOn(globalThis, 'btoa')
    const received = Buffer.from(body)
    expect(await verify(received, ['another key'])).toBe(false)
    expect(encode).not.toHaveBeenCalled()
    mailgun.parse!(received)
    expect(encode).toHaveBeenCalledOnce()
    encode.mockRestore()
  })
})

it('accepts the signature of the primary account of a subaccount', async () => {
  const event = (signature: string, parent: string) =>
    Buffer.from(
      JSON.stringify({ signature: { timestamp: time, token, signature, 'parent-signature': parent } }),
    )
  const body = event(hash(time + token, 'own'), hash(time + token, 'primary'))
  for (const secrets of [['own'], ['primary'], ['other', 'primary']])
    expect(await verify(body, secrets)).toBe(true)
  expect(await verify(body, ['other'])).toBe(false)
})

it('accepts the last attempt after 8 hours', async () => {
  const body = Buffer.from(
    JSON.stringify({ signature: { timestamp: time, token, signature: hash(time + token, 'key') } }),
  )
  expect(await verify(body, ['key'], now + 485 * 60_000)).toBe(true)
  expect(await verify(body, ['key'], now + 10 * 3_600_000)).toBe(false)
})

it('names a webhook from before 2018 by its event', () => {
  const payload = { event: 'delivered', token, timestamp: time }
  const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
  expect(mailgun.normalize(delivery)).toMatchObject([{ kind: 'delivered' }])
})
